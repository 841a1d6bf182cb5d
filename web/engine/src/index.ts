/** Players of Newmarket and its family, in WebAssembly. One engine is one thread's. */

import type { Analysis, Answer, Choice, Fields, Replies, Reply, ReplyTo, Request, Table } from "./messages.js";

export type * from "./messages.js";

/** Numbers of a row: what a seat sees. */
export const INPUTS = 896;
/** Actions; some of them are legal in a decision. */
export const ACTIONS = 74;

/** The version of the interface that this file was written for. */
const ABI = 1;
const MORE = 1;
const BY_PLAYER = -1;
const REFUSED = -3;
const FAILED = -5;

/** What the module exports: `bindings/c/newmarket.h`, and its memory. */
interface Exports {
  memory: WebAssembly.Memory;
  nm_abi(): number;
  nm_alloc(len: number): number;
  nm_dealloc(memory: number, len: number): void;
  nm_new(player: number, len: number, problem: number, room: number): number;
  nm_free(engine: number): void;
  nm_send(engine: number, line: number, len: number): number;
  nm_work(engine: number): number;
  nm_next(engine: number, len: number): number;
  nm_forward(
    engine: number,
    rows: number,
    legal: number,
    n: number,
    logits: number,
    policy: number,
    value: number,
    action: number,
  ): number;
  nm_observe(engine: number, table: number, len: number, row: number, legal: number): number;
  nm_act(engine: number, table: number, len: number, action: number): number;
}

/** A call that the engine refused, and the `error` line that says why. */
export class RefusedError extends Error {
  constructor(readonly reply: Reply | undefined) {
    super(reply?.type === "error" ? reply.message : "the engine refused a call");
    this.name = "RefusedError";
  }
}

/** The module has had a fault. Its engine takes no more calls: create another. */
export class FailedError extends Error {
  constructor(cause?: unknown) {
    const why = cause === undefined ? "" : ` (${cause instanceof Error ? cause.message : String(cause)})`;
    super(`the engine has failed and takes no more calls: create another${why}`, { cause });
    this.name = "FailedError";
  }
}

/** What a seat sees and may do. */
export interface Observation {
  seat: number;
  /** `INPUTS` numbers. */
  row: Float32Array;
  /** `ACTIONS` numbers of 0 or 1. */
  legal: Uint8Array;
}

/** The network's answers, row by row. */
export interface Forward {
  /** `ACTIONS` numbers a row, `-Infinity` where an action is not legal. */
  logits: Float32Array;
  policy: Float32Array;
  value: Float32Array;
  action: Int32Array;
}

/** Whether the machine runs the faster file, `newmarket-simd.wasm`. */
export function hasSimd(): boolean {
  // A module of one function: i32.const 0, i8x16.splat, drop.
  const module = [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11,
  ];
  return WebAssembly.validate(new Uint8Array(module));
}

/** The bytes of a buffer or of a view of one. */
function bytesOf(data: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  throw new TypeError("expected the bytes of a player's file");
}

/** A reply, unless it is a refusal. */
function accepted<T extends Reply>(reply: Reply | undefined): T {
  if (reply === undefined || reply.type === "error") throw new RefusedError(reply);
  return reply as T;
}

export class Engine {
  readonly #exports: Exports;
  #engine = 0;
  /** How many questions have got an id here. */
  #asked = 0;
  /** Why the engine takes no more calls. */
  #failed: FailedError | undefined;
  /** The end of what was asked for by `complete` last. */
  #before: Promise<unknown> = Promise.resolve();

