import { describe, expect, test } from "vitest";

import { carried, dealEnd, potWords, sessionEnd } from "../../src/game/ending";
import type { DealEvent } from "../../src/game/events";
import { gameRules } from "../../src/game/rules";
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
      // A pot on a card that nobody has played lies somewhere.
      for (const pot of pots) expect(pot.where !== "").toBe(pot.name !== "kitty");
    });
    expect([...ends]).toContain("X is out of cards, with CARD.");
    session.leave();
  });
});

const ended: DealEvent[] = [
  { e: "deal", hands: [["KC", "2H"], ["QD"], ["3S"]], dead: ["JS", "5D"] },
  { e: "lead", seat: 2, card: "3S" },
  { e: "stop", seat: 2, card: "3S", why: "dead" },
  { e: "out", seat: 2 },
  { e: "settle", winner: 2, kitty: 0, cards: [2, 1, 0], paid: [2, 1, 0] },
];

test("pots that are carried are where their cards are", () => {
  const rules = gameRules("michigan");
  const opening = { rules, title: "", players: 3, dealer: 0, stacks: [9, 9, 9], layout: [0, 3, 1, 2], kitty: 0, seatsIn: [true, true, true], deal: 1, of: 1 };
  const [view, open] = [replay({ ...opening, me: 0 }, ended), replay({ ...opening, me: null }, ended)];
  const words = (seen: typeof open | null) => carried(view, seen, seatNames(3, 0)).map((pot) => potWords(pot, rules));
  expect(words(open)).toEqual([
    "3 chips on the king of clubs (still in your hand)",
    "1 chip on the queen of diamonds (still with Ann)",
    "2 chips on the jack of spades (in the dead hand)",
  ]);
  expect(words(null)).toEqual(["3 chips on the king of clubs", "1 chip on the queen of diamonds", "2 chips on the jack of spades"]);
  // Where several cards take it, none is named.
  const free = { ...opening, rules: { ...rules, cells: [{ name: "PAIR", claimed_by: ["KC", "2H"] }] }, layout: [4] };
  expect(carried(replay({ ...free, me: 0 }, ended), replay({ ...free, me: null }, ended), names)).toEqual([{ name: "PAIR", chips: 4, where: "" }]);
});

test.each([
  ["michigan-widow", "Nobody can lead another suit: the deal has no winner."],
  ["four-horses", "Nobody can lead the other colour: the deal has no winner."],
])("%s: a deal in which nobody can lead says so", async (base, words) => {
  const rules = gameRules(base);
  const layout = rules.cells.map(() => 0);
  const opening = { rules, title: "", players: 3, dealer: 0, stacks: [9, 9, 9], layout, kitty: 0, seatsIn: [true, true, true], deal: 1, of: 1, me: 0 };
  expect(dealEnd(replay(opening, [...ended.slice(0, 3), { e: "no_winner" } as DealEvent]), names)).toBe(words);
});

test("a session says why it ended before its last deal", SLOW, async () => {
  const session = { deals: 30, bankroll: { chips: { start: 8, on_bust: "end_session" } } };
  const game = await GameSession.start(engine, setupOf("michigan", 4, { house: { base: "michigan", session } }), AT_ONCE);
  await finish(game, random(3));
  const said = sessionEnd(game.view, names);
  expect(game.view.deal).toBeLessThan(30);
  expect(said).toMatch(/(You have|\w+ has) \d+ chips? and cannot pay the next stake of \d+.*\. The session is over after deal \d+ of 30\.$/);
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

test("a deal that is taken back after all hands were turned up does not count", SLOW, async () => {
  const notes = new Notes();
  const house = { base: "michigan", session: { deals: 2 } };
  const session = await GameSession.start(engine, setupOf("michigan", 4, { house }), AT_ONCE, notes);
  const draw = random(5);
  // Before its end an undo spoils nothing.
  await step(session, draw);
  await session.undo();
  expect(session.looked).toEqual([]);
  while (!session.table.deal_over) await step(session, draw);
  await session.undo();
  expect([session.table.deal_over, session.looked, notes.last?.looked]).toEqual([false, [1], [1]]);
  while (!session.table.session_over) await step(session, draw);
  expect(notes.closings.map(({ played, ended }) => [played, ended])).toEqual([[true, false]]);
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
