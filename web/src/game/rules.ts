/**
 * The form of rules, as the engine tells them (`docs/RULES.md`, section 12). `web/build` asks the engine for those of
 * the named games, so that the page has them before the engine is loaded.
 */

import known from "../../assets/rules.json";
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

/** All options of rules with their values. */
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

/** The named games and their rules, in the order in which they are listed everywhere. */
export const GAMES = known.games as unknown as Readonly<Record<string, Rules>>;

/** The names of the named games. */
export const NAMES: readonly string[] = Object.keys(GAMES);

/** The rules of a named game. */
export function gameRules(name: string): Rules {
  const rules = GAMES[name];
  if (rules === undefined) throw new Error(`"${name}" is no named game`);
  return rules;
}

/** The rules of a named game in words, a sentence or a few about each thing. */
export function gameWords(name: string): readonly string[] {
  return (known.words as Record<string, string[]>)[name] ?? [];
}

/** What rules in words say otherwise than a named game. */
export function otherwise(words: readonly string[], name: string): string[] {
  return words.filter((said) => !gameWords(name).includes(said));
}

/** Rules with all options, and in words. */
export interface Told {
  rules: Rules;
  words: readonly string[];
}

/** Whether a cell is the pot of the poker: no card claims it. */
export function isPot(cell: Cell): boolean {
  return typeof cell === "object" && Array.isArray(cell.claimed_by) && cell.claimed_by.length === 0;
}

/** The name of a cell, as events have it. In words it is `cellName` of `words.ts`. */
export function nameOf(cell: Cell): string {
  if (typeof cell === "string") return cell;
  return "card" in cell ? cell.card : cell.name;
}

/** The names of the cells, in layout order. */
export function cellNames(rules: Pick<Rules, "cells">): string[] {
  return rules.cells.map(nameOf);
}
