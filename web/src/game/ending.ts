/** How a deal and a session ended, in words: why, and what stays on the table. */

import { cardName } from "./cards";
import { setsOf } from "./cells";
import { cellNames } from "./rules";
import type { Rules } from "./rules";
import { leftOf } from "./view";
import type { TableView } from "./view";
import { cellName, chips, does, list } from "./words";

/** Why a deal is over; empty while it is not. */
export function dealEnd(view: TableView, names: readonly string[]): string {
  const out = view.log.find((event) => event.e === "out");
  if (out) {
    const card = view.played.at(-1)?.card;
    return `${does(names[out.seat] ?? "", "are")} out of cards${card ? `, with the ${cardName(card)}` : ""}.`;
  }
  if (!view.over) return "";
  const { change_suit: change } = view.rules;
  return `Nobody can lead${change === "else_pass" ? " another suit" : change === "other_colour" ? " the other colour" : ""}: the deal has no winner.`;
}

/** Chips of a full stake. */
function stakeOf({ kitty_ante: kitty, layout_ante: ante, cells }: Rules, dealer: boolean): number {
  if ("fixed" in ante) return kitty + cells.length * (dealer ? ante.fixed.dealer : ante.fixed.each);
  return kitty + (dealer ? ante.free.dealer_chips : ante.free.chips);
}

/** Why a session that is over has ended. */
export function sessionEnd(view: TableView, names: readonly string[]): string {
  const { rules, deal, of } = view;
  const { bankroll } = rules.session;
  if (bankroll !== "credit" && deal < of) {
    const given = view.seats.map(() => 0);
    for (const event of view.log) if (event.e === "leftover") given[event.seat] = (given[event.seat] ?? 0) + event.chips;
    const next = leftOf(view, view.dealer);
    const poor = view.seats.flatMap(({ in: plays, stack }, seat) => {
      const stake = stakeOf(rules, seat === next);
      const has = stack - (given[seat] ?? 0);
      return plays && has < stake ? [`${does(names[seat] ?? "", "have")} ${chips(has)} and cannot pay the next stake of ${stake}`] : [];
    });
    const why = poor.length > 0 ? `${list(poor)}. ` : "";
    return `${why}The session is over after deal ${deal} of ${of}.`;
  }
  return of === 1 ? "" : `All ${of} deals are played.`;
}

/** A pot that nobody took. */
export interface Pot {
  /** As events call it. */
  name: string;
  chips: number;
  /** Where its card is, in words; empty where no single card takes it. */
  where: string;
}

/** The pots that stay on the table; `open` is the same deal with all hands open. */
export function carried(view: TableView, open: TableView | null, names: readonly string[]): Pot[] {
  const pots = cellNames(view.rules).map((name, nth) => ({ name, chips: view.layout[nth] ?? 0, where: whereOf(view, open, names, nth) }));
  return [...pots, { name: "kitty", chips: view.kitty, where: "" }].filter(({ chips }) => chips > 0);
}

function whereOf(view: TableView, open: TableView | null, names: readonly string[], nth: number): string {
  const cell = view.rules.cells[nth];
  const [set = [], ...others] = cell === undefined ? [] : setsOf(cell);
  const [card] = set;
  if (open === null || card === undefined || set.length > 1 || others.length > 0) return "";
  if (open.deadHand.cards?.includes(card)) return "in the dead hand";
  const holder = open.seats.findIndex(({ hand }) => hand?.includes(card));
  if (holder < 0) return "";
  return names[holder] === "You" ? "still in your hand" : `still with ${names[holder]}`;
}

/** A pot in words: "7 chips on the ace of spades (in the dead hand)". */
export function potWords({ name, chips: count, where }: Pot, rules: Rules): string {
  return `${chips(count)} ${name === "kitty" ? "in" : "on"} ${cellName(rules, name)}${where ? ` (${where})` : ""}`;
}
