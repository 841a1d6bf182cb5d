/** What five cards are worth at poker, by name: aces are high, and low in a straight from the ace to the five. */

import { rankOf, suitOf } from "./cards";
import type { Card, HandName } from "./events";

const ORDER = "23456789TJQKA";

export function pokerHand(cards: readonly Card[]): HandName {
  const ranks = cards.map((card) => ORDER.indexOf(rankOf(card))).sort((a, b) => a - b);
  const counts = [...new Set(ranks)].map((rank) => ranks.filter((other) => other === rank).length);
  const most = Math.max(...counts);
  const distinct = counts.length;
  const flush = new Set(cards.map(suitOf)).size === 1;
  const straight = distinct === 5 && ((ranks[4] ?? 0) - (ranks[0] ?? 0) === 4 || ranks.join() === "0,1,2,3,12");
  if (straight && flush) return "straight flush";
  if (most === 4) return "four of a kind";
  if (distinct === 2) return "full house";
  if (flush) return "flush";
  if (straight) return "straight";
  if (most === 3) return "three of a kind";
  if (distinct === 3) return "two pair";
  return distinct === 4 ? "one pair" : "high card";
}
