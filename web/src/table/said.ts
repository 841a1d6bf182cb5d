/** What a seat says in its bubble. */

import type { DealEvent } from "../game/events";

export interface Said {
  text: string;
  tone: "plain" | "won";
}

/** A few words for a seat's last act; an act that is visible on the table needs no words. */
export function said(event: DealEvent | null): Said | null {
  const plain = (text: string): Said => ({ text, tone: "plain" });
  const won = (count: number): Said => ({ text: `+${count}`, tone: "won" });
  switch (event?.e) {
    case "rebuy":
      return plain(`buys ${event.chips}`);
    case "ante":
      return plain(`stakes ${event.layout.reduce((sum, chips) => sum + chips, event.kitty)}`);
    case "keep":
      return plain("no, thanks");
    case "exchange":
      return plain(event.paid > 0 ? `takes it for ${event.paid}` : "takes it");
    case "auction":
      return plain("who bids?");
    case "bid":
      return plain(`bids ${event.chips}`);
    case "pass":
      return plain("pass");
    case "collect":
    case "claim":
      return won(event.chips);
    case "check":
    case "fold":
      return plain(event.e);
    case "bet":
    case "call":
    case "raise":
      return plain(`${event.e} ${event.chips}`);
    case "pass_lead":
      return plain("passes");
    case "out":
      return { text: "out!", tone: "won" };
    default:
      return null;
  }
}
