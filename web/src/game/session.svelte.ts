/** A session at a table, as the page plays it: the interface that pages draw and call, and what does it. */

import { EngineError, player } from "../engine/client";
import type { Analysing, Analysis, Choice, Client, Setup, Start, Table } from "../engine/client";
import type { DealEvent, TraceLine } from "./events";
import { pause } from "./pace";
import type { Pace } from "./pace";
import { resolve } from "./rules";
import type { Rules } from "./rules";
import { apply, begin } from "./view";
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

/** What of the settings a session looks at, each time anew. */
export interface Manner {
  readonly pace: Pace;
  readonly coach: boolean;
}

/** A decision that was taken in this deal. */
export interface Move {
  choice: Choice;
  /** Whether the person chose it: what is forced, and what others do, is not. */
  mine: boolean;
}

/** Sampled deals of an analysis. */
const WORLDS = 2048;

const KINDS: Record<Choice["e"], Verdict["kind"]> = {
  ante: "ante",
  lead: "lead",
  keep: "dead hand",
  exchange: "dead hand",
  auction: "dead hand",
  bid: "auction",
  pass: "auction",
  set_apart: "set apart",
  check: "poker",
  bet: "poker",
  call: "poker",
  raise: "poker",
  fold: "poker",
};

/** The only decision that may be taken, if there is one. */
function forced(table: Table, rules: Rules): Choice | null {
  if (table.ante !== undefined) {
    return rules.cells.length === 1 ? { e: "ante", layout: [table.ante] } : null;
  }
  if (table.set_apart !== undefined) {
    const { hand = [] } = table;
    return hand.length === table.set_apart ? { e: "set_apart", cards: hand } : null;
  }
  return table.legal?.length === 1 ? (table.legal[0] ?? null) : null;
}

export class GameSession implements Session {
  readonly setup: Setup;
  readonly #engine: Client;
  readonly #manner: Manner;
  readonly #rules: Rules;
  readonly #name: string;

  table = $state.raw() as Table;
  view = $state.raw() as TableView;
  turn = $state.raw<Turn | null>(null);
  event = $state.raw<DealEvent | null>(null);
  problem = $state<string | null>(null);
  analysis = $state.raw<Analysis | null>(null);
  advice = $state.raw<Choice | null>(null);
  verdict = $state.raw<Verdict | null>(null);
  verdicts = $state.raw<Verdict[]>([]);
  records = $state.raw<TraceLine[]>([]);
  #working = $state(false);
  #showing = $state(false);
  #moves = $state.raw<Move[]>([]);

  /** How the deal began. */
  #start!: Start;
  /** Events that are not shown yet. */
  #queue: DealEvent[] = [];
  #heard = 0;
  #wake: (() => void) | null = null;
  #hurry = false;
  /** What is shown belongs to this time; an undo begins another one. */
  #time = 0;
  #study: Analysing | null = null;
  #left = false;

  private constructor(engine: Client, setup: Setup, manner: Manner) {
    this.#engine = engine;
    this.setup = setup;
    this.#manner = manner;
    this.#rules = resolve(setup.house);
    this.#name = `table ${engine.name()}`;
  }

  /** Opens a table and plays up to the first decision of the person. */
  static async start(engine: Client, setup: Setup, manner: Manner): Promise<GameSession> {
    const session = new GameSession(engine, setup, manner);
    await session.#open();
    return session;
  }

  get busy(): boolean {
    return this.#working || this.#showing;
  }

  get canUndo(): boolean {
    return !this.#working && !this.table.session_over && this.#moves.some(({ mine }) => mine);
  }

  async #open(): Promise<void> {
    const { house, players, seed, from } = this.setup;
    const { name: _, ...rules } = house;
    const request = { type: "open", table: this.#name, rules, players, seed, ...from } as const;
    this.table = await this.#engine.table(request);
    this.#begin();
    await this.#advance();
    void this.#show();
  }

