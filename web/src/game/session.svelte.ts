/** A session at a table, as the page plays it: the interface that pages draw and call. */

import type { Analysis, Choice, Setup, Table } from "../engine/client";
import type { DealEvent, TraceLine } from "./events";
import type { TableView } from "./view";

/** What the person may do now. */
export interface Turn {
  seat: number;
  /** Single decisions, each of which may be taken; empty for an ante to split or five cards to set apart. */
  legal: Choice[];
  /** Chips of a free ante to split over the cells. */
  ante?: number;
  /** How many cards to set apart. */
  setApart?: number;
}

/** What a decision cost, for the coach. An error is a cost whose interval excludes 0. */
export interface Verdict {
  deal: number;
  /** How many events of the deal came before it. */
  at: number;
  kind: "lead" | "ante" | "dead hand" | "auction" | "poker" | "set apart";
  made: Choice;
  best: Choice;
  cost: number;
  ci95: number;
  error: boolean;
}

/**
 * One session in progress. Its fields are reactive ($state). Events are shown one by one at the pace that
 * the settings say; `turn` is set when all of them have been shown and the person is to decide.
 */
export interface Session {
  readonly setup: Setup;
  /** What is drawn now. */
  readonly view: TableView;
  /** The table as the engine has it, ahead of what is drawn. */
  readonly table: Table;
  readonly turn: Turn | null;
  /** The event that has just been shown, for sounds, live region and animation. */
  readonly event: DealEvent | null;
  /** Others are thinking, or events are being shown. */
  readonly busy: boolean;
  /** What went wrong, in words for a person. */
  readonly problem: string | null;
  readonly canUndo: boolean;
  /** Values of the choices of this turn, refined as they come; null before they are asked for. */
  readonly analysis: Analysis | null;
  /** What the champion would do in this turn; null before it is asked for. */
  readonly advice: Choice | null;
  /** What the coach says of the last decision; of all decisions of the session. */
  readonly verdict: Verdict | null;
  readonly verdicts: readonly Verdict[];
  /** Finished deals of this session, all hands open. */
  readonly records: readonly TraceLine[];

  decide(choice: Choice): Promise<void>;
  /** Shows all events that wait at once. */
  skip(): void;
  undo(): Promise<void>;
  nextDeal(): Promise<void>;
  askAdvice(): Promise<void>;
  askValues(): Promise<void>;
  /** A link to this deal: same rules, same cards, same chips. */
  link(): string;
  leave(): void;
}
