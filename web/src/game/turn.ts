/** What a seat may do, as a table of the engine says it. */

import type { Choice, Table } from "../engine/client";

/** What the person may do now. */
export interface Turn {
  seat: number;
  /** The legal decisions; empty for an ante to split or five cards to set apart. */
  legal: Choice[];
  /** Chips of a free ante to split over the cells. */
  ante?: number;
  /** How many cards to set apart. */
  setApart?: number;
}

/** The decision that is due at a table. */
export function turnOf({ seat = 0, legal = [], ante, set_apart: setApart }: Table): Turn {
  return {
    seat,
    legal,
    ...(ante === undefined ? {} : { ante }),
    ...(setApart === undefined ? {} : { setApart }),
  };
}

/** The only decision that may be taken, if there is only one. */
export function onlyChoice({ ante, set_apart: setApart, layout, hand = [], legal = [] }: Table): Choice | null {
  if (ante !== undefined) return layout.length === 1 ? { e: "ante", layout: [ante] } : null;
  if (setApart !== undefined) return hand.length === setApart ? { e: "set_apart", cards: hand } : null;
  return legal.length === 1 ? (legal[0] ?? null) : null;
}

/** Whether there is only one decision that may be taken. */
export function isForced(table: Table): boolean {
  return onlyChoice(table) !== null;
}

/** Whether two choices are the same; five cards are so in any order. */
export function sameChoice(one: Choice, other: Choice): boolean {
  if (one.e === "ante" && other.e === "ante") return String(one.layout) === String(other.layout);
  if (one.e === "lead" && other.e === "lead") return one.card === other.card;
  if (one.e === "set_apart" && other.e === "set_apart") {
    return String([...one.cards].sort()) === String([...other.cards].sort());
  }
  return one.e === other.e;
}
