import { describe, expect, test } from "vitest";

import { choiceOf } from "../../src/game/explore";
import { NAMES } from "../../src/game/rules";
import { GameSession } from "../../src/game/session.svelte";
import { client } from "./engine";
import { AT_ONCE, choose, finish, random, seen, setupOf, step } from "./play";

const engine = client();

describe.each(NAMES)("%s", (base) => {
  test("what if: another choice in a turn leads to the end of the deal, and the turn stays", async () => {
    const session = await GameSession.start(engine, setupOf(base, 4), AT_ONCE);
    const draw = random(9);
    while (session.table.deal < 2 && !session.table.session_over) await step(session, draw);
    while (session.turn === null && !session.table.session_over) await step(session, draw);
    const { turn } = session;
    if (turn === null) throw new Error("the session is too short");
    const before = seen(session);
    const choice = choose(session, turn, draw);
    const branch = await session.whatIf(choice);
    expect(session.problem).toBe(null);
    expect(seen(session)).toEqual(before);
    const { line, at } = branch!;
    const event = line.events[at]!;
    expect(choiceOf(event)).toMatchObject(choice.e === "set_apart" ? { e: "set_apart" } : choice);
    expect(event).toMatchObject({ seat: 0 });
    expect(line.session?.deal).toBe(session.table.deal);
    expect(await engine.check(line)).toEqual(session.rules);
  });

  test("in a replay: each decision is found, and the choice made leads to the same events up to there", async () => {
    const session = await GameSession.start(engine, setupOf(base, 3, { level: "champion" }), AT_ONCE);
    const draw = random(2);
    while (session.records.length < 2 && !session.table.session_over) await step(session, draw);
    const line = session.records.at(-1)!;
    let decisions = 0;
    for (let at = 0; at < line.events.length; at++) {
      const crossing = await session.explorer.crossing(line, at);
      if (crossing === null) continue;
      decisions += 1;
      const { turn, made } = crossing;
      expect(line.events[at]).toMatchObject({ seat: turn.seat });
      if (turn.legal.length > 0) expect(turn.legal).toContainEqual(made);
      if (decisions > 4) continue;
      const other = turn.legal.find((choice) => JSON.stringify(choice) !== JSON.stringify(made)) ?? made;
      const branch = await session.explorer.branch(line, at, other);
      expect(branch.line.events.slice(0, at)).toEqual(line.events.slice(0, at));
      expect(branch.line.events[at]).toMatchObject({ seat: turn.seat, e: other.e });
    }
    expect(decisions).toBeGreaterThan(2);
  });
});

test("the events of a deal with rebuys stay in their places", async () => {
  const house = { base: "michigan", session: { deals: 8, bankroll: { chips: { start: 8, on_bust: "rebuy" } } } };
  const session = await GameSession.start(engine, setupOf("michigan", 4, { house }), AT_ONCE);
  const draw = random(2);
  let branches = 0;
  await finish(session, draw, () => undefined);
  for (const line of session.records.filter(({ events }) => events[0]?.e === "rebuy")) {
    const at = line.events.findIndex(({ e }) => e === "lead");
    const crossing = await session.explorer.crossing(line, at);
    if (crossing === null) continue;
    const branch = await session.explorer.branch(line, at, crossing.made);
    expect(branch.line.events.slice(0, at + 1)).toEqual(line.events.slice(0, at + 1));
    expect(branch.line.stacks_before).toEqual(line.stacks_before);
    branches += 1;
  }
  expect(branches).toBeGreaterThan(0);
});

test("values in a replay, and somebody who does not wait for them", async () => {
  const session = await GameSession.start(engine, setupOf("michigan", 4), AT_ONCE);
  while (session.records.length < 1) await step(session, random(1));
  const [line] = session.records;
  const at = line!.events.findIndex(({ e }) => e === "lead");
  const crossing = await session.explorer.crossing(line!, at);
  const whole = await session.explorer.values(line!, at, 256);
  expect([whole.worlds, whole.actions.length]).toEqual([256, crossing?.turn.legal.length]);
  for (const when of [() => AbortSignal.abort(), () => AbortSignal.timeout(20)]) {
    const part = await session.explorer.values(line!, at, 65_536, when());
    expect(part.worlds).toBeLessThan(65_536);
  }
});
