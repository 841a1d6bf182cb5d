/** Messages: those of `engine/PROTOCOL.md` and `engine/TABLES.md`. */

/** A card, rank then suit, as `"TC"`. */
export type Card = string;

/** A whole decision. */
export type Choice =
  | { e: "ante"; layout: number[] }
  | { e: "set_apart"; cards: Card[] }
  | { e: "lead"; card: Card }
  | { e: "keep" | "exchange" | "auction" | "bid" | "pass" | "check" | "bet" | "call" | "raise" | "fold" };

/** Something that happened, as a seat is told of it. */
export interface Event {
  e: string;
  [key: string]: unknown;
}

/** A named game, and whatever differs from it. */
export interface Rules {
  base: string;
  [key: string]: unknown;
}

/** How long an answer may take. */
export type Budget = { worlds: number } | { ms: number };

/** An option of rules, for an editor. */
export interface Option {
  key: string;
  group: string;
  label: string;
  section: string;
  help?: string;
  when?: string;
  default?: unknown;
  short_for?: string;
  kind: { kind: string; [key: string]: unknown };
}

/** A deal that somebody else can play. */
export interface SharedDeal {
  rules: Rules;
  players: number;
  seed: string;
  seat?: number;
  deal?: number;
  dealer?: number;
  stacks?: number[];
  layout?: number[];
  kitty?: number;
  seats_in?: boolean[];
  bought?: number[];
}

/** A deal that is over: a line of a trace. */
export interface TraceRecord {
  schema: string;
  rules: string;
  overrides: Record<string, unknown>;
  players: number;
  dealer: number;
  session?: { deal: number; of: number; bankroll: unknown };
  seats_in?: boolean[];
  stacks_before: number[];
  layout_before: number[];
  kitty_before: number;
  pack: Card[];
  events: Event[];
  payoffs: number[];
  stacks_after: number[];
  layout_after: number[];
  kitty_after: number;
}

/** What a strategy says: the keys of docs/STRATEGIES.md. */
export type Strategy = Record<string, unknown>;

/** A player by name, or by what a strategy says. */
export type Player = string | { strategy: Strategy };

export type Request =
  | { type: "hello"; versions: number[]; name?: string; id?: string }
  | {
      type: "open";
      table: string;
      rules: Rules;
      players: number;
      seed: string;
      deal?: number;
      dealer?: number;
      stacks?: number[];
      layout?: number[];
      kitty?: number;
      seats_in?: boolean[];
      /** What each seat bought in the session so far, and just before this deal. */
      bought?: number[];
      rebuys?: number[];
      id?: string;
    }
  | ({ type: "code"; id?: string } & ({ code: string } | SharedDeal))
  | { type: "check"; record: unknown; id?: string }
  | { type: "options"; id?: string }
  | { type: "state" | "undo" | "next" | "record"; table: string; id?: string }
  | { type: "rules"; rules: Rules; players?: number; id?: string }
  | { type: "strategy"; strategy: Strategy; id?: string }
  | { type: "told"; table: string; seat: number; at: number; id?: string }
  | { type: "answer"; table: string; do: Choice; id?: string }
  | {
      type: "deal";
      table: string;
      seat: number;
      player: Player;
      rules: Rules;
      players: number;
      dealer: number;
      stacks?: number[];
      layout?: number[];
      kitty?: number;
      seats_in?: boolean[];
      session?: { deal: number; of: number; bankroll: unknown };
      seed?: string;
      id?: string;
    }
  | { type: "event"; table: string; at: number; events: Event[]; id?: string }
  | { type: "ask"; id: string; table: string; player?: Player; at?: number; budget?: Budget; why?: boolean }
  | {
      type: "analyse";
      id: string;
      table: string;
      at?: number;
      budget?: Budget;
      every_ms?: number;
      /** How deals are played out: "stopper", or a player with a network. */
      playout?: string;
    }
  | { type: "stop"; id: string }
  | { type: "over"; table: string; id?: string }
  | { type: "quit"; id?: string };

/** What is wrong with a key of rules or of a strategy; `expected` may be empty. */
export interface Fault {
  key: string;
  problem: string;
  expected: string;
}

/** A decision of an analysis, in chips. */
export interface Judged {
  do: Choice;
  chips: number;
  ci95: number;
  behind: number;
  behind_ci95: number;
  [key: string]: unknown;
}

export interface Table {
  type: "table";
  id?: string;
  table: string;
  deal: number;
  of: number;
  deal_over: boolean;
  session_over: boolean;
  /** The seats that won; left out while the session goes on. */
  winners?: number[];
  dealer: number;
  stacks: number[];
  bought: number[];
  layout: number[];
  kitty: number;
  told: number[];
  /** How the table stood before the deal, after any rebuys. */
  before: { stacks: number[]; layout: number[]; kitty: number; seats_in: boolean[]; rebuys: number[] };
  /** The seat that is to act, its cards and its decisions; nobody if the deal is over. */
  seat?: number;
  hand?: Card[];
  legal?: Choice[];
  ante?: number;
  set_apart?: number;
}

/** The answer to `ask`. */
export interface Answer {
  type: "answer";
  id: string;
  do: Choice;
  spent_ms: number;
  /** Reasons that the seat can see, if they were asked for. */
  why?: string[];
}

/** What the decisions of a table are worth. */
export interface Analysis {
  type: "analysis";
  id: string;
  final: boolean;
  worlds: number;
  choices: number;
  all: boolean;
  actions: Judged[];
}

/** Why a message was refused. */
export interface Refusal {
  type: "error";
  id?: string;
  code: string;
  field?: string;
  message: string;
  at?: number;
}

export type Reply =
  | { type: "hello"; id?: string; version: number; name: string; players: string[] }
  | Answer
  | Analysis
  | Table
  | { type: "event"; id?: string; table: string; at: number; events: Event[] }
  | ({ type: "record"; id?: string; table: string } & TraceRecord)
  | {
      type: "rules";
      id?: string;
      faults: Fault[];
      /** All options, and those that differ from the base; left out if there is a fault. */
      resolved?: Record<string, unknown>;
      overrides?: Record<string, unknown>;
      /** The rules for people, a sentence or a few about each thing. */
      words?: string[];
    }
  | { type: "strategy"; id?: string; faults: Fault[]; name?: string; about?: string }
  | { type: "options"; id?: string; games: string[]; options: Option[] }
  | { type: "code"; id?: string; code: string; deal: SharedDeal }
  | { type: "check"; id?: string; decisions: number; resolved: Record<string, unknown> }
  | { type: "did"; table: string; seat: number; do: Choice }
  | Refusal;

/** The type of the one reply that each request has at once. The others have none, or take time. */
export interface Replies {
  hello: "hello";
  open: "table";
  state: "table";
  answer: "table";
  undo: "table";
  next: "table";
  record: "record";
  told: "event";
  rules: "rules";
  strategy: "strategy";
  options: "options";
  code: "code";
  check: "check";
}

/** The reply to a request of this type. */
export type ReplyTo<T extends keyof Replies> = Extract<Reply, { type: Replies[T] }>;

/** The fields of a request of this type; its `id` may be left out. */
export type Fields<T extends Request["type"]> = Omit<Extract<Request, { type: T }>, "type" | "id"> & { id?: string };
