/**
 * Runs the engine: takes requests, posts replies, and does long work in slices between requests. It does not depend on
 * workers, so tests run it in Node.
 */

import { Engine, FailedError, RefusedError } from "newmarket-engine";
import type { Reply, Request } from "newmarket-engine";

/** A request with the number by which its replies are known. */
export interface Sent {
  n: number;
  request: Request;
}

/** A reply; `last` if no further one follows for this request. */
export interface Answered {
  n: number;
  reply: Reply;
  last: boolean;
}

/** Requests whose replies come later, under their `id`. */
const LATER = new Set(["ask", "analyse"]);

export class Host {
  readonly #create: () => Promise<Engine>;
  readonly #post: (answered: Answered) => void;
  #engine: Engine | null = null;
  #turn: Promise<void> = Promise.resolve();
  #working = false;
  /** The requests that changed each open table: they set it up again. */
  readonly #tables = new Map<string, Request[]>();
  /** Requests that still wait for a reply, by `id`. */
  readonly #due = new Map<string, Sent>();

  constructor(create: () => Promise<Engine>, post: (answered: Answered) => void) {
    this.#create = create;
    this.#post = post;
  }

  /** Takes a request. Replies come in the order of the requests, except for requests that take time. */
  receive(sent: Sent): void {
    this.#turn = this.#turn.then(() => this.#answer(sent));
  }

  async #answer(sent: Sent): Promise<void> {
    try {
      const replies = await this.#send(sent.request);
      this.#remember(sent.request, replies);
      this.#deliver(sent, replies);
    } catch (error) {
      if (error instanceof FailedError) this.#lose(error);
      this.#post({ n: sent.n, reply: failure(error), last: true });
    }
    this.#work();
  }

  /** Sends a request; after a fault of the module once more, to a new engine. */
  async #send(request: Request): Promise<Reply[]> {
    try {
      return (this.#engine ?? (await this.#restart())).send(request);
    } catch (error) {
      if (!(error instanceof FailedError)) throw error;
      this.#lose(error);
      return (await this.#restart()).send(request);
    }
  }

  #deliver(sent: Sent, replies: Reply[]): void {
    const { n, request } = sent;
    // Only `stop` is answered with the reply to another request.
    for (const reply of replies) {
      if (request.type !== "stop" || !this.#later(reply)) this.#post({ n, reply, last: true });
    }
    const later = replies.length === 0 && LATER.has(request.type);
    if (later && request.id !== undefined) this.#due.set(request.id, sent);
    const silent = replies.length === 0 && !later;
    // The caller waits for a reply to every request: one without an answer of its own gets this one.
    if (silent || request.type === "stop") this.#post({ n, reply: DONE, last: true });
  }

  /** Delivers a reply to the request whose `id` it has; whether there is one. */
  #later(reply: Reply): boolean {
    const id = "id" in reply ? reply.id : undefined;
    const due = id === undefined ? undefined : this.#due.get(id);
    if (id === undefined || due === undefined) return false;
    const last = reply.type !== "analysis" || reply.final;
    if (last) this.#due.delete(id);
    this.#post({ n: due.n, reply, last });
    return true;
  }

  /** Works until no reply is due, with breaks in which messages arrive. */
  #work(): void {
    if (this.#working || this.#due.size === 0) return;
    this.#working = true;
    const slice = async (): Promise<void> => {
      this.#working = false;
      if (this.#engine === null) return;
      try {
        for (const reply of this.#engine.work().replies) this.#later(reply);
      } catch (error) {
        this.#lose(error);
      }
      this.#work();
    };
    setTimeout(() => {
      this.#turn = this.#turn.then(slice);
    }, 0);
  }

  #remember(request: Request, replies: Reply[]): void {
    if (!("table" in request)) return;
    const { table, type } = request;
    if (type === "over") this.#tables.delete(table);
    if (replies.at(-1)?.type !== "table") return;
    const done = this.#tables.get(table) ?? [];
    if (type === "open") this.#tables.set(table, [request]);
    else if (type === "undo") done.pop();
    else if (type === "answer" || type === "next") done.push(request);
  }

  /** A new engine, with the tables as they were. */
  async #restart(): Promise<Engine> {
    const engine = await this.#create();
    for (const requests of this.#tables.values()) {
      for (const request of requests) engine.send(request);
    }
    this.#engine = engine;
    return engine;
  }

  /** Drops the engine. Its unfinished work is lost, because its tables may have changed since. */
  #lose(error: unknown): void {
    this.#engine = null;
    for (const { n } of this.#due.values()) this.#post({ n, reply: failure(error), last: true });
    this.#due.clear();
  }
}

/** The reply to a request that has none in the protocol. */
const DONE: Reply = { type: "hello", version: 1, name: "done", players: [] };

function failure(error: unknown): Reply {
  if (error instanceof RefusedError && error.reply?.type === "error") return error.reply;
  let message = error instanceof Error ? error.message : String(error);
  if (error instanceof FailedError) message = `The engine had a fault, and begins anew (${message}).`;
  return { type: "error", code: "engine", message };
}
