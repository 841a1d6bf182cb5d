/** Draws the later parts of a page one by one, each in its own task after a frame. */
import { untrack } from "svelte";

/** Waits until the next frame has been drawn. */
const drawn = (): Promise<void> => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

class Parts {
  #missing = $state(0);
  #last = Promise.resolve();

  /** All parts are there. */
  get whole(): boolean {
    return this.#missing === 0;
  }

  /** Shows one more part in its turn. */
  add(show: () => void): void {
    untrack(() => (this.#missing += 1));
    this.#last = this.#last.then(drawn).then(() => {
      show();
      this.#missing -= 1;
    });
  }
}

export const parts = new Parts();
