/** How the person has played, by game and level: kept in this browser alone. */

import { LEVELS } from "../engine/client";
import type { Level } from "../engine/client";
import type { Closed } from "../game/session.svelte";
import { forget, read, write } from "./local";

/** Sums over what was played of one game at one level. */
export interface Tally {
  /** What the game is called. */
  game: string;
  level: Level;
  /** Sessions played to their end, and how many of them were won. */
  sessions: number;
  won: number;
  deals: number;
  /** Chips of the person, all deals together. */
  chips: number;
  /** Decisions that the coach has judged, and how many of them were errors; what they cost. */
  judged: number;
  errors: number;
  cost: number;
}

const NAME = "statistics";
const SUMS = ["sessions", "won", "deals", "chips", "judged", "errors", "cost"] as const;

/** What was stored, without what cannot be. */
export function talliesOf(stored: unknown): Tally[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter(
    (it: Partial<Tally> | null): it is Tally =>
      typeof it?.game === "string" &&
      LEVELS.includes(it.level as Level) &&
      SUMS.every((key) => Number.isFinite(it[key])),
  );
}

class Statistics {
  tallies = $state.raw<Tally[]>(talliesOf(read(NAME)));

  /** Counts a deal that was played, and the end of a session. */
  add(game: string, level: Level, { played, chips, verdicts, ended, won }: Closed): void {
    // Another tab may have counted in the meantime.
    const tallies = talliesOf(read(NAME));
    let tally = tallies.find((it) => it.game === game && it.level === level);
    if (!tally) {
      const none = Object.fromEntries(SUMS.map((key) => [key, 0])) as unknown as Tally;
      tally = { ...none, game, level };
      tallies.push(tally);
    }
    tally.deals += Number(played);
    tally.chips += chips;
    tally.sessions += Number(ended);
    tally.won += Number(ended && won);
    tally.judged += verdicts.length;
    tally.errors += verdicts.filter(({ error }) => error).length;
    tally.cost += verdicts.reduce((sum, { cost }) => sum + cost, 0);
    this.tallies = tallies;
    write(NAME, tallies);
  }

  /** Everything that is kept, as JSON for a file. */
  export(): string {
    return `${JSON.stringify({ schema: "newmarket.statistics/1", tallies: this.tallies }, null, 1)}\n`;
  }

  erase(): void {
    forget(NAME);
    this.tallies = [];
  }
}

export const statistics = new Statistics();
