/** The engine in its worker: requests in, promises out. */

export type { Card, Choice, Fault, Judged, Player, Reply, Request, Strategy, Table } from "newmarket-engine";

import type { Choice, Fault, Judged, Player, Reply, Request, SharedDeal, Strategy, Table } from "newmarket-engine";

import type { Shared } from "../game/code";
import type { DealEvent, TraceLine } from "../game/events";
import type { House, Rules } from "../game/rules";
import type { StrategyFile } from "../game/strategy";
import type { Answered, Sent } from "./host";

/** How strong the others play. */
export const LEVELS = ["easy", "medium", "hard", "champion"] as const;
export type Level = (typeof LEVELS)[number];

/** The strongest player: the network, its leads corrected by playouts in 200 sampled deals, about a millisecond each. */
export const CHAMPION = "net:player+pimc:200";

/** The player of a level, as the engine calls it. */
export function player(level: Level): string {
  return level === "champion" ? CHAMPION : `net:${level}`;
}

/** The player of the other seats. */
export function opponent({ level, opponent }: Pick<Setup, "level" | "opponent">): Player {
  return opponent ? { strategy: opponent.content } : player(level);
}

/** How a deal of a session begins, after any rebuy. */
export interface Start {
  deal: number;
  dealer: number;
  stacks: number[];
  layout: number[];
  kitty: number;
  seats_in?: boolean[];
  /** What each seat bought in the session so far, and just before this deal. */
  bought?: number[];
  rebuys?: number[];
}

/** A session that somebody wants to play. */
export interface Setup {
  house: House;
  players: number;
  level: Level;
  /** The strategy by which the others play, in the place of the level. */
  opponent?: StrategyFile;
  /** The seat of the person. */
  seat: number;
  /** A number of 64 bits as text. */
  seed: string;
  /** The first deal explains each rule when it first happens. */
  guided?: boolean;
  /** The day whose daily deal this is: no decision of it is taken back. */
  daily?: string;
  /** A deal in the middle of a session, as a link gives it. Missing numbers are 0; without `seats_in` all seats play. */
  from?: Pick<Start, "deal" | "dealer"> & Partial<Start>;
}

/** Values of the choices of a decision. */
export interface Analysis {
  final: boolean;
  worlds: number;
  choices: number;
  all: boolean;
  actions: Judged[];
}

export type { Choice as Decision };

/** The engine refused a request, or could not be loaded. */
export class EngineError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly field?: string,
  ) {
    super(message);
    this.name = "EngineError";
  }
}

/** Whether the engine refused what was asked, and would again. */
export function isRefusal(error: unknown): error is EngineError {
  return error instanceof Error && error.name === "EngineError" && (error as EngineError).code !== "engine";
}

function unexpected(reply: Reply): never {
  throw new EngineError("engine", `the engine answered with ${reply.type}`);
}

/** A request to a table, answered by the state of the table. */
type TableRequest =
  | Extract<Request, { type: "open" | "answer" }>
  | { type: "state" | "undo" | "next"; table: string };

/** An analysis in progress. */
export interface Analysing {
  /** The final analysis: all worlds of the budget, or those before `stop`. */
  done: Promise<Analysis>;
  stop(): void;
}

/** Where a client's requests go: a worker, or a host in the same thread. */
export interface Port {
  post(sent: Sent): void;
  /** Calls with every answer; `fail` if there will be none any more. */
  listen(each: (answered: Answered) => void, fail: (message: string) => void): void;
}

/** The engine as the page calls it. */
export class Client {
  readonly #port: Port;
  readonly #waiting = new Map<
    number,
    { each: ((reply: Reply) => void) | undefined; end: (reply: Reply) => void }
  >();
  #sent = 0;
  /** Why there will be no answers any more. */
  #dead: string | null = null;

