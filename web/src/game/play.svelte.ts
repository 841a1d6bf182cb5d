/** A session in progress: decisions of the person and of the other seats, and the progress to keep. */

import { opponent } from "../engine/client";
import type { Analysis, Choice, Client, Setup, Start, Strategy, Table } from "../engine/client";
import { cited } from "./clauses";
import { linkOf } from "./code";
import type { DealEvent, TraceLine } from "./events";
import { Explorer, choiceOf } from "./explore";
import type { Branch } from "./explore";
import { Guide } from "./guide.svelte";
import type { Rules } from "./rules";
import type { Keeper, Manner, Move, Progress, Session, Verdict } from "./session.svelte";
import { Stage } from "./stage.svelte";
import type { Pacing, Waiting } from "./stage.svelte";
import { Study, verdictOf } from "./study.svelte";
import { title } from "./titles";
import { indexIn } from "./trace";
import { onlyChoice, turnOf } from "./turn";
import type { Turn } from "./turn";
import { hidden } from "./unseen";
import type { TableView } from "./view";

/** Sampled deals for the verdict on a decision of a deal that is over. */
const REVIEW = 512;

/** The manner in which each event is drawn: a lesson may come with any of them. */
function eachOf(manner: Manner): Pacing {
  return {
    each: true,
    get pace() {
      return manner.pace;
    },
    get cards() {
      return manner.cards;
    },
  };
}

export class GameSession implements Session {
  readonly setup: Setup;
  readonly explorer: Explorer;
  readonly guide: Guide | null;
  readonly #engine: Client;
  readonly #manner: Manner;
  readonly #keeper: Keeper | null;
  readonly #name: string;
  readonly #stage: Stage;
  #rules!: Rules;
  words: readonly string[] = [];
  /** The code of this deal. */
  #code = "";

  table = $state.raw() as Table;
  turn = $state.raw<Turn | null>(null);
  problem = $state<string | null>(null);
  verdict = $state.raw<Verdict | null>(null);
  verdicts = $state.raw<Verdict[]>([]);
  records = $state.raw<TraceLine[]>([]);
  looked = $state.raw<number[]>([]);
  reviewed = $state.raw<{ done: number; of: number } | null>(null);
  #working = $state(false);
  #moves = $state.raw<Move[]>([]);
  #study = $state.raw<Study | null>(null);

  /** How many events of the deal have been taken over. */
  #heard = 0;
  /** Verdicts that are being found. */
  #judging = new Set<Promise<void>>();
  #left = false;

  private constructor(engine: Client, setup: Setup, manner: Manner, keeper: Keeper | null) {
    this.setup = setup;
    this.explorer = new Explorer(engine, setup);
    this.guide = setup.guided ? new Guide() : null;
    this.#engine = engine;
    this.#manner = manner;
    this.#keeper = keeper;
    this.#name = `table ${engine.name()}`;
    this.#stage = new Stage(setup.guided ? eachOf(manner) : manner, () => this.#keep());
  }

  /** Opens a table and plays up to the first decision of the person. */
  static async start(
    engine: Client,
    setup: Setup,
    manner: Manner,
    keeper: Keeper | null = null,
  ): Promise<GameSession> {
    const session = new GameSession(engine, setup, manner, keeper);
    await session.#open(setup.from);
    await session.#begin();
    await session.#advance();
    void session.#show();
    return session;
  }

  /** Goes on with a session where it was left, without showing again what was seen. */
  static async resume(
    engine: Client,
    setup: Setup,
    { start, moves, over, verdicts, looked = [], left = 0 }: Progress,
    records: TraceLine[],
    manner: Manner,
    keeper: Keeper | null = null,
  ): Promise<GameSession> {
    const session = new GameSession(engine, setup, manner, keeper);
    await session.#open(start);
    await session.#begin();
    session.verdicts = verdicts;
    session.looked = looked;
    session.records = records.filter((line) => line.session?.deal !== start.deal);
    for (const { choice, mine } of moves) await session.#answer(choice, mine);
    await session.#advance();
    if (over) await session.#next();
    session.#stage.skipAll(left);
    const shown = session.#show();
    // What had not been shown goes on as it would have: a card of the person waits again.
    if (left === 0) await shown;
    return session;
  }

