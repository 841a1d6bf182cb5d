/** What a seat knows of cards that it does not see. */

import { packOf, rankOf, ranksOf, suitOf } from "./cards";
import type { Card, Why } from "./events";
import type { Rules } from "./rules";
import type { TableView } from "./view";

/** The next higher card of the suit, in the pack or not; `null` above the top. */
export function above(rules: Rules, card: Card): Card | null {
  const ranks = ranksOf(rules);
  const next = ranks[ranks.indexOf(rankOf(card)) + 1];
  return next === undefined ? null : next + suitOf(card);
}

/** The next lower card of the suit; `null` below the lowest. */
export function below(rules: Rules, card: Card): Card | null {
  const ranks = ranksOf(rules);
  const before = ranks[ranks.indexOf(rankOf(card)) - 1];
  return before === undefined ? null : before + suitOf(card);
}

/** Cards that are known to be in the dead hand: those at which the play stopped, and an own discard. */
export function knownDead(view: TableView): Set<Card> {
  const dead = new Set(view.deadHand.cards);
  for (const event of view.log) {
    if (event.e !== "stop" || event.why !== "dead") continue;
    const next = above(view.rules, event.card);
    if (next !== null) dead.add(next);
  }
  return dead;
}

/** Why nothing can follow on a card, as far as it is known; `null` if something may. */
export function stopAfter(view: TableView, card: Card): Why | null {
  const next = above(view.rules, card);
  if (next === null) return "top";
  if (!packOf(view.rules).includes(next)) return "removed";
  if (view.played.some((played) => played.card === next)) return "played";
  return knownDead(view).has(next) ? "dead" : null;
}
