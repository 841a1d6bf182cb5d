/** A person at the table, for tests: choices by chance, sessions played to their end. */

import { expect } from "vitest";

import type { Choice, Setup } from "../../src/engine/client";
import type { GameSession, Keeper, Manner, Progress, Turn } from "../../src/game/session.svelte";

export const AT_ONCE: Manner = { pace: "instant", cards: "relaxed", coach: false };

/** Numbers below 1 that a seed fixes. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A session of a named game in which the others play fast. */
export function setupOf(base: string, players: number, more: Partial<Setup> = {}): Setup {
  return { house: { base }, players, level: "easy", seat: 0, seed: "5", ...more };
}

/** A choice that may be made in a turn: by chance where there are several. */
export function choose(session: GameSession, turn: Turn, draw: () => number): Choice {
  const pick = (most: number) => Math.floor(draw() * most);
  if (turn.ante !== undefined) {
    const layout = session.table.layout.map(() => 0);
    const fewest = (piles: number[]) => piles.indexOf(Math.min(...piles));
    for (let chip = 0; chip < turn.ante; chip++) {
      const piles = layout.map((chips, cell) => chips + session.table.layout[cell]!);
      // Under a cap, not every split is legal: one that is evens out the piles.
      layout[session.view.rules.cell_cap ? fewest(piles) : pick(layout.length)]! += 1;
    }
    return { e: "ante", layout };
  }
  if (turn.setApart !== undefined) {
    return { e: "set_apart", cards: session.table.hand?.slice(0, turn.setApart) ?? [] };
  }
  return turn.legal[pick(turn.legal.length)]!;
}

/** One step: a decision, or the next deal. */
export async function step(session: GameSession, draw: () => number): Promise<void> {
  expect(session.problem).toBe(null);
  expect(session.busy).toBe(false);
  if (session.table.deal_over) await session.nextDeal();
  else if (session.turn) await session.decide(choose(session, session.turn, draw));
  else throw new Error("nobody is to act");
}

/** Plays to the end of the session; `each` is called before every step. */
export async function finish(session: GameSession, draw: () => number, each?: () => void): Promise<void> {
  while (!session.table.session_over) {
    each?.();
    await step(session, draw);
  }
  expect(session.problem).toBe(null);
}

/** All that a person sees of a session, but the name of its table. */
export function seen(session: GameSession): unknown {
  const { table: _, ...table } = session.table;
  return structuredClone({ table, view: session.view, turn: session.turn, records: session.records });
}

/** A keeper that has everything at hand. */
export class Notes implements Keeper {
  last: Progress | null = null;
  readonly closings: Parameters<Keeper["closed"]>[0][] = [];
  progress(progress: Progress): void {
    this.last = structuredClone(progress);
  }
  record(): void {
    // The session has them, too.
  }
  closed(deal: Parameters<Keeper["closed"]>[0]): void {
    this.closings.push(deal);
  }
}
