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

/** The highest bid where rules say none. */
const MOST_BID = 20;

/** Tables of which a key that is left out has the base's value. */
const BY_KEY = ["dead_hand", "session"] as const;

/** The rules of a named game as its file has them. */
function named(base: string): Rules {
  return layers(NAMED.newmarket ?? {}, base === "newmarket" ? {} : (NAMED[base] ?? {}));
}

/** Tables laid over each other. The values are shared with them, not copied. */
function layers(...tables: Record<string, unknown>[]): Rules {
  const rules: Record<string, unknown> = {};
  for (const table of tables) {
    for (const [key, value] of Object.entries(table)) {
      const byKey = (BY_KEY as readonly string[]).includes(key) && typeof value === "object";
      rules[key] = byKey ? { ...(rules[key] as object | undefined), ...(value as object) } : value;
    }
  }
  return rules as unknown as Rules;
}

/** Whether a cell is the pot of the poker: nothing claims it. */
export function isPot(cell: Cell): boolean {
  return typeof cell === "object" && Array.isArray(cell.claimed_by) && cell.claimed_by.length === 0;
}

/**
 * The complete rules of a house; nobody changes them, for they share their parts with the named games. Values are
 * taken as they are: whether they are right, the engine says.
 */
export function resolve(house: House): Rules {
  const { base, name: _, claim_when: when, ...own } = house;
  const game = named(base);
  const rules = layers(game as unknown as Record<string, unknown>, own);
  if (when !== undefined) rules.stages = game.stages.filter((stage) => when === "held" || stage !== "collect");
  const ofBase = (cell: Cell) =>
    game.cells.find((it) => typeof it === "object" && "name" in it && it.name === cell) ?? cell;
  if (Array.isArray(rules.cells)) {
    rules.cells = rules.cells.map(ofBase);
    // The pot of the base need not be listed, and is there for the poker alone.
    const pot = game.cells.find(isPot);
    const poker = Array.isArray(rules.stages) && rules.stages.includes("poker");
    if (pot && poker && !rules.cells.some(isPot)) rules.cells.push(pot);
    if (pot && !poker && own.cells === undefined) rules.cells = rules.cells.filter((cell) => !isPot(cell));
  }
  const { exchange } = rules;
  if (typeof exchange === "object" && "dealer_exchange_or_auction" in exchange) {
    const { max_bid = MOST_BID } = exchange.dealer_exchange_or_auction;
    rules.exchange = { dealer_exchange_or_auction: { max_bid } };
  }
  return rules;
}

/** The cells by name, as events call them. */
export function cellNames(rules: Rules): string[] {
  return rules.cells.map((cell) => {
    if (typeof cell === "string") return cell;
    return "card" in cell ? cell.card : cell.name;
  });
}
