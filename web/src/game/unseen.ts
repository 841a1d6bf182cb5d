/** Events as somebody sees them who does not play. */

import type { DealEvent } from "./events";

/** What a seat is told, without the cards that it alone sees. */
export function hidden(event: DealEvent): DealEvent {
  switch (event.e) {
    case "deal":
      return { ...event, hands: event.hands.map(() => []), dead: [] };
    case "set_apart":
      return { ...event, cards: [] };
    case "exchange": {
      const { hand: _, ...seen } = event;
      return { ...seen, dead: [] };
    }
    default:
      return event;
  }
}
