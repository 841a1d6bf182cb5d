/** Reasons, rules of thumb and rules in words. */

import { describe, expect, test } from "vitest";

import { antesOf, cited, conditionWords, lineWords, linesOf, listOf } from "../../src/game/clauses";
import { standing } from "../../src/game/cells";
import type { DealEvent } from "../../src/game/events";
import { knownDead } from "../../src/game/known";
import { NAMES, gameRules, gameWords, otherwise } from "../../src/game/rules";
import { GameSession } from "../../src/game/session.svelte";
import type { Opening } from "../../src/game/view";
import { replay } from "../../src/game/view";
import { spelled } from "../../src/game/words";
import { client } from "./engine";
import { AT_ONCE, choose, random, setupOf } from "./play";

const michigan = gameRules("michigan");
const opening: Opening = {
  rules: michigan,
  title: "Michigan",
  players: 3,
  dealer: 2,
  stacks: [0, 0, 0],
  layout: [4, 4, 4, 4],
  kitty: 0,
  seatsIn: [true, true, true],
  deal: 1,
  of: 1,
  me: 0,
};
const hand = ["2C", "3C", "KH", "AH", "5S", "JS", "5D", "7D", "8D"];
const events: DealEvent[] = [
  { e: "deal", hands: [hand, [], []], dead: [] },
  { e: "lead", seat: 0, card: "5D" },
  { e: "play", seat: 1, card: "6D" },
  { e: "play", seat: 0, card: "7D" },
  { e: "play", seat: 0, card: "8D" },
  { e: "stop", seat: 0, card: "8D", why: "dead" },
];
const view = replay(opening, events);

test("a card at which the play stopped is known to be dead, and so is a boodle", () => {
  expect([...knownDead(view)]).toEqual(["9D"]);
  const stopped = replay({ ...opening, me: 0 }, [...events.slice(0, 1), { e: "lead", seat: 1, card: "9S" }, { e: "play", seat: 2, card: "TS" }, { e: "stop", seat: 2, card: "TS", why: "dead" }]);
  const cells = standing(stopped, hand);
  expect(cells.map(({ dead }) => dead)).toEqual(michigan.cells.map((cell) => cell === "JS"));
  expect(cells.map(({ gone }) => gone)).toEqual(michigan.cells.map((cell) => cell === "JS"));
});

test("an adviser gives its reasons", async () => {
  const engine = client();
  const session = await GameSession.start(engine, setupOf("newmarket", 4), AT_ONCE);
  expect(session.turn?.ante).toBeDefined();
  await session.askAdvice();
  expect(session.why.at(-1)).toBe("before the cards are dealt, it matters little where the chips go");
});

test("cards of the engine's texts are spelled out", () => {
  expect(spelled("it takes 4 chips on K♠(Q♠) and A♥; 10♦ was played")).toBe(
    "it takes 4 chips on the king of spades (the queen of spades) and the ace of hearts; the 10 of diamonds was played",
  );
});

test("a tie between two suits is not cited: the question leaves both", async () => {
  const lead = { e: "lead", card: "2C" } as const;
  const ask = () => Promise.resolve(lead);
  expect(await cited(ask, michigan, "michigan", ["2C", "5C", "3D", "6D"], lead)).not.toBe(null);
  expect(await cited(ask, michigan, "michigan", ["2C", "5C", "2D", "6D"], lead)).toBe(null);
  expect(await cited(ask, michigan, "michigan", ["2C", "5C", "2D"], lead)).not.toBe(null);
});

test("the rules of thumb are those of the strategy files", () => {
  expect(listOf("newmarket", "lead")[0]).toBe("chips >= 4");
  expect(conditionWords("chips >= 4", "suit")).toBe("chips that your cards of the suit take: 4 or more");
  expect(conditionWords("cards of others below <= 0", "suit")).toBe("cards below your lowest that others may hold: none");
  for (const base of NAMES) {
    for (const clause of listOf(base, "lead")) expect(conditionWords(clause, "suit")).not.toBe(clause);
    for (const line of linesOf(base, "dead_hand")) expect(lineWords(line)).toMatch(/^otherwise | – /);
  }
});