  get view(): TableView {
    return this.#stage.view;
  }

  get event(): DealEvent | null {
    return this.#stage.event;
  }

  get waiting(): Waiting | null {
    return this.#stage.waiting;
  }

  get late(): Waiting["event"] | null {
    return this.#stage.late;
  }

  get busy(): boolean {
    return this.#working || this.#stage.showing;
  }

  get canUndo(): boolean {
    return !this.#working && !this.table.session_over && this.setup.daily === undefined && this.#moves.some(({ mine }) => mine);
  }

  get canAsk(): boolean {
    return this.turn !== null && this.setup.daily === undefined;
  }

  get analysis(): Analysis | null {
    return this.#study?.analysis ?? null;
  }

  get advice(): Choice | null {
    return this.#study?.advice?.choice ?? null;
  }

  get why(): readonly string[] {
    return this.#study?.advice?.why ?? [];
  }

  get cited(): string | null | undefined {
    return this.#study?.cited;
  }

  async #open(from: Setup["from"]): Promise<void> {
    const { from: _, ...setup } = this.setup;
    this.table = await this.#engine.open(this.#name, from ? { ...setup, from } : setup);
    const { rules, words } = await this.#engine.judge(setup.house);
    if (rules === null) throw new Error("the rules of the table are not those of the house");
    this.#rules = rules;
    this.words = words;
  }

  /** The rules with all options. */
  get rules(): Rules {
    return this.#rules;
  }

  /** Whether the person plays this deal, and is not bust. */
  get #plays(): boolean {
    return this.table.before.seats_in[this.setup.seat] ?? false;
  }

  /** How this deal began. */
  get #start(): Start {
    const { before, deal, dealer, bought } = this.table;
    return { deal, dealer, ...before, bought };
  }

  /** A deal begins. */
  async #begin(): Promise<void> {
    this.#moves = [];
    this.verdict = null;
    this.#reset();
    const { house, players, seed } = this.setup;
    // A code names a seat that plays.
    const seat = this.#plays ? this.setup.seat : this.table.before.seats_in.indexOf(true);
    const first = this.table.deal === 1;
    this.#code = await this.#engine.code({ house, players, seed, seat, ...(first ? {} : { from: this.#start }) });
  }

  /** Nothing of the deal has been shown. */
  #reset(): void {
    const { before, deal, dealer, of } = this.table;
    const { players, house, seat } = this.setup;
    const { stacks, layout, kitty, seats_in: seatsIn } = before;
    this.#heard = 0;
    this.#stage.reset({
      rules: this.#rules,
      title: title(house),
      players,
      dealer,
      stacks,
      layout,
      kitty,
      seatsIn,
      deal,
      of,
      me: seat,
    });
  }

  /** Plays the other seats and forced decisions, up to the person's decision or the end of the deal. */
  async #advance(chosen = false): Promise<void> {
    while (!this.table.deal_over) {
      const only = onlyChoice(this.table);
      if (this.table.seat === this.setup.seat && only === null) break;
      await this.#answer(only ?? (await this.#engine.ask(this.#name, opponent(this.setup))), false);
    }
    await this.#hear(chosen);
    if (this.table.deal_over) await this.#record();
    this.#keep();
  }

  async #answer(choice: Choice, mine: boolean): Promise<void> {
    this.table = await this.#engine.table({ type: "answer", table: this.#name, do: choice });
    this.#moves = [...this.#moves, { choice, mine }];
  }

  /** Takes over what the person is told, which begins with the lead that they have chosen; somebody who is out sees what all see. */
  async #hear(chosen = false): Promise<void> {
    const seat = this.#plays ? this.setup.seat : this.table.before.seats_in.indexOf(true);
    const events = await this.#engine.told(this.#name, seat, this.#heard);
    this.#heard += events.length;
    this.#stage.add(this.#plays ? events : events.map(hidden), chosen ? events[0] : undefined);
  }

  /** The deal is over: it is one of the records, in place of what it was before an undo. */
  async #record(): Promise<void> {
    const line = await this.#engine.record(this.#name);
    this.records = [...this.#finished(), line];
    this.#keeper?.record(line);
  }

  /** The deals before this one. */
  #finished(): TraceLine[] {
    return this.records.filter((line) => line.session?.deal !== this.table.deal);
  }

  #keep(): void {
    const { of, session_over: over } = this.table;
    const [moves, verdicts, looked, left] = [this.#moves, this.verdicts, this.looked, this.#stage.left];
    const more = { ...(looked.length > 0 ? { looked } : {}), ...(left > 0 ? { left } : {}) };
    this.#keeper?.progress({ start: this.#start, of, moves, over, verdicts, ...more });
  }

  /** Shows what waits; then it is the person's turn. */
  async #show(): Promise<void> {
    const whole = await this.#stage.show();
    if (!whole || this.#working || this.#left) return;
    if (this.table.deal_over || this.table.seat !== this.setup.seat) return;
    const adviser = $state.snapshot(this.#manner.adviser);
    const { hand = [] } = this.table;
    const ask = (strategy: Strategy) => this.#engine.ask(this.#name, { strategy });
    const cite = (choice: Choice) => cited(ask, this.#rules, this.setup.house.base, hand, choice);
    this.#study = new Study(this.#engine, this.#name, cite, adviser ? { strategy: adviser.content } : undefined);
    this.turn = turnOf(this.table);
    // Comparing all choices of five cards takes longer than a hint may, so it waits until the person asks.
    if (this.#manner.coach && !this.turn.setApart) this.#study.begin().catch(() => undefined);
  }

  /** The turn is over, or taken back; its study, if somebody still wants its values. */
  #endTurn(): Study | null {
    const study = this.#study;
    study?.close();
    this.turn = null;
    this.#study = null;
    return study;
  }

  /** Does something at the table alone, and shows what came of it. What goes wrong is told. */
  async #do(work: () => Promise<void>): Promise<void> {
    if (this.#working || this.#left) return;
    this.#working = true;
    this.problem = null;
    try {
      await work();
    } catch (error) {
      this.#tell(error);
    } finally {
      this.#working = false;
    }
    if (!this.#left) await this.#show();
  }

  #tell(error: unknown): void {
    if (!this.#left) this.problem = error instanceof Error ? error.message : String(error);
  }

  async decide(choice: Choice): Promise<void> {
    if (this.turn === null) return;
    await this.#do(async () => {
      const at = this.#heard;
      await this.#answer(choice, true);
      this.verdict = null;
      const study = this.#endTurn();
      if (this.#manner.coach && study?.begun) this.#judge(study, this.#moves, at);
      else study?.end();
      await this.#advance(choice.e === "lead");
    });
  }

  /** The coach's verdict on the last of these moves comes when it is found, unless it was taken back. */
  #judge(study: Study, moves: Move[], at: number): void {
    const move = moves.at(-1);
    const { deal } = this.table;
    if (!move) return;
    const judging = study
      .judge(move.choice)
      .then((found) => {
        if (found === null || !this.#moves.includes(move) || this.#left) return;
        const verdict = { deal, at, ...found };
        this.verdicts = [...this.verdicts, verdict];
        if (this.#moves.findLast(({ mine }) => mine) === move) this.verdict = verdict;
        this.#keep();
      })
      .catch((error: unknown) => this.#tell(error))
      .finally(() => this.#judging.delete(judging));
    this.#judging.add(judging);
  }

  hold(on: boolean): void {
    this.#stage.hold(on);
  }

  play(): void {
    this.#stage.play();
  }

  skip(): void {
    if (this.#stage.showing) this.#stage.skip();
  }

  async undo(): Promise<void> {
    if (!this.canUndo) return;
    await this.#do(async () => {
      // At its end all hands of a deal are turned up.
      if (this.view.over) this.#see(this.table.deal);
      this.#endTurn()?.end();
      const moves = [...this.#moves];
      let mine = false;
      while (!mine) {
        this.table = await this.#engine.table({ type: "undo", table: this.#name });
        mine = moves.pop()?.mine ?? true;
      }
      this.#moves = moves;
      this.#reset();
      await this.#hear();
      this.records = this.#finished();
      this.verdict = null;
      const { deal } = this.table;
      this.verdicts = this.verdicts.filter((it) => it.deal !== deal || it.at < this.#heard);
      this.#keep();
      this.#stage.skipAll();
    });
  }

  async nextDeal(): Promise<void> {
    if (!this.table.deal_over || this.table.session_over) return;
    await this.#do(async () => {
      await Promise.all(this.#judging);
      const { deal } = this.table;
      const before = this.table.before.stacks[this.setup.seat] ?? 0;
      const verdicts = this.verdicts.filter((it) => it.deal === deal);
      const last = this.table;
      await this.#next();
      const over = this.table.session_over;
      const chips = ((over ? this.table : last).stacks[this.setup.seat] ?? 0) - before;
      const counts = !this.looked.includes(deal);
      const ended = over && this.looked.length === 0;
      const played = counts && (last.before.seats_in[this.setup.seat] ?? false);
      if (counts && (played || ended)) this.#keeper?.closed({ played, chips, verdicts, ended, won: ended && this.#won() });
      if (over) return;
      await this.#begin();
      await this.#advance();
    });
  }

  /** Begins the next deal, or ends the session: the chips on the table are then given away. */
  async #next(): Promise<void> {
    this.table = await this.#engine.table({ type: "next", table: this.#name });
    if (!this.table.session_over) return;
    await this.#record();
    const left = this.records.at(-1)?.events.filter(({ e }) => e === "leftover") ?? [];
    this.#stage.add(left);
    this.#keep();
  }

  #won(): boolean {
    return this.table.winners?.includes(this.setup.seat) ?? false;
  }

  async askAdvice(): Promise<void> {
    const study = this.#study;
    if (!this.canAsk || !study) return;
    try {
      await study.ask();
      // Nobody waits for the rule of thumb.
      study.cite().catch((error: unknown) => this.#tell(error));
    } catch (error) {
      this.#tell(error);
    }
  }

  async askValues(): Promise<void> {
    if (this.canAsk) await this.#study?.show().catch((error: unknown) => this.#tell(error));
  }

  async whatIf(choice: Choice): Promise<Branch | null> {
    if (!this.canAsk) return null;
    const moves = this.#moves.map((move) => move.choice);
    try {
      const halfway = { start: this.#start, moves, told: this.#heard };
      return await this.explorer.branchAfter(halfway, choice);
    } catch (error) {
      this.#tell(error);
      return null;
    }
  }

  look(): void {
    const { deal, deal_over: over } = this.table;
    if (over) return;
    this.#see(deal);
    this.#keep();
  }

  /** All hands of a deal are seen: it does not count. */
  #see(deal: number): void {
    if (!this.looked.includes(deal)) this.looked = [...this.looked, deal];
  }

  async review(): Promise<void> {
    if (this.reviewed) return;
    const decisions = this.records.flatMap((line) => {
      const deal = line.session?.deal ?? 1;
      const untold = indexIn(line, 0);
      const judged = new Set(this.verdicts.filter((it) => it.deal === deal).map(({ at }) => at + untold));
      return line.events.flatMap((event, index) => {
        // Comparing all choices of five cards takes too long.
        const own = "seat" in event && event.seat === this.setup.seat && event.e !== "set_apart";
        return own && choiceOf(event) !== null && !judged.has(index) ? [{ line, deal, index, at: index - untold }] : [];
      });
    });
    try {
      for (const [done, { line, deal, index, at }] of decisions.entries()) {
        if (this.#left) return;
        this.reviewed = { done, of: decisions.length };
        const crossing = await this.explorer.crossing(line, index);
        const found = crossing && verdictOf(await this.explorer.values(line, index, REVIEW), crossing.made);
        if (found) this.verdicts = [...this.verdicts, { deal, at, ...found }];
      }
      this.reviewed = { done: decisions.length, of: decisions.length };
      this.#keep();
    } catch (error) {
      this.reviewed = null;
      this.#tell(error);
    }
  }

  link(): string {
    return linkOf(this.#code);
  }

  leave(): void {
    this.#left = true;
    this.#stage.stop();
    this.#endTurn()?.end();
    void this.#engine.send({ type: "over", table: this.#name }).catch(() => undefined);
  }
}
