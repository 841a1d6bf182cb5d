/** Cells as a form shows them: what the cell is called, and the cards that claim it, both as text. */

import type { Cell } from "../game/rules";

export interface CellText {
  name: string;
  /** Cards; sets are parted by commas; `poker` for a pot; nothing if the cell's own card claims it. */
  claimed: string;
}

const POT = "poker";

/** A card as it is written, or nothing. */
export function card(text: string): string | null {
  const found = /^(10|[A2-9TJQK])([CDHS])$/.exec(text.trim().toUpperCase());
  return found ? `${found[1] === "10" ? "T" : found[1]}${found[2]}` : null;
}

/** Words of a list of cards: cards as they are written, others as they are. */
export function cards(text: string): string[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  return words.map((word) => card(word) ?? word);
}

/** A cell as text. A name alone that is no card stands for the cell of the base. */
export function cellText(cell: Cell, base: Cell[]): CellText {
  if (typeof cell === "string") {
    const own = base.find((other) => typeof other !== "string" && "name" in other && other.name === cell);
    return own === undefined ? { name: cell, claimed: "" } : cellText(own, []);
  }
  const name = "card" in cell ? cell.card : cell.name;
  const by = cell.claimed_by;
  if (typeof by === "string") return { name, claimed: by };
  if (!Array.isArray(by)) return { name, claimed: "" };
  if (by.length === 0) return { name, claimed: POT };
  const sets = by.map((set) => (Array.isArray(set) ? set.join(" ") : set));
  return { name, claimed: sets.join(by.some(Array.isArray) ? ", " : " ") };
}

/** The cell of a text. Whether it is right, the engine says. */
export function cellOf({ name, claimed }: CellText): Cell {
  const own = card(name);
  const called = own === null ? { name: name.trim() } : { card: own };
  if (claimed.trim().toLowerCase() === POT) return { name: name.trim(), claimed_by: [] };
  const sets = claimed.split(",").map(cards).filter((set) => set.length > 0);
  const [first, ...more] = sets;
  if (first === undefined) return own ?? ({ name: name.trim(), claimed_by: "" } as Cell);
  if (more.length > 0) return { ...called, claimed_by: sets } as Cell;
  if (first.length > 1) return { ...called, claimed_by: first } as Cell;
  return first[0] === own && own !== null ? own : ({ ...called, claimed_by: first[0] } as Cell);
}
