/** Rules: the named games, and what a rules file changes of them (`docs/RULES.md`, sections 8 and 12). */

import games from "../../../env/src/rules/games.json";
import type { Card } from "./events";

export type Cell =
  | Card
  | { card: Card; claimed_by: Card }
  | { name: string; claimed_by: Card | Card[] | Card[][] };

export type LayoutAnte =
  | { fixed: { each: number; dealer: number } }
  | { free: { chips: number; dealer_chips: number } };

export type Exchange =
  | "none"
  | { dealer_exchange: { fee: number } }
  | { dealer_exchange_or_auction: { max_bid: number } }
  | { offer_chain: { price: number } };

export type Bankroll =
  | "credit"
  | { chips: { start: number; on_bust: "end_session" | "eliminate" | "rebuy" } };

/** Everything that a rules file says, the base's values where it says nothing. */
export interface Rules {
  players: [number, number];
  aces: "low" | "high";
  ranks: number;
  suits: number;
  removed: Card[];
  cells: Cell[];
  kitty_ante: number;
  layout_ante: LayoutAnte;
  cell_cap?: number;
  timing: "before_deal" | "after_look";
  dead_hand: {
    position: "none" | "first" | "before_dealer" | "last";
    remainder: "rotation" | "dead_hand";
  };
  exchange: Exchange;
  first_lead: "eldest" | { lowest_of: string } | "poker_winner";
  change_suit: "free" | "else_same" | "else_pass" | "other_colour";
  kitty_to_winner: boolean;
  per_card: number;
  stages: ("collect" | "poker")[];
  session: {
    deals: number;
    bankroll: Bankroll;
    leftover: "stay" | "lot" | "richest";
    first_dealer: "cut" | "first_jack" | number;
  };
}

/** A named game and what differs from it: what the engine is told. */
export interface House {
  base: string;
  name?: string;
  [key: string]: unknown;
}

const NAMED = games as unknown as Record<string, Partial<Rules>>;

/** The named games, in the order in which they are listed everywhere. */
export const NAMES: readonly string[] = Object.keys(NAMED);

/** Tables of which a key that is left out has the base's value. */
const BY_KEY = ["dead_hand", "session"] as const;

/** The complete rules of a house. Values are taken as they are: whether they are right, the engine says. */
export function resolve(house: House): Rules {
  const rules: Record<string, unknown> = structuredClone(NAMED.newmarket) as Record<string, unknown>;
  const { base, name: _, ...own } = house;
  const named = base === "newmarket" ? {} : (NAMED[base] ?? {});
  for (const layer of [named as Record<string, unknown>, own]) {
    for (const [key, value] of Object.entries(structuredClone(layer))) {
      const table = (BY_KEY as readonly string[]).includes(key) && typeof value === "object";
      rules[key] = table ? { ...(rules[key] as object), ...(value as object) } : value;
    }
  }
  return rules as unknown as Rules;
}

/** The cells by name, as events call them. */
export function cellNames(rules: Rules): string[] {
  return rules.cells.map((cell) => {
    if (typeof cell === "string") return cell;
    return "card" in cell ? cell.card : cell.name;
  });
}
