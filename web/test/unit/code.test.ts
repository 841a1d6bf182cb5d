import { expect, test } from "vitest";

import { LONGEST, decode, encode, linkOf, newSeed } from "../../src/game/code";
import type { Shared } from "../../src/game/code";
import { GameSession } from "../../src/game/session.svelte";
import { client } from "./engine";
import { AT_ONCE, random, setupOf, step } from "./play";

const code = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const right = { rules: { base: "michigan" }, players: 4, seed: "7", seat: 0 };

test("a code is what the command line writes, and comes back whole", () => {
  const shared: Shared = { house: { base: "michigan" }, players: 4, seed: "7", seat: 0 };
  expect(encode(shared)).toBe(code(right));
  const house = { base: "newmarket", name: "Bei uns – ♥", kitty_ante: 2 };
  const from = {
    deal: 3,
    dealer: 2,
    stacks: [-4, 3, 0, 1],
    layout: [1, 0, 0, 2],
    kitty: 4,
    seats_in: [true, true, false, true],
    bought: [0, 0, 12, 0],
  };
  for (const one of [shared, { ...shared, house, seat: 3, from }, { ...shared, seed: "18446744073709551615" }]) {
    expect(decode(encode(one))).toEqual(one);
    expect(decode(` https://example.org/cards/${linkOf(one)}\n`)).toEqual(one);
  }
});

test("the same code deals the same cards in the middle of a session", async () => {
  const engine = client();
  const session = await GameSession.start(engine, setupOf("newmarket-buy", 5, { seed: newSeed() }), AT_ONCE);
  const draw = random(4);
  while (session.table.deal < 3) await step(session, draw);
  const shared = decode(session.link());
  const other = await GameSession.start(engine, { ...shared, level: "easy" }, AT_ONCE);
  expect(other.view.seats[0]?.hand).toEqual(session.view.seats[0]?.hand);
  expect([other.table.before, other.table.deal]).toEqual([session.table.before, 3]);
});

test.each([
  ["", /empty/],
  ["#/deal/", /empty/],
  ["ä", /characters other than/],
  ["abc", /no (base64|JSON)/],
  ["A".repeat(LONGEST + 1), /8193 characters/],
  [code(right).slice(0, -6), /no JSON/],
  [Buffer.from([0x7b, 0xff, 0x7d]).toString("base64url"), /no JSON/],
  [code(null), /no deal/],
  [code([right]), /no deal/],
  [code("michigan"), /no deal/],
  [code({ ...right, level: "hard" }), /"level" is no key/],
  [code({ ...right, [`x${"y".repeat(500)}`]: 1 }), /^"xy{59}…" is no key/],
  [code({ ...right, rules: "michigan" }), /`rules`/],
  [code({ ...right, rules: { base: "poker" } }), /`rules\.base`/],
  [code({ ...right, rules: { base: "michigan", name: 5 } }), /`rules\.name`/],
  [code({ ...right, players: 9 }), /`players`.*2 to 8/],
  [code({ ...right, players: "4" }), /`players`/],
  [code({ ...right, seat: 4 }), /`seat`.*0 to 3/],
  [code({ ...right, seat: null }), /`seat`/],
  [code({ ...right, seed: 7 }), /`seed`/],
  [code({ ...right, seed: "18446744073709551616" }), /`seed`/],
  [code({ ...right, seed: "-1" }), /`seed`/],
  [code({ ...right, dealer: 1 }), /`deal` is missing/],
  [code({ ...right, deal: 0, dealer: 1 }), /`deal`/],
  [code({ ...right, deal: 2 }), /`dealer`/],
  [code({ ...right, deal: 2, dealer: 1, stacks: [1, 2, 3] }), /`stacks`.*list of 4/],
  [code({ ...right, deal: 2, dealer: 1, stacks: [1, 2, 3, 0.5] }), /`stacks`/],
  [code({ ...right, deal: 2, dealer: 1, layout: Array(9).fill(0) }), /`layout`/],
  [code({ ...right, deal: 2, dealer: 1, kitty: -1 }), /`kitty`/],
  [code({ ...right, deal: 2, dealer: 1, seats_in: [1, 1, 1, 1] }), /`seats_in`/],
  [code({ ...right, deal: 2, dealer: 1, bought: [1e12, 0, 0, 0] }), /`bought`/],
])("refused in one line: %.40s", (text, problem) => {
  expect(() => decode(text)).toThrow(problem);
  try {
    decode(text);
  } catch (error) {
    expect((error as Error).message).not.toContain("\n");
    expect((error as Error).message.length).toBeLessThan(200);
  }
});

test("rules that the engine refuses are told by it, and no table is opened", async () => {
  const engine = client();
  for (const rules of [{ base: "michigan", cells: 5 }, { base: "michigan", odd: 1 }, { base: "michigan", stages: {} }]) {
    const shared = decode(code({ ...right, rules }));
    await expect(GameSession.start(engine, { ...shared, level: "easy" }, AT_ONCE)).rejects.toThrow(/rules|expected|is no key/);
  }
  const bust = decode(code({ ...right, deal: 2, dealer: 1, layout: [1, 2, 3] }));
  await expect(GameSession.start(engine, { ...bust, level: "easy" }, AT_ONCE)).rejects.toThrow(/expected 4 numbers/);
});
