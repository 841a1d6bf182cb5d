import { describe, expect, test } from "vitest";

import { carried, dealEnd, potWords, sessionEnd } from "../../src/game/ending";
import { GameSession } from "../../src/game/session.svelte";
import { openingOf, replay } from "../../src/game/view";
import { seatNames } from "../../src/game/words";
import { client } from "./engine";
import { AT_ONCE, Notes, finish, random, setupOf, step } from "./play";

const engine = client();
const names = seatNames(4, 0);
/** A level of rules that are no named game is found when it is first asked for: that takes seconds. */
const SLOW = { timeout: 120_000 };

describe("why a deal ended, and what stays on the table", () => {
  test.each(["newmarket", "michigan-widow", "four-horses"])("%s", async (base) => {
    const session = await GameSession.start(engine, setupOf(base, 4), AT_ONCE);
    const ends = new Set<string>();
    await finish(session, random(2), () => {
      const { view, table } = session;
      if (!table.deal_over) return;
      const line = session.records.at(-1)!;
      const open = replay(openingOf(line, session.rules, ""), line.events);
      ends.add(dealEnd(view, names).replace(/^(You are|\w+ is)/, "X is").replace(/the .+ of \w+/, "CARD"));
      const pots = carried(view, open, names);
      expect(pots.reduce((sum, { chips }) => sum + chips, 0)).toBe(view.layout.reduce((a, b) => a + b, view.kitty));
      for (const pot of pots) {
        if (pot.name === "kitty") continue;
        const holder = open.seats.findIndex(({ hand }) => hand?.includes(pot.name));
        const where = open.deadHand.cards?.includes(pot.name) ? "in the dead hand" : holder === 0 ? "still in your hand" : `still with ${names[holder]}`;
        expect(pot.where).toBe(where);
        expect(potWords(pot, session.rules)).toContain(where);
      }
    });
    expect([...ends]).toContain("X is out of cards, with CARD.");
    session.leave();
  });
});

test("a session says why it ended before its last deal", SLOW, async () => {
  const session = { deals: 30, bankroll: { chips: { start: 8, on_bust: "end_session" } } };
  const game = await GameSession.start(engine, setupOf("michigan", 4, { house: { base: "michigan", session } }), AT_ONCE);
  await finish(game, random(3));
  const said = sessionEnd(game.view, names);
  expect(game.view.deal).toBeLessThan(30);
  expect(said).toMatch(/(You have|\w+ has) \d+ chips? and cannot pay the next ante of \d+.*\. The session is over after deal \d+ of 30\.$/);
  const whole = await GameSession.start(engine, setupOf("michigan", 4, { house: { base: "michigan", session: { deals: 2 } } }), AT_ONCE);
  await finish(whole, random(3));
  expect(sessionEnd(whole.view, names)).toBe("All 2 deals are played.");
});

test("a deal in which the person looked at all hands does not count, and its session is none", SLOW, async () => {
  const notes = new Notes();
  const house = { base: "michigan", session: { deals: 3 } };
  const session = await GameSession.start(engine, setupOf("michigan", 4, { house }), AT_ONCE, notes);
  const draw = random(5);
  let looked = false;
  await finish(session, draw, () => {
    if (session.table.deal !== 2 || session.table.deal_over || looked) return;
    session.look();
    looked = true;
  });
  expect(looked).toBe(true);
  expect(session.looked).toEqual([2]);
  expect(notes.last?.looked).toEqual([2]);
  expect(notes.closings.map(({ played, ended }) => [played, ended])).toEqual([
    [true, false],
    [true, false],
  ]);
});

test("decisions that no coach has judged are judged when the session is over", SLOW, async () => {
  const house = { base: "michigan", session: { deals: 2 } };
  const session = await GameSession.start(engine, setupOf("michigan", 4, { house }), AT_ONCE);
  const draw = random(8);
  let leads = 0;
  while (!session.table.session_over) {
    if (session.turn) leads += 1;
    await step(session, draw);
  }
  expect(session.verdicts).toEqual([]);
  await session.review();
  expect(session.reviewed?.done).toBe(session.reviewed?.of);
  expect(session.verdicts).toHaveLength(leads);
  // Again, there is nothing left to judge.
  await session.review();
  expect(session.verdicts).toHaveLength(leads);
});
