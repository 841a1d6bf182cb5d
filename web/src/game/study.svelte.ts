/** Hints and the coach: what the choices of a turn are worth. */

import type { Analysing, Analysis, Choice, Client, Player } from "../engine/client";
import { CHAMPION } from "../engine/client";
import { KINDS } from "./choices";
import type { Verdict } from "./session.svelte";
import { sameChoice } from "./turn";

/** Sampled deals of an analysis. */
const WORLDS = 2048;

/** What a choice cost by an analysis; `null` if it is not among those that were compared, of very many. */
export function verdictOf({ actions }: Pick<Analysis, "actions">, made: Choice): Omit<Verdict, "deal" | "at"> | null {
  const best = actions[0]?.do;
  const judged = actions.find((action) => sameChoice(action.do, made));
  if (!best || !judged) return null;
  const { behind: cost, behind_ci95: ci95 } = judged;
  return { kind: KINDS[made.e], made, best, cost, ci95, error: cost > ci95 };
}

/** Finds the rule of thumb that makes a choice; `null` if there is none. */
export type Cite = (choice: Choice) => Promise<string | null>;

/** The study of one turn. */
export class Study {
  readonly #engine: Client;
  readonly #table: string;
  readonly #adviser: Player;
  readonly #cite: Cite;
  #running: Analysing | null = null;
  #found = $state.raw<Analysis | null>(null);
  #shown = $state(false);
  #closed = false;
  /** What the adviser would do, and reasons that the person can see. */
  advice = $state.raw<{ choice: Choice; why: readonly string[] } | null>(null);
  /** The rule of thumb that advises the same; `undefined` while it is looked for. */
  cited = $state.raw<string | null | undefined>(undefined);

  constructor(engine: Client, table: string, cite: Cite, adviser: Player = CHAMPION) {
    this.#engine = engine;
    this.#table = table;
    this.#adviser = adviser;
    this.#cite = cite;
  }

  /** Values of the choices, once they have been asked for. */
  get analysis(): Analysis | null {
    return this.#shown ? this.#found : null;
  }

  /** Whether the choices have been compared, or are being compared now. */
  get begun(): boolean {
    return this.#running !== null;
  }

  /** Asks the adviser. */
  async ask(): Promise<void> {
    this.advice ??= await this.#inTime(this.#engine.advise(this.#table, this.#adviser));
  }

  /** Looks for the rule of thumb behind the advice. */
  async cite(): Promise<void> {
    if (this.advice === null || this.cited !== undefined) return;
    const found = await this.#inTime(this.#cite(this.advice.choice));
    if (!this.#closed) this.cited = found;
  }

  /** What comes of work while the turn lasts. The table is elsewhere afterwards: `null` for answers and errors alike. */
  async #inTime<T>(work: Promise<T>): Promise<T | null> {
    try {
      const found = await work;
      return this.#closed ? null : found;
    } catch (error) {
      if (this.#closed) return null;
      throw error;
    }
  }

  /** The turn is over: what the adviser was asked comes too late. */
  close(): void {
    this.#closed = true;
  }

  /** Shows the values as they come. */
  async show(): Promise<void> {
    this.#shown = true;
    await this.begin();
  }

  /** Analyses the turn, shown or not; to be called before it is over. */
  async begin(): Promise<void> {
    this.#running ??= this.#engine.analyse(this.#table, WORLDS, (found) => (this.#found = found));
    this.#found = await this.#running.done;
  }

  /** The values are not needed any more. */
  end(): void {
    this.#running?.stop();
  }

  /** What a choice cost; `null` if it is not among those that were compared, of very many. */
  async judge(made: Choice): Promise<Omit<Verdict, "deal" | "at"> | null> {
    await this.begin();
    return this.#found && verdictOf(this.#found, made);
  }
}
