import { expect, test } from "vitest";

import { dailySetup, dailyText, today } from "../../src/game/daily";
import { GameSession } from "../../src/game/session.svelte";
import { client } from "./engine";
import { AT_ONCE, finish, random, step } from "./play";

test("the daily deal follows from the date by universal time, and another day has other cards", async () => {
  expect(today(new Date("2026-11-30T23:59:59Z"))).toBe("2026-11-30");
  expect(today(new Date("2026-12-01T00:30:00+02:00"))).toBe("2026-11-30");
  expect(dailySetup("2026-11-30")).toEqual(dailySetup("2026-11-30"));
  expect(dailySetup("2026-11-30").seed).toBe("2976776191121826705");
  const packs = [];
  for (const day of ["2026-11-30", "2026-11-30", "2026-12-01"]) {
    const session = await GameSession.start(client(), dailySetup(day), AT_ONCE);
    await finish(session, random(1), () => expect([session.canUndo, session.canAsk]).toEqual([false, false]));
    const [line] = session.records;
    packs.push(line?.pack.join());
    const text = dailyText(day, line!, 0);
    expect(text).toMatch(/^Newmarket, daily deal of 2026-1\d-\d\d: [+−]?\d+ chips, place [1-4] of 4\n.+ \d+ cards, \d boodles?(, first one out)? \(newmarket \d+\.\d+\.\d+\)$/);
    // It tells no cards.
    for (const card of line?.pack ?? []) expect(text).not.toContain(card);
  }
  expect(packs[0]).toBe(packs[1]);
  expect(packs[0]).not.toBe(packs[2]);
});

test("nobody is helped with a daily deal", async () => {
  const session = await GameSession.start(client(), dailySetup("2026-11-30"), AT_ONCE);
  const draw = random(1);
  while (!session.table.deal_over) {
    const [choice] = session.turn?.legal ?? [];
    await session.askAdvice();
    await session.askValues();
    expect([session.advice, session.analysis]).toEqual([null, null]);
    if (choice) expect(await session.whatIf(choice)).toBe(null);
    await step(session, draw);
  }
});
