import { expect, test } from "vitest";

import type { Analysis, Choice, Client } from "../../src/engine/client";
import { GameSession } from "../../src/game/session.svelte";
import { Study } from "../../src/game/study.svelte";
import { client, spent } from "./engine";
import { AT_ONCE, Notes, finish, random, setupOf } from "./play";

const engine = client();
const COACH = { pace: "instant", cards: "relaxed", coach: true } as const;

test("a hint and the first values come within 300 ms, the values are refined", { retry: 2 }, async () => {
  const session = await GameSession.start(engine, setupOf("michigan", 4), AT_ONCE);
  expect([session.advice, session.analysis]).toEqual([null, null]);
  const begun = spent();
  await session.askAdvice();
  expect(spent() - begun).toBeLessThan(300);
  expect(session.turn?.legal).toContainEqual(session.advice);
  const asked = spent();
  const values = session.askValues();
  await expect.poll(() => session.analysis, { interval: 5 }).not.toBe(null);
  expect(spent() - asked).toBeLessThan(300);
  await values;
  expect(session.analysis?.final).toBe(true);
  expect(session.analysis?.actions).toHaveLength(session.turn!.legal.length);
  await session.decide(session.advice!);
  expect([session.advice, session.analysis]).toEqual([null, null]);
});

test("values that are not waited for do no harm", async () => {
  const session = await GameSession.start(engine, setupOf("newmarket", 4), AT_ONCE);
  const values = session.askValues();
  await session.askAdvice();
  await session.decide(session.advice!);
  await values;
  expect([session.analysis, session.problem]).toEqual([null, null]);
  await session.undo();
  expect(session.turn).not.toBe(null);
});

test("a hint that the decision has overtaken is dropped, with what its rule of thumb would have been", async () => {
  for (const manner of [AT_ONCE, COACH]) {
    const session = await GameSession.start(engine, setupOf("michigan", 4), manner);
    const draw = random(3);
    while (!session.table.deal_over) {
      if (session.turn === null) break;
      // The hint comes before the decision or after it, its rule of thumb after it.
      const hint = session.askAdvice();
      if (draw() < 0.5) await hint;
      await session.decide(session.turn.legal[0]!);
      await hint;
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect([session.problem, session.advice, session.cited]).toEqual([null, null, undefined]);
    }
    session.leave();
  }
});

test("the advice does not wait for its rule of thumb; an error of a turn that is over is dropped", async () => {
  let fail = (_: Error): void => undefined;
  const late = () => new Promise<string>((_, reject) => (fail = reject));
  const advice: { choice: Choice; why: string[] } = { choice: { e: "lead", card: "2C" }, why: [] };
  const fake = { advise: () => Promise.resolve(advice) } as unknown as Client;
  const [open, closed] = [new Study(fake, "a", late), new Study(fake, "a", late)];
  await open.ask();
  expect([open.advice, open.cited]).toEqual([advice, undefined]);
  const failed = open.cite();
  fail(new Error("the engine is gone"));
  await expect(failed).rejects.toThrow("gone");
  await closed.ask();
  const dropped = closed.cite();
  closed.close();
  fail(new Error("nobody is to act"));
  await dropped;
  expect(closed.cited).toBe(undefined);
});

test("the coach says what every decision cost, and keeps it", async () => {
  const notes = new Notes();
  const session = await GameSession.start(engine, setupOf("michigan", 4, { seed: "11" }), COACH, notes);
  const choices: string[] = [];
  while (session.turn) {
    const { legal } = session.turn;
    expect(session.analysis).toBe(null);
    const choice = legal.at(-1)!;
    choices.push(JSON.stringify(choice));
    await session.decide(choice);
    await expect.poll(() => session.verdicts.length).toBe(choices.length);
    expect(session.verdict).toMatchObject({ deal: 1, kind: "lead", made: choice });
  }
  expect(session.verdicts.map(({ made }) => JSON.stringify(made))).toEqual(choices);
  for (const { cost, ci95, error, best, made } of session.verdicts) {
    expect(error).toBe(cost > ci95);
    if (JSON.stringify(best) === JSON.stringify(made)) expect([cost, error]).toEqual([0, false]);
  }
  expect(notes.last?.verdicts).toEqual(session.verdicts);
  const { at } = session.verdict!;
  await session.undo();
  expect([session.view.log.length, session.verdicts.length, session.verdict]).toEqual([at, choices.length - 1, null]);
});

test("an error is a cost whose interval excludes 0", async () => {
  const [best, doubtful, wrong] = ["2C", "3D", "4H"].map((card): Choice => ({ e: "lead", card }));
  const judged = (choice: Choice | undefined, behind: number) => ({ do: choice!, chips: 0, ci95: 1, behind, behind_ci95: 0.5 });
  const actions = [judged(best, 0), judged(wrong, 0.6), judged(doubtful, 0.4)];
  const found: Analysis = { final: true, worlds: 100, choices: 4, all: true, actions };
  const fake = { analyse: () => ({ done: Promise.resolve(found), stop: () => undefined }) } as unknown as Client;
  const none = () => Promise.resolve(null);
  const errors = [best, doubtful, wrong].map(async (made) => (await new Study(fake, "a", none).judge(made!))?.error);
  expect(await Promise.all(errors)).toEqual([false, false, true]);
  expect(await new Study(fake, "a", none).judge({ e: "lead", card: "5S" })).toBe(null);
});

test("decisions of all kinds are judged, and counted when their deal is closed", async () => {
  for (const base of ["three-in-one", "newmarket-buy", "michigan-auction"]) {
    const notes = new Notes();
    const setup = setupOf(base, 4, { house: { base, session: { deals: 3 } } });
    const session = await GameSession.start(engine, setup, COACH, notes);
    await finish(session, random(6));
    expect(notes.closings.flatMap(({ verdicts }) => verdicts)).toEqual(session.verdicts);
    expect(session.verdicts.length).toBeGreaterThan(3);
  }
}, 120_000);
