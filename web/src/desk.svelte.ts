/** What the page has open: the engine, a session, deals to look at again. */

import { isRefusal } from "./engine/client";
import type { Client, Setup } from "./engine/client";
import type { TraceLine } from "./game/events";
import type { Branch, Explorer } from "./game/explore";
import type { House, Rules } from "./game/rules";
import { GameSession } from "./game/session.svelte";
import type { Keeper, Manner, Progress } from "./game/session.svelte";
import { dailyText } from "./game/daily";
import type { StrategyFile } from "./game/strategy";
import { title } from "./game/titles";
import { parseFile } from "./game/trace-file";
import { router } from "./router.svelte";
import { NAME_LENGTH } from "./store/houses.svelte";
import { keepDaily } from "./store/daily.svelte";
import { deals, forgetSession, keep, keepDeal, newId, sessions, tidy } from "./store/saved";
import type { Saved } from "./store/saved";
import { statistics } from "./store/statistics.svelte";
import { letGo, own, take, taken } from "./store/tab";

/** Deals to look at step by step. */
export interface Show {
  lines: readonly TraceLine[];
  rulesOf: (line: TraceLine) => Rules;
  /** The deal and the event with which to begin. */
  deal: number;
  at: number;
  /** Plays other choices; not for deals from a file, whose cards cannot be dealt again. */
  explorer: Explorer | null;
  /** Whose deals they are, if they are the person's. */
  seat: number | null;
  /** What was shown before, and is shown again after it. */
  before: Show | null;
}

/** A session that was left before it was over. */
export interface Unfinished {
  id: string;
  setup: Setup;
  /** The number of its deal, from 1, and how many there are. */
  deal: number;
  of: number;
}

/** How the person plays, and against whom. */
type Table = Manner & { readonly level: Setup["level"]; readonly opponent?: StrategyFile | null };

const DAMAGED = "A session that was kept in this browser could not be read; it has been left out.";
const FULL = "This browser has no room to keep the session: it is lost when the page is closed.";

/** A number of 64 bits as text. */
export function newSeed(): string {
  const [seed = 0n] = crypto.getRandomValues(new BigUint64Array(1));
  return `${seed}`;
}

/** Milliseconds after which somebody is told to wait. */
const PATIENCE = 250;

