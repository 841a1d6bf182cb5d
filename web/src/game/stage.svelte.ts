/** What is drawn: events come in, and are shown one by one at a pace. */

import type { DealEvent } from "./events";
import { pause } from "./pace";
import type { Pace } from "./pace";
import { apply, begin } from "./view";
import type { Opening, TableView } from "./view";

export class Stage {
  view = $state.raw() as TableView;
  /** The event that has just been shown. */
  event = $state.raw<DealEvent | null>(null);
  showing = $state(false);

  readonly #manner: { readonly pace: Pace };
  #queue: DealEvent[] = [];
  #wake: (() => void) | null = null;
  #hurry = false;
  /** What is being shown belongs to this time; a reset begins another one. */
  #time = 0;

  constructor(manner: { readonly pace: Pace }) {
    this.#manner = manner;
  }

  /** Begins a deal; what waited is not shown any more. */
  reset(opening: Opening): void {
    this.stop();
    this.#queue = [];
    this.event = null;
    this.view = begin(opening);
  }

  /** Events that are to be shown. */
  add(events: readonly DealEvent[]): void {
    this.#queue.push(...events);
  }

  /** Shows all that waits, one after the other; whether nothing came between. */
  async show(): Promise<boolean> {
    const time = ++this.#time;
    this.#wake?.();
    this.showing = true;
    for (;;) {
      const event = this.#queue.shift();
      if (event === undefined) break;
      this.view = apply(this.view, event);
      this.event = event;
      const ms = this.#hurry ? 0 : pause(event, this.#manner.pace);
      if (ms > 0) await this.#sleep(ms);
      if (time !== this.#time) return false;
    }
    this.showing = false;
    this.#hurry = false;
    return true;
  }

  /** Shows at once what waits. */
  skip(): void {
    this.#hurry = true;
    this.#wake?.();
  }

  /** Nothing is shown any more. */
  stop(): void {
    this.#time += 1;
    this.showing = false;
    this.#hurry = false;
    this.#wake?.();
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#wake = done;
    });
  }
}
