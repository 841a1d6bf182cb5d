/** A session at a table, as the page plays it: the interface that pages draw and call. */

import type { Analysis, Choice, Setup, Start, Table } from "../engine/client";
import type { DealEvent, TraceLine } from "./events";
import type { Kind } from "./choices";
import type { Branch } from "./explore";
import type { Guide } from "./guide.svelte";
import type { Pace, Wait } from "./pace";
import type { Rules } from "./rules";
import type { Waiting } from "./stage.svelte";
import type { StrategyFile } from "./strategy";
import type { Turn } from "./turn";
import type { TableView } from "./view";

export type { Turn } from "./turn";
export { GameSession } from "./play.svelte";

/** What a decision cost, for the coach. An error is a cost whose interval excludes 0. */
export interface Verdict {
  deal: number;
  /** How many events of the deal came before it. */
  at: number;
  kind: Kind;
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
  readonly rules: Rules;
  /** The rules in words, a sentence or a few about each thing. */
  readonly words: readonly string[];
  /** What is drawn now. */
  readonly view: TableView;
  /** The engine's table. It is ahead of the drawn view. */
  readonly table: Table;
  readonly turn: Turn | null;
  /** The event that has just been shown, for sounds, live region and animation. */
  readonly event: DealEvent | null;
  /** A card, or chips of the layout, that wait for the person. */
  readonly waiting: Waiting | null;
  /** What was done last in the place of the person, who took too long. */
  readonly late: Waiting["event"] | null;
  /** Others are thinking, or events are being shown. */
  readonly busy: boolean;
  /** What went wrong, in words for a person. */
  readonly problem: string | null;
  readonly canUndo: boolean;
  /** Whether there is a decision to ask about; nobody is helped with a daily deal. */
  readonly canAsk: boolean;
  /** The lessons of a guided deal. */
  readonly guide: Guide | null;
  /** Values of the choices of this turn, refined as they come; null before they are asked for. */
  readonly analysis: Analysis | null;
  /** What the champion or the adviser would do in this turn; null before it is asked for. */
  readonly advice: Choice | null;
  /** Reasons for the advice that the person can see, each a clause of a sentence. */
  readonly why: readonly string[];
  /** The rule of thumb that advises the same; `null` if there is none, `undefined` while it is looked for. */
  readonly cited: string | null | undefined;
  /** What the coach says of the last decision; of all decisions of the session. */
  readonly verdict: Verdict | null;
  readonly verdicts: readonly Verdict[];
  /** Deals in which the person looked at all hands: they do not count. */
  readonly looked: readonly number[];
  /** How many decisions of the session are judged, of how many, while they are looked through. */
  readonly reviewed: { done: number; of: number } | null;
  /** Finished deals of this session, all hands open. */
  readonly records: readonly TraceLine[];

  decide(choice: Choice): Promise<void>;
  /** Shows nothing more for now and plays no card for the person, or goes on. */
  hold(on: boolean): void;
  /** Plays the card that waits for the person, or takes the chips that do. */
  play(): void;
  /** Shows at once what comes before the person's next card or decision. */
  skip(): void;
  /** Takes the last decision back. A deal that was over, with all hands turned up, does not count from now on. */
  undo(): Promise<void>;
  nextDeal(): Promise<void>;
  askAdvice(): Promise<void>;
  askValues(): Promise<void>;
  /** How the deal would have ended with this choice in this turn and the champion in all seats; for the replay. */
  whatIf(choice: Choice): Promise<Branch | null>;
  /** The person is to see all hands of this deal, which does not count from now on. */
  look(): void;
  /** Judges the decisions of the person in finished deals that the coach has not judged. */
  review(): Promise<void>;
  /** A link to this deal: same rules, same cards, same chips. */
  link(): string;
  leave(): void;
}

/** What of the settings a session looks at, each time anew. */
export interface Manner {
  readonly pace: Pace;
  /** How long the person's own cards wait for them. */
  readonly cards: Wait;
  readonly coach: boolean;
  /** The strategy whose choice a hint shows, in the place of the champion's. */
  readonly adviser?: StrategyFile | null;
}

/** A decision that was taken in this deal. */
export interface Move {
  choice: Choice;
  /** Whether the person chose it. Forced decisions and those of other seats are not. */
  mine: boolean;
}

/** What a session is resumed from: how its deal began, and what was decided since. */
export interface Progress {
  start: Start;
  /** How many deals the session has. */
  of: number;
  moves: Move[];
  /** Whether its last deal has been closed. */
  over: boolean;
  verdicts: Verdict[];
  /** Deals in which the person looked at all hands. */
  looked?: number[];
  /** How many of the events had not been shown, the card that waits among them. */
  left?: number;
}

/** A deal that is over and cannot be taken back, or the last one of a session, which others may have played. */
export interface Closed {
  /** Whether the person played it, was not bust, and did not look at all hands. */
  played: boolean;
  chips: number;
  verdicts: readonly Verdict[];
  /** Whether the session ended with it, and was won; a session with a deal that does not count is none. */
  ended: boolean;
  won: boolean;
}

/** Who keeps a session while it is played. */
export interface Keeper {
  /** After every step. */
  progress(progress: Progress): void;
  record(line: TraceLine): void;
  closed(deal: Closed): void;
}