  /** A deal begins, as it is drawn before its first event. */
  #begin(): void {
    this.#start = startOf(this.table, this.#rules);
    this.#moves = [];
    this.#reset();
  }

  /** Nothing of the deal has been shown. */
  #reset(): void {
    const { deal, dealer, stacks, layout, kitty, seats_in } = this.#start;
    const { players, house, seat } = this.setup;
    this.#time += 1;
    this.#wake?.();
    this.#queue = [];
    this.#heard = 0;
    this.event = null;
    this.view = begin({
      rules: this.#rules,
      title: house.name ?? house.base,
      players,
      dealer,
      stacks,
      layout,
      kitty,
      seatsIn: seats_in ?? stacks.map(() => true),
      deal,
      of: this.table.of,
      me: seat,
    });
  }

  /** Plays for the others, and what is forced, up to the person's decision or the end of the deal. */
  async #advance(): Promise<void> {
    while (!this.table.deal_over) {
      const mine = this.table.seat === this.setup.seat;
      const only = forced(this.table, this.#rules);
      if (mine && only === null) break;
      const choice = only ?? (await this.#engine.ask(this.#name, player(this.setup.level)));
      await this.#answer(choice, false);
    }
    await this.#hear();
  }

  async #answer(choice: Choice, mine: boolean): Promise<void> {
    this.table = await this.#engine.table({ type: "answer", table: this.#name, do: choice });
    this.#moves = [...this.#moves, { choice, mine }];
  }

  /** Takes over what the person's seat has been told. */
  async #hear(): Promise<void> {
    const events = await this.#engine.told(this.#name, this.setup.seat, this.#heard);
    this.#heard += events.length;
    this.#queue.push(...events);
  }

  /** Shows what waits, one event after the other; then it is the person's turn. */
  async #show(): Promise<void> {
    const time = this.#time;
    this.#showing = true;
    for (;;) {
      const event = this.#queue.shift();
      if (event === undefined) break;
      this.view = apply(this.view, event);
      this.event = event;
      const wait = this.#hurry ? 0 : pause(event, this.#manner.pace);
      if (wait > 0) await this.#sleep(wait);
      if (time !== this.#time) return;
    }
    this.#showing = false;
    this.#hurry = false;
    this.#ask();
  }

  /** Waits, until the time is over or somebody is in a hurry. */
  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
    });
  }

  #ask(): void {
    const { seat, legal = [], ante, set_apart: setApart } = this.table;
    if (this.table.deal_over || seat !== this.setup.seat || this.#working) return;
    this.turn = {
      seat,
      legal,
      ...(ante === undefined ? {} : { ante }),
      ...(setApart === undefined ? {} : { setApart }),
    };
    if (this.#manner.coach) this.#judge();
  }

  /** The turn is over, or taken back. */
  #endTurn(): void {
    this.turn = null;
    this.advice = null;
    this.analysis = null;
    this.#study = null;
  }

  /** Does something with the table alone; a failure is told, and nothing else is done meanwhile. */
  async #do(work: () => Promise<void>): Promise<void> {
    if (this.#working || this.#left) return;
    this.#working = true;
    this.problem = null;
    try {
      await work();
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.#working = false;
    }
    if (!this.#left) await this.#show();
  }

  async decide(choice: Choice): Promise<void> {
    if (this.turn === null) return;
    await this.#do(async () => {
      await this.#answer(choice, true);
      this.#endTurn();
      await this.#advance();
    });
  }

  skip(): void {
    this.#hurry = this.#showing;
    this.#wake?.();
  }

  async undo(): Promise<void> {
    if (!this.canUndo) return;
    await this.#do(async () => {
      this.#endTurn();
      const moves = [...this.#moves];
      for (let undone = false; !undone; undone = moves.pop()?.mine ?? true) {
        this.table = await this.#engine.table({ type: "undo", table: this.#name });
      }
      this.#moves = moves;
      this.#reset();
      await this.#hear();
      this.#hurry = true;
    });
  }

  async nextDeal(): Promise<void> {
    if (!this.table.deal_over || this.table.session_over) return;
    await this.#do(async () => {
      this.table = await this.#engine.table({ type: "next", table: this.#name });
      if (this.table.session_over) return;
      this.#begin();
      await this.#advance();
    });
  }

  async askAdvice(): Promise<void> {
    if (this.turn === null) return;
    const { turn } = this;
    const advice = await this.#engine.ask(this.#name, "net:player");
    if (this.turn === turn) this.advice = advice;
  }

  async askValues(): Promise<void> {
    await this.#judge();
  }

  async #judge(): Promise<void> {
    const { turn } = this;
    if (turn === null || this.#study !== null) return;
    const take = (analysis: Analysis): void => {
      if (this.turn === turn) this.analysis = analysis;
    };
    this.#study = this.#engine.analyse(this.#name, WORLDS, take);
    take(await this.#study.done);
  }

  link(): string {
    return "";
  }

  leave(): void {
    this.#left = true;
    this.#time += 1;
    this.#wake?.();
    void this.#engine.send({ type: "over", table: this.#name }).catch(() => undefined);
  }
}

/** How the deal of a table began. */
function startOf(table: Table, rules: Rules): Start {
  const { deal, dealer, bought } = table;
  const before = table["before" as keyof Table] as unknown as Omit<Start, "deal" | "dealer">;
  if (before) return { deal, dealer, ...before };
  const { bankroll } = rules.session;
  const stack = bankroll === "credit" ? 0 : bankroll.chips.start;
  return {
    deal,
    dealer,
    stacks: table.stacks.map(() => stack),
    layout: table.layout.map(() => 0),
    kitty: 0,
    bought,
  };
}

export { EngineError, KINDS };