describe.each(["newmarket", "michigan-widow"])("what a hint in %s cites", (base) => {
  test("is the question after which the choice is alone", { timeout: 60_000 }, async () => {
    const engine = client();
    const session = await GameSession.start(engine, setupOf(base, 4), AT_ONCE);
    const ask = async (strategy: Record<string, unknown>) => engine.ask(session.table.table, { strategy });
    const draw = random(4);
    let [named, others] = [0, 0];
    for (let deal = 0; deal < 6 && !session.table.session_over; ) {
      const { turn, table } = session;
      if (turn === null) {
        deal += 1;
        await session.nextDeal();
        continue;
      }
      const leads = turn.legal.filter(({ e }) => e === "lead");
      if (leads.length > 1) {
        const found = [];
        for (const lead of leads) found.push(await cited(ask, session.rules, base, table.hand ?? [], lead));
        const words = found.filter((cite) => cite !== null);
        expect(words.length).toBeLessThanOrEqual(1);
        // What is cited is what `basic` does, by the last question that it needs.
        const basic = await engine.ask(session.table.table, "basic");
        if (words.length === 1) {
          named += 1;
          expect(leads[found.findIndex((cite) => cite !== null)]).toEqual(basic);
          expect(listOf(base, "lead").map((clause) => conditionWords(clause, "suit"))).toContain(words[0]);
        } else others += 1;
      }
      await session.decide(choose(session, turn, draw));
    }
    expect(named).toBeGreaterThan(0);
    console.log(`${base}: ${named} leads by a rule of thumb, ${others} by none`);
  });
});

test("an ante and a bid are cited where `basic` does the same", { timeout: 60_000 }, async () => {
  const engine = client();
  const found = new Map<string, Set<string | null>>();
  for (const base of ["newmarket", "michigan-auction"]) {
    const session = await GameSession.start(engine, setupOf(base, 4), AT_ONCE);
    const ask = async (strategy: Record<string, unknown>) => engine.ask(session.table.table, { strategy });
    const draw = random(6);
    while (!session.table.session_over) {
      const { turn, table } = session;
      if (turn === null) {
        await session.nextDeal();
        continue;
      }
      const basic = await engine.ask(table.table, "basic");
      if (["ante", "bid", "pass"].includes(basic.e)) {
        const words = await cited(ask, session.rules, base, table.hand ?? [], basic);
        expect(words, basic.e).not.toBe(null);
        found.set(basic.e, (found.get(basic.e) ?? new Set()).add(words));
        const other = turn.legal.find(({ e }) => e !== basic.e);
        if (other) expect(await cited(ask, session.rules, base, table.hand ?? [], other)).toBe(null);
      }
      await session.decide(turn.ante === undefined ? choose(session, turn, draw) : basic);
    }
  }
  expect([...(found.get("ante") ?? [])].sort()).toEqual([
    "eldest: 4 on the ace of spades",
    "the others: 1 on the ace of spades and 3 on the queen of clubs",
  ]);
  for (const words of found.get("bid") ?? []) expect(words).toMatch(/bid up to \d+$/);
  for (const words of found.get("pass") ?? []) expect(words).toMatch(/( – pass|bid up to \d+)$/);
  expect([found.get("bid")?.size ?? 0, found.get("pass")?.size ?? 0].every((count) => count > 0)).toBe(true);
  expect(antesOf("newmarket", gameRules("newmarket"))).toEqual([...(found.get("ante") ?? [])].sort());
});

test("the rules are told by the engine, those of a house by what differs", async () => {
  for (const base of NAMES) expect(gameWords(base).length).toBeGreaterThan(6);
  const { words } = await client().judge({ base: "newmarket", layout_ante: { free: { chips: 6, dealer_chips: 6 } }, per_card: 0 });
  expect(otherwise(words, "newmarket")).toEqual([
    "Before the deal everybody stakes 6 chips on the boodles as they like.",
    "The first player without cards ends the deal and takes the kitty; nobody pays for cards that are left.",
  ]);
});
