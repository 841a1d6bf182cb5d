/** What a seat knows of cards that it does not see. */

import { rankOf, ranksOf, suitOf } from "./cards";
import type { Card } from "./events";
import type { Rules } from "./rules";
import type { TableView } from "./view";

/** The next higher card of the suit, in the pack or not; `null` above the top. */
export function above(rules: Rules, card: Card): Card | null {
  const ranks = ranksOf(rules);
  const next = ranks[ranks.indexOf(rankOf(card)) + 1];
  return next === undefined ? null : next + suitOf(card);
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