  private constructor(exports: Exports) {
    const guarded = Object.entries(exports).map(([name, item]) => [name, typeof item === "function" ? this.#guarded(item) : item]);
    this.#exports = Object.fromEntries(guarded) as Exports;
  }

  /**
   * A function of the module that is called no more once any of them has failed: a trap, or a stack that overflows, may
   * leave its memory half written.
   */
  #guarded(call: (...given: unknown[]) => unknown): typeof call {
    return (...given) => {
      if (this.#failed !== undefined) throw this.#failed;
      try {
        return call(...given);
      } catch (cause) {
        throw this.#fail(cause);
      }
    };
  }

  #fail(cause?: unknown): FailedError {
    this.#failed = new FailedError(cause);
    return this.#failed;
  }

  /** An engine of this module (or its bytes), with the player of a file's bytes. */
  static async create(wasm: WebAssembly.Module | BufferSource, player: ArrayBuffer | ArrayBufferView): Promise<Engine> {
    const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
    const imports = { newmarket: { now: () => performance.now() } };
    const instance = await WebAssembly.instantiate(module, imports);
    const engine = new Engine(instance.exports as unknown as Exports);
    if (engine.#exports.nm_abi() !== ABI) {
      throw new Error("the module is of another version than this file");
    }
    engine.#open(bytesOf(player));
    return engine;
  }

  #open(player: Uint8Array): void {
    const room = 400;
    const bytes = this.#put(player);
    const problem = this.#alloc(room);
    this.#engine = this.#exports.nm_new(bytes, player.length, problem, room);
    const said = this.#bytes(problem, room);
    const reason = new TextDecoder().decode(said.subarray(0, said.indexOf(0)));
    this.#exports.nm_dealloc(problem, room);
    this.#exports.nm_dealloc(bytes, player.length);
    if (this.#engine === 0) throw new Error(`the player cannot be used: ${reason}`);
  }

  /** Frees the engine: it must not be used any more. */
  free(): void {
    if (this.#failed === undefined) this.#exports.nm_free(this.#engine);
    this.#engine = 0;
  }

  /** Sends a message and returns the immediate replies; `work` does the rest. */
  send(request: Request | string): Reply[] {
    this.#alive();
    const line = typeof request === "string" ? request : JSON.stringify(request);
    const status = this.#text(line, (at, len) => this.#exports.nm_send(this.#alive(), at, len));
    this.#check(status);
    return this.#replies();
  }

  /** Sends a message that has one reply at once, and returns it. Throws a `RefusedError` if the message is refused. */
  request<T extends keyof Replies>(message: Request & { type: T }): ReplyTo<T> {
    return accepted<ReplyTo<T>>(this.send(message).at(-1));
  }

  /** Begins a session at a table. */
  open(deal: Fields<"open">): Table {
    return this.request({ type: "open", ...deal });
  }

  /** How a table stands. */
  state(table: string): Table {
    return this.request({ type: "state", table });
  }

  /** Takes a decision for the seat that is to act at a table. */
  answer(table: string, choice: Choice): Table {
    return this.request({ type: "answer", table, do: choice });
  }

  /** Takes back the last decision at a table. */
  undo(table: string): Table {
    return this.request({ type: "undo", table });
  }

  /** Begins the next deal of a session, or ends the session. */
  next(table: string): Table {
    return this.request({ type: "next", table });
  }

  /** What a player would do at a table. */
  async ask(question: Fields<"ask">): Promise<Answer> {
    return accepted(await this.complete({ type: "ask", id: this.#id(), ...question }));
  }

  /** What the decisions at a table are worth; `each` is called with what is known meanwhile. */
  async analyse(question: Fields<"analyse">, each?: (known: Analysis) => void): Promise<Analysis> {
    const hear = (reply: Reply): void => {
      if (reply.type === "analysis") each?.(reply);
    };
    return accepted(await this.complete({ type: "analyse", id: this.#id(), ...question }, hear));
  }

  /** An id for a question that brings none. */
  #id(): string {
    this.#asked += 1;
    return `engine-${this.#asked}`;
  }

  /** Does some milliseconds of what takes time; whether there is more to do, and what was said. */
  work(): { more: boolean; replies: Reply[] } {
    const status = this.#exports.nm_work(this.#alive());
    this.#check(status);
    return { more: status === MORE, replies: this.#replies() };
  }

  /**
   * Sends a message and does all work, with breaks in which others can run; returns the last reply.
   * `each` is called with every reply as it comes. Of several calls one begins when the one before has ended, so
   * that each has its own replies.
   */
  complete(request: Request, each?: (reply: Reply) => void): Promise<Reply | undefined> {
    const done = this.#before.then(() => this.#complete(request, each));
    this.#before = done.catch(() => undefined);
    return done;
  }

  async #complete(request: Request, each?: (reply: Reply) => void): Promise<Reply | undefined> {
    let replies = this.send(request);
    let more = true;
    let last: Reply | undefined;
    for (;;) {
      for (const reply of replies) {
        last = reply;
        each?.(reply);
      }
      if (!more) return last;
      ({ more, replies } = this.work());
      if (more) await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }

  /**
   * What the seat to act at a table sees and may do. The table is one that was opened here or one that
   * the engine plays at. Of the cards that can be set apart for poker only one of the best five is
   * marked as legal: those are set apart by rule, and no network is asked for them.
   */
  observe(table: string): Observation {
    this.#alive();
    const [row, legal] = [this.#alloc(4 * INPUTS), this.#alloc(ACTIONS)];
    try {
      const seat = this.#text(table, (at, len) =>
        this.#exports.nm_observe(this.#alive(), at, len, row, legal),
      );
      this.#check(seat);
      const numbers = new Float32Array(this.#exports.memory.buffer, row, INPUTS).slice();
      return { seat, row: numbers, legal: this.#bytes(legal, ACTIONS).slice() };
    } finally {
      this.#exports.nm_dealloc(row, 4 * INPUTS);
      this.#exports.nm_dealloc(legal, ACTIONS);
    }
  }

  /**
   * Takes an action for the seat to act at a table; whether the decision takes more of them. Without an
   * action, the network takes the whole decision. A decision that is whole is returned.
   */
  act(table: string, action: number = BY_PLAYER): { more: boolean; replies: Reply[] } {
    this.#alive();
    // WebAssembly would take anything else as some number of 32 bits: NaN as 0, which may be legal.
    if ((action | 0) !== action || action < BY_PLAYER) {
      throw new RangeError(`expected an action, 0 to ${ACTIONS - 1}`);
    }
    const status = this.#text(table, (at, len) =>
      this.#exports.nm_act(this.#alive(), at, len, action),
    );
    this.#check(status);
    return { more: status === MORE, replies: this.#replies() };
  }

  /**
   * The answers of the network that plays to rows of `INPUTS` numbers each; without `legal`, all
   * actions are.
   */
  forward(rows: Float32Array, legal?: Uint8Array): Forward {
    this.#alive();
    // Plain JavaScript may bring any array: its bytes would be taken for numbers of 32 bits.
    if (!(rows instanceof Float32Array) || !(legal === undefined || legal instanceof Uint8Array)) {
      throw new TypeError("expected a Float32Array of rows, and a Uint8Array of legal actions");
    }
    const n = Math.floor(rows.length / INPUTS);
    if (rows.length !== n * INPUTS || (legal !== undefined && legal.length !== n * ACTIONS)) {
      throw new RangeError(`expected ${INPUTS} numbers and ${ACTIONS} legal actions a row`);
    }
    const sizes = [4 * n * ACTIONS, 4 * n * ACTIONS, 4 * n, 4 * n] as const;
    const from = this.#put(new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength));
    const marks = legal === undefined ? 0 : this.#put(legal);
    const [logits, policy, value, action] = sizes.map((size) => this.#alloc(size)) as [
      number,
      number,
      number,
      number,
    ];
    try {
      this.#check(
        this.#exports.nm_forward(this.#alive(), from, marks, n, logits, policy, value, action),
      );
      const { buffer } = this.#exports.memory;
      return {
        logits: new Float32Array(buffer, logits, n * ACTIONS).slice(),
        policy: new Float32Array(buffer, policy, n * ACTIONS).slice(),
        value: new Float32Array(buffer, value, n).slice(),
        action: new Int32Array(buffer, action, n).slice(),
      };
    } finally {
      this.#exports.nm_dealloc(from, rows.byteLength);
      if (legal !== undefined) this.#exports.nm_dealloc(marks, legal.length);
      [logits, policy, value, action].forEach((at, nth) => {
        this.#exports.nm_dealloc(at, sizes[nth] ?? 0);
      });
    }
  }

  #alive(): number {
    if (this.#failed !== undefined) throw this.#failed;
    if (this.#engine === 0) throw new Error("the engine has been freed");
    return this.#engine;
  }

  /** Throws what a call answers if it did not go well. */
  #check(status: number): void {
    if (status === FAILED) throw this.#fail();
    if (status === REFUSED) throw new RefusedError(this.#replies().at(-1));
    if (status < 0) throw new Error(`the engine does not take this call (${status})`);
  }

  /** All lines that wait. */
  #replies(): Reply[] {
    const replies: Reply[] = [];
    const len = this.#alloc(4);
    try {
      for (;;) {
        const at = this.#exports.nm_next(this.#alive(), len);
        if (at === 0) return replies;
        const length = new DataView(this.#exports.memory.buffer).getUint32(len, true);
        const line = new TextDecoder().decode(this.#bytes(at, length));
        replies.push(JSON.parse(line) as Reply);
      }
    } finally {
      this.#exports.nm_dealloc(len, 4);
    }
  }

  /** Calls with a text that the module can read. */
  #text(text: string, call: (at: number, len: number) => number): number {
    const bytes = new TextEncoder().encode(text);
    const at = this.#put(bytes);
    try {
      return call(at, bytes.length);
    } finally {
      this.#exports.nm_dealloc(at, bytes.length);
    }
  }

  #alloc(len: number): number {
    const at = this.#exports.nm_alloc(len);
    if (at === 0) throw new Error("no memory is left");
    return at;
  }

  #put(bytes: Uint8Array): number {
    const at = this.#alloc(bytes.length);
    this.#bytes(at, bytes.length).set(bytes);
    return at;
  }

  /** The module's memory as it is now: a call that needs more of it makes older views useless. */
  #bytes(at: number, len: number): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, at, len);
  }
}
