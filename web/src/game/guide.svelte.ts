/** The lessons of a guided deal, as they come up and are read. */

import { lessonOf } from "./guide";
import type { Lesson, Moment } from "./guide";

export class Guide {
  /** What is being told. */
  lesson = $state.raw<Lesson | null>(null);
  readonly #told = new Set<string>();
  #moment: Moment | null = null;

  /** What there is to see now. A lesson stays until it is read, or until the person has acted. */
  see(moment: Moment): void {
    if (acts(this.#moment) && !acts(moment)) this.lesson = null;
    this.#moment = moment;
    if (this.lesson === null) this.goOn();
  }

  /** The lesson has been read: the next one of this moment comes, if there is one. */
  goOn(): void {
    this.lesson = this.#moment && lessonOf(this.#moment, this.#told);
    if (this.lesson) this.#told.add(this.lesson.id);
  }
}

/** Whether the person is to do something. */
const acts = (moment: Moment | null): boolean => moment !== null && (moment.turn !== null || moment.waiting !== null);
