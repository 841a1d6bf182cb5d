/** The table as it is drawn: made of events alone, one after the other. */

import type { Card, DealEvent, HandName, Why } from "./events";
import type { Rules } from "./rules";

/** How a deal begins. Lists are by seat, or by cell in layout order. */
export interface Opening {
  rules: Rules;
  /** What the game is called. */
  title: string;
  players: number;
  dealer: number;
  /** After any rebuy. */
  stacks: number[];
  layout: number[];
  kitty: number;
  seatsIn: boolean[];
  /** The number of the deal in its session, from 1, and how many there are. */
  deal: number;
  of: number;
  /** The seat whose eyes these are; `null` if all hands are open. */
  me: number | null;
}

export interface SeatView {
  in: boolean;
  stack: number;
  /** Chips gained or lost in this deal so far. */
  gain: number;
  /** Cards in hand that are known, sorted by suit and rank; `null` if they are hidden. */
  hand: Card[] | null;
  size: number;
  /** What it staked on each cell; `null` before its ante. */
  ante: number[] | null;
  /** Five cards set apart for poker that are seen; an empty list if they are hidden. */
  apart: Card[] | null;
  bid: number | null;
  passed: boolean;
  /** Chips put into the pot in the betting, and whether it has folded. */
  bet: number;
  folded: boolean;
  /** Its last act, for a bubble beside the seat: the event. */
  said: DealEvent | null;
  /** Cards that it held when the deal ended. */
  left: number | null;
}

export interface Played {
  card: Card;
  seat: number;
}

export interface TableView extends Opening {
  seats: SeatView[];
  /** What has happened of the deal so far, and how many events that are. */
  log: DealEvent[];
  deadHand: { size: number; cards: Card[] | null; taker: number | null };
  /** All cards played, in order. */
  played: Played[];
  /** The cards of the running sequence, or of the last one. */
  sequence: Played[];
  stopped: { card: Card; seat: number; why: Why } | null;
  /** Who leads next or is leading, if known. */
  leader: number | null;
  auction: { high: number; bidder: number | null } | null;
  poker: { hands: Record<string, HandName>; shown: Record<string, Card[]>; winners: number[] } | null;
  /** The cell that has just been claimed or collected, for a moment of light. */
  claimed: { cell: number; seat: number; chips: number } | null;
  settled: { winner: number; kitty: number; cards: number[]; paid: number[] } | null;
  over: boolean;
}

// `begin` and `apply` follow here: begin(opening) → TableView; apply(view, event) → a new TableView.
