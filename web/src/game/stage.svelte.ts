/** What is drawn: events come in, and are shown one by one at a pace. A card of the person waits for them. */

import { tick } from "svelte";

import type { DealEvent } from "./events";
import { patience, pause } from "./pace";
import type { Pace, Wait } from "./pace";
import { apply, begin } from "./view";
import type { Opening, TableView } from "./view";

/** An event that the person brings about by a touch. */
type Own = Extract<DealEvent, { e: "lead" | "play" | "collect" }>;

/** A card, or chips of the layout, that wait for the person. */
export interface Waiting {
  event: Own;
  /** The names of the cells whose chips come with it, and how many chips these are. */
  cells: string[];
  chips: number;
  /** Milliseconds until it happens by itself; `null` if it never does. */
  ms: number | null;
}

/** How events are shown; it is looked at each time anew. */
export interface Pacing {
  readonly pace: Pace;
  readonly cards: Wait;
  /** Whether each event is drawn, however fast they come. */
  readonly each?: boolean;
}

/** Milliseconds after an own card before a decision: a touch that comes too late, or twice, meets none. */
const SETTLED = 300;

export class Stage {
  view = $state.raw() as TableView;
  /** The event that has just been shown. */
  event = $state.raw<DealEvent | null>(null);
  showing = $state(false);
  /** What waits for the person. */
  waiting = $state.raw<Waiting | null>(null);
  /** What was done last in the place of the person, who took too long. */
  late = $state.raw<Own | null>(null);

  readonly #manner: Pacing;
  readonly #onleft: () => void;
  #queue: DealEvent[] = [];
  /** Leads that the person has chosen: these do not wait. */
  readonly #chosen = new WeakSet<DealEvent>();
  #wake: (() => void) | null = null;
  #hurry = false;
  /** Nothing waits for the person while more events than this are left. */
  #until: number | null = null;
  /** Nothing more is shown for now, and no card is played for the person. */
  #held = false;
  /** Whether it was held, or let go on, while a card waited. */
  #turned = false;
  /** What is being shown belongs to this time; a reset begins another one. */
  #time = 0;

  /** `onleft` is called when the person is waited for, has acted, and when all has been shown. */
  constructor(manner: Pacing, onleft = (): void => undefined) {
    this.#manner = manner;
    this.#onleft = onleft;
  }

  /** How many events are still to be shown. */
  get left(): number {
    return this.#queue.length;
  }

  get #whole(): boolean {
    return this.#until !== null && this.#queue.length > this.#until;
  }

  /** Begins a deal; what waited is not shown any more. */
  reset(opening: Opening): void {
    this.stop();
    this.#queue = [];
    this.event = null;
    this.late = null;
    this.view = begin(opening);
  }

  /** Events that are to be shown; `chosen` is the lead among them that the person has just chosen. */
  add(events: readonly DealEvent[], chosen?: DealEvent): void {
    this.#queue.push(...events);
    if (chosen) this.#chosen.add(chosen);
  }

  /** Shows all that waits, one after the other; whether nothing came between. */
  async show(): Promise<boolean> {
    const time = ++this.#time;
    this.#wake?.();
    this.showing = true;
    for (;;) {
      const [event] = this.#queue;
      if (event === undefined) break;
      if (this.#held && !this.#whole) {
        await this.#sleep(null);
        if (time !== this.#time) return false;
        continue;
      }
      const own = this.#ownOf(event);
      if (own !== null) {
        const touched = await this.#touch(own, time);
        if (time !== this.#time) return false;
        this.late = touched ? null : own.event;
      }
      const whole = this.#whole;
      this.#queue.shift();
      if (own !== null) this.#onleft();
      this.view = apply(this.view, event);
      this.event = event;
      const ms = Math.max(this.#hurry ? 0 : pause(event, this.#manner.pace), own === null || whole ? 0 : SETTLED);
      if (ms > 0) await this.#sleep(ms);
      else if (this.#manner.each && !whole) await tick();
      if (time !== this.#time) return false;
    }
    this.showing = false;
    this.#hurry = false;
    this.#until = null;
    this.#onleft();
    return true;
  }

  /** Stops showing, after what is shown now, and the time of a card that waits; or goes on. */
  hold(on: boolean): void {
    if (on === this.#held) return;
    this.#held = on;
    this.#turned = true;
    if (!on || this.waiting !== null) this.#wake?.();
  }

  /** Shows at once what comes before the next card of the person. */
  skip(): void {
    this.#hurry = true;
    if (this.waiting === null) this.#wake?.();
  }

  /** Shows all that waits at once, the cards of the person as well; all but the last `left` events. */
  skipAll(left = 0): void {
    this.#hurry = true;
    this.#until = left;
    this.#wake?.();
  }

  /** The person plays what waits for them. */
  play(): void {
    if (this.waiting === null) return;
    this.waiting = null;
    this.#wake?.();
  }

  /** Nothing is shown any more. */
  stop(): void {
    this.#time += 1;
    this.showing = false;
    this.waiting = null;
    this.#hurry = false;
    this.#until = null;
    this.#wake?.();
  }

  /** What the person is to do for this event, which comes next; `null` if it happens without them. */
  #ownOf(event: DealEvent): Omit<Waiting, "ms"> | null {
    if (this.#whole || patience(this.#manner.cards) === 0 || this.#chosen.has(event)) return null;
    if (event.e !== "lead" && event.e !== "play" && event.e !== "collect") return null;
    if (event.seat !== this.view.me) return null;
    if (event.e === "collect") return { event, cells: [event.cell], chips: event.chips };
    const rest = this.#queue.slice(1);
    const end = rest.findIndex(({ e }) => e !== "claim");
    const claims = rest.slice(0, end < 0 ? rest.length : end).filter((it) => it.e === "claim");
    return { event, cells: claims.map(({ cell }) => cell), chips: claims.reduce((sum, { chips }) => sum + chips, 0) };
  }

  /** Waits for the person; whether it was they who acted. Whoever is kept from it has all the time anew. */
  async #touch(own: Omit<Waiting, "ms">, time: number): Promise<boolean> {
    this.#hurry = false;
    this.#onleft();
    do {
      this.#turned = false;
      this.waiting = { ...own, ms: this.#held ? null : patience(this.#manner.cards) };
      await this.#sleep(this.waiting.ms);
      if (time !== this.#time) return false;
    } while (this.#turned && this.waiting !== null && !this.#whole);
    // Whoever has just become relaxed was not late.
    const touched = this.waiting === null || this.#whole || this.waiting.ms === 0;
    this.waiting = null;
    return touched;
  }

  /** Sleeps until somebody wakes it, at most so many milliseconds. */
  #sleep(ms: number | null): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
      const timer = ms === null ? undefined : setTimeout(done, ms);
      this.#wake = done;
    });
  }
}
