/** Cells of the layout: what lies on them, and who may take them. */

import { packOf, rankOf } from "./cards";
import type { Card } from "./events";
import { knownDead } from "./known";
import type { Cell, Rules } from "./rules";
import type { TableView } from "./view";

export interface CellView {
  /** As events call it. */
  name: string;
  /** What lies on it: one card, or the cards of its first set; none for the pot. */
  cards: Card[];
  /** Its sets are alike but for the suit. */
  anySuit: boolean;
  /** The card that takes it, if that is another than the one that lies on it. */
  by: Card | null;
  /** Its name where no card says it. */
  title: string | null;
}

/** The sets of cards of a cell: each set alone takes the cell. */
export function setsOf(cell: Cell): Card[][] {
  if (typeof cell === "string") return [[cell]];
  const by = cell.claimed_by;
  if (typeof by === "string") return [[by]];
  if (by.length === 0) return [];
  return typeof by[0] === "string" ? [by as Card[]] : (by as Card[][]);
}

/** How a cell is drawn. */
export function cellView(cell: Cell): CellView {
  const sets = setsOf(cell);
  const [first = []] = sets;
  if (typeof cell === "string") return { name: cell, cards: [cell], anySuit: false, by: null, title: null };
  if ("card" in cell) return { name: cell.card, cards: [cell.card], anySuit: false, by: cell.claimed_by, title: null };
  const ranks = new Set(sets.map((set) => set.map(rankOf).join("")));
  return {
    name: cell.name,
    cards: first,
    anySuit: sets.length > 1 && ranks.size === 1,
    by: null,
    title: cell.name[0]?.toUpperCase() + cell.name.slice(1),
  };
}

/** How a cell stands in a deal. */
export interface Standing {
  /** The hand has all that takes it. */
  held: boolean;
  /** Nobody can take it any more. */
  gone: boolean;
  /** Its card is known to be dead. */
  dead: boolean;
}

export function standing(view: TableView, hand: readonly Card[] | null): Standing[] {
  const mine = new Set(hand);
  const played = new Map(view.played.map(({ card, seat }) => [card, seat]));
  const collects = view.rules.stages.includes("collect");
  const dead = knownDead(view);
  const pack = new Set(packOf(view.rules));
  return view.rules.cells.map((cell) => {
    const sets = setsOf(cell);
    const held = sets.some((set) => set.every((card) => mine.has(card)));
    if (sets.length === 0 || collects) return { held: held && view.played.length === 0, gone: false, dead: false };
    const lost = (set: Card[]) => {
      if (set.some((card) => dead.has(card) || !pack.has(card))) return true;
      const players = new Set(set.flatMap((card) => played.get(card) ?? []));
      return players.size > 1 || set.every((card) => played.has(card));
    };
    return { held, gone: sets.every(lost), dead: sets.every((set) => set.some((card) => dead.has(card))) };
  });
}

/**
 * Whether an ante may be split like this under the cap: no cell that it adds to ends above the cap, or all
 * cells hold the cap or more.
 */
export function mayStake(rules: Rules, layout: readonly number[], split: readonly number[]): boolean {
  const { cell_cap: cap } = rules;
  if (cap === undefined) return true;
  const after = layout.map((chips, cell) => chips + (split[cell] ?? 0));
  return after.every((chips) => chips >= cap) || after.every((chips, cell) => chips <= cap || !split[cell]);
}
