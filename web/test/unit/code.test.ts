import { expect, test } from "vitest";

import { linkOf, pageOf } from "../../src/game/code";
import type { Shared } from "../../src/game/code";
import { GameSession } from "../../src/game/session.svelte";
import { client } from "./engine";
import { AT_ONCE, random, setupOf, step } from "./play";

const code = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const right = { rules: { base: "michigan" }, players: 4, seed: "7", seat: 0 };

test("a code is what the command line reads, and comes back whole", async () => {
  const engine = client();
  const shared: Shared = { house: { base: "michigan" }, players: 4, seed: "7", seat: 0 };
  expect(await engine.code(shared)).toBe(code(right));
  const house = { base: "newmarket", name: "Bei uns – ♥", kitty_ante: 2 };
  const from = {
    deal: 3,
    dealer: 1,
    stacks: [-4, 3, 0, 1],
    layout: [1, 0, 0, 2],
    kitty: 4,
    seats_in: [true, true, false, true],
    bought: [0, 0, 12, 0],
  };
  for (const one of [shared, { ...shared, house, seat: 3, from }, { ...shared, seed: "18446744073709551615" }]) {
    const written = await engine.code(one);
    expect(await engine.shared(written)).toEqual(one);
    expect(await engine.shared(` https://example.org/cards/${linkOf(written)}\n`)).toEqual(one);
  }
});

test("a link leads to the public page where others cannot open this one", () => {
  const open = "https://example.org/newmarket/page/";
  for (const near of [
    "http://127.0.0.1:8151/",
    "http://localhost:5173/#/play",
    "http://192.168.1.5:8151/0123456789abcdef/#/deal/abc",
    "http://[fe80::1]:8151/",
    "http://table/page/",
    "http://table.local:8151/",
  ]) {
    expect(pageOf(near, open), near).toBe(open);
    // Without a public page there is no better one.
    expect(pageOf(near, "")).toBe(near.replace(/#.*/, ""));
  }
  for (const far of ["https://example.org/other/", "https://cards.example.org/?a=b#/deal/abc"]) {
    expect(pageOf(far, open), far).toBe(far.replace(/#.*/, ""));
  }
});

test("the same code deals the same cards in the middle of a session", async () => {
  const engine = client();
  const session = await GameSession.start(engine, setupOf("newmarket-buy", 5, { seed: "18446744073709551615" }), AT_ONCE);
  const draw = random(4);
  while (session.table.deal < 3) await step(session, draw);
  const shared = await engine.shared(session.link());
  const other = await GameSession.start(engine, { ...shared, level: "easy" }, AT_ONCE);
  expect(other.view.seats[0]?.hand).toEqual(session.view.seats[0]?.hand);
  expect([other.table.before, other.table.deal]).toEqual([session.table.before, 3]);
});

test.each([
  ["", /is no deal's code/],
  ["#/deal/", /is no deal's code/],
  ["ä", /is no deal's code/],
  ["abc", /is no deal's code/],
  ["A".repeat(8193), /8193 letters/],
  [code(right).slice(0, -6), /is no deal's code/],
  [code(null), /is no deal's code/],
  [code({ ...right, level: "hard" }), /no such field/],
  [code({ ...right, rules: { base: "poker" } }), /poker/],
  [code({ ...right, rules: { base: "michigan", cells: 5 } }), /cells/],
  [code({ ...right, players: 9 }), /not 9/],
  [code({ ...right, seat: 4 }), /a seat that plays/],
  [code({ ...right, seed: "-1" }), /number of 64 bits/],
  [code({ ...right, deal: 2, dealer: 1, layout: [1, 2, 3] }), /expected 4 numbers/],
])("refused in one line: %.40s", async (text, problem) => {
  const refused = expect(client().shared(text)).rejects;
  await refused.toThrow(problem);
  await refused.toThrow(/^[^\n]{1,300}$/);
});
