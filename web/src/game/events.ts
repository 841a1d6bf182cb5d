/** Events of a deal, as traces and the engine protocol write them: `docs/TRACE.md`, section 10.5. */

/** A card, rank then suit, as `"TC"`. */
export type Card = string;

/** Why a sequence stopped. */
export type Why = "top" | "removed" | "dead" | "played";

export type HandName =
  | "high card"
  | "one pair"
  | "two pair"
  | "three of a kind"
  | "straight"
  | "flush"
  | "full house"
  | "four of a kind"
  | "straight flush";

/** What happened. A list of cards that a seat does not see is empty for it. */
export type DealEvent =
  | { e: "rebuy"; seat: number; chips: number }
  | { e: "ante"; seat: number; kitty: number; layout: number[] }
  | { e: "spill"; from: string; to: string; chips: number }
  | { e: "deal"; hands: Card[][]; dead: Card[] }
  | { e: "keep"; seat: number }
  | { e: "exchange"; seat: number; paid: number; to: string | null; dead: Card[]; hand?: Card[] }
  | { e: "auction"; seat: number }
  | { e: "bid"; seat: number; chips: number }
  | { e: "pass"; seat: number }
  | { e: "collect"; seat: number; cell: string; chips: number }
  | { e: "set_apart"; seat: number; cards: Card[] }
  | { e: "check" | "bet" | "call" | "raise" | "fold"; seat: number; chips: number }
  | {
      e: "showdown";
      winners: number[];
      hands?: Record<string, HandName>;
      shown?: Record<string, Card[]>;
      paid: number[];
    }
  | { e: "lead"; seat: number; card: Card }
  | { e: "play"; seat: number; card: Card }
  | { e: "claim"; seat: number; cell: string; chips: number }
  | { e: "stop"; seat: number; card: Card; why: Why }
  | { e: "pass_lead"; seat: number }
  | { e: "out"; seat: number }
  | { e: "no_winner" }
  | { e: "settle"; winner: number; kitty: number; cards: number[]; paid: number[] }
  | { e: "leftover"; from: string; seat: number; chips: number };

/** One finished deal: a line of a trace, `docs/TRACE.md`, section 10.2. */
export interface TraceLine {
  schema: "newmarket.trace/1";
  rules: string;
  overrides: Record<string, unknown>;
  players: number;
  dealer: number;
  session?: { deal: number; of: number; bankroll: unknown };
  seats_in?: boolean[];
  stacks_before: number[];
  layout_before: number[];
  kitty_before: number;
  pack: Card[];
  events: DealEvent[];
  payoffs: number[];
  stacks_after: number[];
  layout_after: number[];
  kitty_after: number;
}
