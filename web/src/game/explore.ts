/** "What if": a deal played again up to a decision, then another choice, then the champion in all seats. */

import type { Analysing, Analysis, Choice, Client, Setup, Start, Table } from "../engine/client";
import { CHAMPION } from "../engine/client";
import type { DealEvent, TraceLine } from "./events";
import { isForced, turnOf } from "./turn";
import type { Turn } from "./turn";
import { indexIn, rebuysOf } from "./trace";

/** Another course of a deal. */
export interface Branch {
  line: TraceLine;
  /** How many events of it came before the choice. */
  at: number;
}

/** A deal that is not over. */
export interface Halfway {
  start: Start;
  moves: Choice[];
  /** How many events a seat has been told. */
  told: number;
}

/** A decision in a deal that is over. */
export interface Crossing {
  turn: Turn;
  made: Choice;
}

/** How the deal of a line began, after any rebuy. */
export function startOfLine(line: TraceLine): Start {
  const rebuys = rebuysOf(line);
  return {
    deal: line.session?.deal ?? 1,
    dealer: line.dealer,
    stacks: line.stacks_before.map((stack, seat) => stack + (rebuys[seat] ?? 0)),
    layout: line.layout_before,
    kitty: line.kitty_before,
    bought: rebuys,
    rebuys,
    ...(line.seats_in ? { seats_in: line.seats_in } : {}),
  };
}

/** The decision that an event may be; whether it was one, the table says. */
export function choiceOf(event: DealEvent): Choice | null {
  switch (event.e) {
    case "ante":
      return { e: "ante", layout: event.layout };
    case "lead":
      return { e: "lead", card: event.card };
    case "set_apart":
      return { e: "set_apart", cards: event.cards };
    case "keep":
    case "exchange":
    case "auction":
    case "bid":
    case "pass":
    case "check":
    case "bet":
    case "call":
    case "raise":
    case "fold":
      return { e: event.e };
    default:
      return null;
  }
}

/** Whether an event is the decision that is due at a table. */
function isDue(table: Table, event: DealEvent, choice: Choice): boolean {
  if (table.deal_over || !("seat" in event) || event.seat !== table.seat) return false;
  if (choice.e === "ante") return table.ante !== undefined;
  if (choice.e === "set_apart") return table.set_apart !== undefined;
  return table.legal?.some(({ e }) => e === choice.e) ?? false;
}

/** Deals of a session whose cards the engine can deal again. */
export class Explorer {
  readonly #engine: Client;
  readonly #setup: Setup;

  constructor(engine: Client, setup: Setup) {
    this.#engine = engine;
    this.#setup = setup;
  }

  /** The decision that is the event `at` of a deal; `null` if that is none, or if it was forced. */
  async crossing(line: TraceLine, at: number): Promise<Crossing | null> {
    const made = line.events[at] && choiceOf(line.events[at]);
    if (!made) return null;
    return this.#aside(startOfLine(line), async (name, table) => {
      const then = await this.#follow(name, table, line.events.slice(0, at));
      const event = line.events[at];
      if (!event || !isDue(then, event, made) || isForced(then)) return null;
      return { turn: turnOf(then), made };
    });
  }

  /** Values of the choices at the event `at` of a deal; an abort returns the values found so far. */
  async values(line: TraceLine, at: number, worlds: number, signal?: AbortSignal): Promise<Analysis> {
    return this.#aside(startOfLine(line), async (name, table) => {
      await this.#follow(name, table, line.events.slice(0, at));
      const study: Analysing = this.#engine.analyse(name, worlds);
      signal?.addEventListener("abort", () => study.stop());
      if (signal?.aborted) study.stop();
      return study.done;
    });
  }

  /** Another choice at the event `at` of a deal. */
  async branch(line: TraceLine, at: number, choice: Choice): Promise<Branch> {
    const played = await this.#aside(startOfLine(line), async (name, table) => {
      await this.#follow(name, table, line.events.slice(0, at));
      return this.#finish(name, choice);
    });
    return { line: played, at };
  }

  /** Another choice after these decisions of a deal that is not over. */
  async branchAfter({ start, moves, told }: Halfway, choice: Choice): Promise<Branch> {
    const line = await this.#aside(start, async (name) => {
      for (const move of moves) await this.#engine.table({ type: "answer", table: name, do: move });
      return this.#finish(name, choice);
    });
    return { line, at: indexIn(line, told) };
  }

  /** Does something at a table of its own, which is closed afterwards. */
  async #aside<T>(start: Start, work: (name: string, table: Table) => Promise<T>): Promise<T> {
    const name = `aside ${this.#engine.name()}`;
    const table = await this.#engine.open(name, { ...this.#setup, from: start });
    try {
      return await work(name, table);
    } finally {
      await this.#engine.send({ type: "over", table: name });
    }
  }

  /** Takes the decisions that these events tell of. */
  async #follow(name: string, table: Table, events: DealEvent[]): Promise<Table> {
    let now = table;
    for (const event of events) {
      const choice = choiceOf(event);
      if (choice === null || !isDue(now, event, choice)) continue;
      now = await this.#engine.table({ type: "answer", table: name, do: choice });
    }
    return now;
  }

  async #finish(name: string, choice: Choice): Promise<TraceLine> {
    let table = await this.#engine.table({ type: "answer", table: name, do: choice });
    while (!table.deal_over) {
      const next = await this.#engine.ask(name, CHAMPION);
      table = await this.#engine.table({ type: "answer", table: name, do: next });
    }
    return this.#engine.record(name);
  }
}
