/** Cards as texts of rank and suit: order, names and signs. */

import type { Card } from "./events";
import type { Rules } from "./rules";

export const SUITS = ["C", "D", "H", "S"] as const;
export type Suit = (typeof SUITS)[number];

export const SUIT_NAMES: Record<Suit, string> = {
  C: "clubs",
  D: "diamonds",
  H: "hearts",
  S: "spades",
};

const RANKS = "A23456789TJQK";

const RANK_NAMES: Record<string, string> = { A: "ace", T: "10", J: "jack", Q: "queen", K: "king" };

export function suitOf(card: Card): Suit {
  return card[1] as Suit;
}

export function rankOf(card: Card): string {
  return card[0] ?? "";
}

/** The rank as it stands on a card: the ten as `"10"`. */
export function rankSign(card: Card): string {
  return rankOf(card) === "T" ? "10" : rankOf(card);
}

/** "queen of clubs". */
export function cardName(card: Card): string {
  return `${RANK_NAMES[rankOf(card)] ?? rankOf(card)} of ${SUIT_NAMES[suitOf(card)]}`;
}

/** The ranks of a game in ascending order. */
export function ranksOf(rules: Rules): string[] {
  const order = rules.aces === "low" ? RANKS : `${RANKS.slice(1)}A`;
  return [...order.slice(0, rules.ranks)];
}

/** All cards of a game's pack, sorted like a hand. */
export function packOf(rules: Rules): Card[] {
  const removed = new Set(rules.removed);
  return SUITS.slice(0, rules.suits)
    .flatMap((suit) => ranksOf(rules).map((rank) => rank + suit))
    .filter((card) => !removed.has(card));
}

/** The place of a card in a sorted hand. */
function place(aces: Rules["aces"], card: Card): number {
  const rank = RANKS.indexOf(rankOf(card));
  return SUITS.indexOf(suitOf(card)) * 13 + (aces === "high" && rank === 0 ? 13 : rank);
}

/** By suit, then by rank as the rules count it. */
export function sorted(aces: Rules["aces"], cards: readonly Card[]): Card[] {
  return [...cards].sort((a, b) => place(aces, a) - place(aces, b));
}