  constructor(port: Port) {
    this.#port = port;
    port.listen(
      ({ n, reply, last }) => {
        const waits = this.#waiting.get(n);
        if (!waits) return;
        if (last) this.#waiting.delete(n);
        (last ? waits.end : waits.each)?.(reply);
      },
      (message) => {
        this.#dead = message;
        const waiting = [...this.#waiting.values()];
        this.#waiting.clear();
        for (const { end } of waiting) end({ type: "error", code: "engine", message });
      },
    );
  }

  /** A number that no other request of this client has, as a name. */
  name(): string {
    return `${++this.#sent}`;
  }

  /** Sends a request and returns its last reply. `each` is called with the replies before. */
  async send(request: Request, each?: (reply: Reply) => void): Promise<Reply> {
    if (this.#dead !== null) throw new EngineError("engine", this.#dead);
    const n = ++this.#sent;
    const reply = await new Promise<Reply>((end) => {
      this.#waiting.set(n, { each, end });
      this.#port.post({ n, request });
    });
    if (reply.type === "error") throw new EngineError(reply.code, reply.message, reply.field);
    return reply;
  }

  /** Sends a request to a table; the state of the table after it. */
  async table(request: TableRequest): Promise<Table> {
    const reply = await this.send(request);
    return reply.type === "table" ? reply : unexpected(reply);
  }

  /** Opens a table for a session, at its first deal or at the one that it says. */
  async open(table: string, { house, players, seed, from }: Omit<Setup, "level" | "seat">): Promise<Table> {
    const { name: _, ...rules } = house;
    return this.table({ type: "open", table, rules: { ...rules, base: house.base }, players, seed, ...from });
  }

  /** The deal that is over at a table: a line of a trace. */
  async record(table: string): Promise<TraceLine> {
    const reply = await this.send({ type: "record", table });
    if (reply.type !== "record") return unexpected(reply);
    const { type: _, table: _table, id: _id, ...line } = reply;
    return line as unknown as TraceLine;
  }

  /** The rules of a house with all options and in words, or their faults. */
  async judge({ name: _, ...rules }: House): Promise<{ faults: Fault[]; rules: Rules | null; words: string[] }> {
    const reply = await this.send({ type: "rules", rules: rules as House });
    if (reply.type !== "rules") return unexpected(reply);
    return { faults: reply.faults, rules: (reply.resolved as unknown as Rules | undefined) ?? null, words: reply.words ?? [] };
  }

  /** The faults of a strategy, and what it is called. */
  async strategy(strategy: Strategy): Promise<{ faults: Fault[]; name?: string | undefined }> {
    const reply = await this.send({ type: "strategy", strategy });
    return reply.type === "strategy" ? reply : unexpected(reply);
  }

  /** The code of a deal. */
  async code({ house, players, seed, seat, from }: Shared): Promise<string> {
    const { rebuys: _, ...start }: Partial<Start> = from ?? {};
    const reply = await this.send({ type: "code", rules: house, players, seed, seat, ...start });
    return reply.type === "code" ? reply.code : unexpected(reply);
  }

  /** The deal of a code, or of a link that ends with one. */
  async shared(code: string): Promise<Shared> {
    const reply = await this.send({ type: "code", code });
    if (reply.type !== "code") return unexpected(reply);
    const { rules: house, players, seed, seat = 0, deal, dealer = 0, ...start }: SharedDeal = reply.deal;
    const shared = { house: house as House, players, seed, seat };
    return deal === undefined ? shared : { ...shared, from: { deal, dealer, ...start } };
  }

  /** Plays the deal of a trace's line again and returns its rules. A fault is thrown as an `EngineError`. */
  async check(line: unknown): Promise<Rules> {
    const reply = await this.send({ type: "check", record: line });
    return reply.type === "check" ? (reply.resolved as unknown as Rules) : unexpected(reply);
  }

  /** The decision of a player for the seat to act. */
  async ask(table: string, player: Player): Promise<Choice> {
    const reply = await this.send({ type: "ask", id: this.name(), table, player });
    return reply.type === "answer" ? reply.do : unexpected(reply);
  }

  /** The decision of a player for the seat to act, with reasons that the seat can see. */
  async advise(table: string, player: Player): Promise<{ choice: Choice; why: string[] }> {
    const reply = await this.send({ type: "ask", id: this.name(), table, player, why: true });
    return reply.type === "answer" ? { choice: reply.do, why: reply.why ?? [] } : unexpected(reply);
  }

  /** The events that a seat was told, from its event `at` on. */
  async told(table: string, seat: number, at: number): Promise<DealEvent[]> {
    const reply = await this.send({ type: "told", table, seat, at });
    return reply.type === "event" ? (reply.events as unknown as DealEvent[]) : unexpected(reply);
  }

  /** Values of the choices of the decision that is due; `each` is called as they are refined. */
  analyse(table: string, worlds: number, each?: (analysis: Analysis) => void): Analysing {
    const id = this.name();
    const request = { type: "analyse", id, table, budget: { worlds }, every_ms: 150 } as const;
    const done = this.send(request, (reply) => {
      if (reply.type === "analysis") each?.(reply);
    });
    return {
      done: done.then((reply) => (reply.type === "analysis" ? reply : unexpected(reply))),
      stop: () => void this.send({ type: "stop", id }).catch(() => undefined),
    };
  }
}

/** The engine in a worker of its own. It loads while the page is drawn. */
export function start(): Client {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  return new Client({
    post: (sent) => worker.postMessage(sent),
    listen: (each, fail) => {
      worker.onmessage = ({ data }: MessageEvent<Answered>) => each(data);
      worker.onerror = (event) => fail(event.message || "the engine could not be started");
    },
  });
}