const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export class Desk {
  readonly engine: Client;
  readonly #manner: Table;
  session = $state.raw<GameSession | null>(null);
  show = $state.raw<Show | null>(null);
  /** Something is being opened, and takes its time. */
  opening = $state(false);
  /** Why something could not be opened or kept, in words. */
  problem = $state<string | null>(null);
  /** Sessions that were kept have been looked for. */
  #looked: Promise<void>;
  #busy = false;
  /** The name of the session that is open. */
  #id = $state("");
  /** Sessions that were kept and are open in no other tab: this tab's first, then the latest. */
  #kept = $state.raw<Saved[]>([]);

  constructor(engine: Client, manner: Table) {
    this.engine = engine;
    this.#manner = manner;
    this.#looked = this.#look();
  }

  /** Sessions that can be gone on with. */
  get unfinished(): Unfinished[] {
    const kept = this.#kept
      .filter(({ id, over }) => !over && id !== this.#id)
      .map(({ id, setup, start, of }) => ({ id, setup, deal: start.deal, of }));
    if (!this.session || this.session.table.session_over) return kept;
    const { setup, table } = this.session;
    return [{ id: this.#id, setup, deal: table.deal, of: table.of }, ...kept];
  }

  /** Looks for sessions that were kept: this tab's, and those that wait for somebody to go on with them. */
  async #look(): Promise<void> {
    const { found, damaged } = sessions();
    if (damaged) this.problem = DAMAGED;
    const mine = own();
    const elsewhere = await taken().catch(() => new Set<string>());
    const waiting = found.filter(({ id, over }) => id !== mine && !over && !elsewhere.has(id));
    this.#kept = [...found.filter(({ id }) => id === mine), ...waiting];
  }

  /** Begins a session; a daily deal that was begun in this browser is gone on with. */
  async begin(setup: Setup): Promise<void> {
    const begun = setup.daily && sessions().found.find((saved) => saved.setup.daily === setup.daily);
    if (begun) return this.session && begun.id === this.#id ? this.#enter() : this.#goOn(begun);
    const id = newId();
    await this.#open(id, async (keeper) => GameSession.start(this.engine, setup, this.#manner, keeper), setup);
    tidy();
  }

  /** Goes on with a session; without a name with the one that is open here, or was, or with the latest. */
  async resume(name?: string): Promise<void> {
    if (this.session && (name ?? this.#id) === this.#id) return this.#enter();
    // Another tab may have gone on with it in the meantime.
    if (name !== undefined) this.#looked = this.#look();
    await this.#looked;
    const saved = this.#kept.find(({ id }) => id === (name ?? id));
    return saved === undefined ? router.go("lobby", true) : this.#goOn(saved);
  }

  #goOn(saved: Saved): Promise<void> {
    const { id, setup } = saved;
    const records = deals(id);
    return this.#open(
      id,
      (keeper) => GameSession.resume(this.engine, setup, saved, records, this.#manner, keeper),
      setup,
    );
  }

  /** Opens the deal of a link or a code, or the deals of a trace file. */
  async open(what: string | File): Promise<void> {
    this.problem = null;
    try {
      if (typeof what === "string") await this.#openCode(what);
      else await this.#openTrace(what);
    } catch (error) {
      this.problem = typeof what === "string" ? words(error) : `${what.name}: ${words(error)}`;
      router.go("lobby", true);
    }
  }

  /** Shows the finished deals of this session again, from one of them on, or from one of its events. */
  replay(deal: number, at = 0): void {
    const { session } = this;
    if (session === null) return;
    const { records: lines, rules, explorer, setup } = session;
    this.show = { lines, rulesOf: () => rules, deal, at, explorer, seat: setup.seat, before: null };
    router.go("replay");
  }

  /** Shows another course of a deal: of the one that is played, or of one that is shown. */
  branch({ line, at }: Branch): void {
    const { session } = this;
    const shown = location.hash === "#/replay" ? this.show : null;
    const rulesOf = shown?.rulesOf ?? (session && (() => session.rules));
    if (rulesOf === null) return;
    const explorer = session?.explorer ?? null;
    const seat = session?.setup.seat ?? null;
    const deal = shown?.lines.findIndex((other) => other.session?.deal === line.session?.deal) ?? 0;
    const before = shown && { ...shown, deal, at };
    this.show = { lines: [line], rulesOf, deal: 0, at, explorer, seat, before };
    router.go("replay");
  }

  /** Begins a session of a game or of house rules with new cards, among so many if they may be so many. */
  async deal(house: House, { players: [least, most] }: Rules, wished = 4): Promise<void> {
    const players = Math.min(Math.max(wished, least), most);
    await this.begin({ house, players, ...this.#others(), seat: 0, seed: newSeed() });
  }

  /** By what the others play, as the person has chosen. */
  #others(): Pick<Setup, "level" | "opponent"> {
    const { level, opponent } = this.#manner;
    return { level, ...(opponent ? { opponent: $state.snapshot(opponent) as StrategyFile } : {}) };
  }

  /** Another session like the one that is open, with other cards, and without lessons. */
  async again(): Promise<void> {
    if (this.session === null) return;
    const { from: _, guided: __, ...setup } = this.session.setup;
    await this.begin({ ...setup, seed: newSeed() });
  }

  /** Goes back to where another course was begun, or to the page before. */
  close(): void {
    if (this.show?.before) this.show = this.show.before;
    else history.back();
  }

  /** The person goes to the lobby: a session that is not over waits there. */
  leave(): void {
    if (this.session?.table.session_over) {
      this.session.leave();
      this.session = null;
      forgetSession(this.#id);
      letGo();
      this.#looked = this.#look();
    }
    router.go("lobby");
  }

  async #open(id: string, make: (keeper: Keeper) => Promise<GameSession>, setup: Setup): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    // Most tables are there before anybody can read that they are being laid.
    const timer = setTimeout(() => (this.opening = true), PATIENCE);
    this.problem = null;
    try {
      if (!(await take(id))) throw new Error("This session is open in another tab of this browser.");
      const session = await make(this.#keeper(id, setup));
      this.session?.leave();
      // What is over has been seen: it takes no room from sessions that are not.
      if (this.session?.table.session_over && id !== this.#id) forgetSession(this.#id);
      this.session = session;
      this.#id = id;
      this.#looked = this.#look();
      this.#enter();
    } catch (error) {
      letGo();
      this.problem = words(error);
      // What the table refuses of a session that was kept can never be gone on with.
      if (this.#kept.some((saved) => saved.id === id) && isRefusal(error)) {
        forgetSession(id);
        await this.#look();
        this.problem = DAMAGED;
      }
      router.go("lobby", true);
    } finally {
      clearTimeout(timer);
      this.opening = false;
      this.#busy = false;
    }
  }

  #enter(): void {
    router.go("play", location.hash.startsWith("#/deal/"));
  }

  /** Keeps a session under its name. */
  #keeper(id: string, setup: Setup): Keeper {
    return {
      progress: (progress: Progress) => {
        const kept = keep({ ...progress, version: 1, id, at: Date.now(), setup });
        if (!kept) this.problem = FULL;
      },
      record: (line) => {
        keepDeal(id, line);
        const { daily: day, seat } = setup;
        if (day !== undefined) keepDaily(day, dailyText(day, line, seat));
      },
      // What somebody reached against a file says nothing of a level.
      closed: (deal) => {
        if (!setup.opponent) statistics.add(title(setup.house), setup.level, deal);
      },
    };
  }

  async #openCode(code: string): Promise<void> {
    const shared = await this.engine.shared(code);
    const { name = "" } = shared.house;
    if (name.length > NAME_LENGTH) throw new Error(`the name of the rules: expected at most ${NAME_LENGTH} characters`);
    await this.begin({ ...shared, ...this.#others() });
  }

  async #openTrace(file: File): Promise<void> {
    const { lines, rulesOf } = await parseFile(file, (line) => this.engine.check(line));
    this.show = { lines, rulesOf, deal: 0, at: 0, explorer: null, seat: null, before: null };
    router.go("replay");
  }
}
