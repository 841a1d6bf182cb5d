import { describe, expect, test } from "vitest";

import type { Choice, Setup } from "../../src/engine/client";
import { NAMES, resolve } from "../../src/game/rules";
import { GameSession } from "../../src/game/session.svelte";
import type { Manner, Turn } from "../../src/game/session.svelte";
import { client } from "./engine";

const AT_ONCE: Manner = { pace: "instant", coach: false };
const engine = client();

/** Numbers below 1 that a seed fixes. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A choice that may be made in a turn: by chance where there are several. */
function choose(session: GameSession, turn: Turn, draw: () => number): Choice {
  const pick = (most: number) => Math.floor(draw() * most);
  if (turn.ante !== undefined) {
    const layout = session.table.layout.map(() => 0);
    for (let chip = 0; chip < turn.ante; chip++) layout[pick(layout.length)]! += 1;
    return { e: "ante", layout };
  }
  if (turn.setApart !== undefined) {
    return { e: "set_apart", cards: session.table.hand?.slice(0, turn.setApart) ?? [] };
  }
  return turn.legal[pick(turn.legal.length)]!;
}

/** What is drawn has the chips that the engine has. */
function same({ view, table }: GameSession): void {
  // Whoever splits an ante has paid the kitty already: that is told with the ante.
  if (table.ante !== undefined) return;
  expect(view.seats.map(({ stack }) => stack)).toEqual(table.stacks);
  expect(view.layout).toEqual(table.layout);
  expect(view.kitty).toBe(table.kitty);
}

describe.each(NAMES)("%s", (base) => {
  const [least, most] = resolve({ base }).players;
  test.each([least, most])("a session of %i is played to its end", async (players) => {
    const setup: Setup = { house: { base }, players, level: "easy", seat: players - 1, seed: "5" };
    const session = await GameSession.start(engine, setup, AT_ONCE);
    const draw = random(players);
    while (!session.table.session_over) {
      expect(session.problem).toBe(null);
      same(session);
      if (session.table.deal_over) await session.nextDeal();
      else if (session.turn) await session.decide(choose(session, session.turn, draw));
      else throw new Error("nobody is to act");
    }
    expect(session.problem).toBe(null);
    session.leave();
  });
});
