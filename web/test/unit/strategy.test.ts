import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";

import { GameSession } from "../../src/game/session.svelte";
import { readStrategy } from "../../src/game/strategy";
import type { StrategyFile } from "../../src/game/strategy";
import { savedOf } from "../../src/store/saved";
import { settingsOf } from "../../src/store/settings.svelte";
import { client } from "./engine";
import { AT_ONCE, Notes, finish, random, seen, setupOf, step } from "./play";

const engine = client();
const judge = engine.strategy.bind(engine);

const file = (name: string, text: string) => ({ name, size: text.length, text: () => Promise.resolve(text) });
const example = await readFile(new URL("../../../agents/strategies/examples/keep-the-lead.toml", import.meta.url), "utf8");

async function keepTheLead(): Promise<StrategyFile> {
  const read = await readStrategy(file("mine.toml", example), judge);
  if (Array.isArray(read)) throw new Error(read.join("\n"));
  return read;
}

test("a file in TOML or JSON is a strategy, called as it says or as the file", async () => {
  const read = await keepTheLead();
  expect(read.name).toBe("keep-the-lead");
  const { name: _, ...content } = read.content;
  expect(await readStrategy(file("mine.json", JSON.stringify(content)), judge)).toEqual({ name: "mine", content });
  expect(await readStrategy(file("mine.json", `\uFEFF${JSON.stringify(content)}`), judge)).toEqual({ name: "mine", content });
});

test("all faults of a file are told in the words of the engine", async () => {
  const faulty = 'lead = ["most chps", "cards >="]\nled = []\nbase = "strategy:other.toml"\n';
  const problems = await readStrategy(file("a.toml", faulty), judge);
  expect(problems).toHaveLength(4);
  expect(problems).toContainEqual(expect.stringMatching(/^lead\[1\] `chps`: expected a number or a fact.*chips/));
  expect(await readStrategy(file("a.toml", "lead = ["), judge)).toEqual([expect.stringMatching(/^Line 1, column \d+: /)]);
  expect(await readStrategy(file("a.json", '{"lead":'), judge)).toEqual([expect.stringMatching(/^The file is not JSON: /)]);
  expect(await readStrategy(file("a.toml", "#".repeat(60_001)), judge)).toEqual([expect.stringContaining("60,000")]);
});

test("the others play by a file, and go on by it when the session is resumed", async () => {
  const opponent = await keepTheLead();
  const play = async (more: object) => {
    const notes = new Notes();
    const setup = setupOf("newmarket", 4, { level: "champion", ...more });
    const session = await GameSession.start(engine, setup, AT_ONCE, notes);
    const draw = random(3);
    for (let nth = 0; nth < 3; nth++) await step(session, draw);
    const saved = savedOf(structuredClone({ ...notes.last, version: 1, id: "a", at: 1, setup }));
    if (saved === null) throw new Error("it cannot be read again");
    const again = await GameSession.resume(engine, saved.setup, saved, structuredClone(session.records) as GameSession["records"], AT_ONCE);
    expect(seen(again)).toEqual(seen(session));
    await finish(again, draw);
    return JSON.stringify(again.records);
  };
  const played = await play({ opponent });
  expect(played).not.toBe(await play({}));
  expect(played).not.toBe(await play({ opponent: { name: "base", content: { base: "stopper" } } }));
});

test("a hint is the choice of the adviser", async () => {
  const adviser = { name: "lowest", content: { base: "first", lead: ["lowest card"], dead_hand: ["keep"] } };
  const setup = setupOf("michigan", 3, { seat: 1 });
  const session = await GameSession.start(engine, setup, { ...AT_ONCE, adviser });
  while (session.turn !== null && session.turn.legal[0]?.e !== "lead") await step(session, random(1));
  await session.askAdvice();
  const [advice, legal] = [session.advice, session.turn?.legal ?? []];
  if (advice?.e !== "lead") throw new Error("no lead");
  const ranks = "A23456789TJQK";
  const place = (card: string) => ranks.indexOf(card[0] ?? "");
  const high = (card: string) => (place(card) === 0 ? 13 : place(card));
  const lowest = Math.min(...legal.map((choice) => (choice.e === "lead" ? high(choice.card) : 99)));
  expect(legal.length).toBeGreaterThan(1);
  expect(high(advice.card)).toBe(lowest);
});

test("what was stored as a strategy is taken where it can be", () => {
  const opponent = { name: "a", content: { base: "stopper" } };
  expect(settingsOf({ opponent, adviser: { name: 7 } })).toEqual({ ...settingsOf(null), opponent });
  for (const wrong of ["a", [], { name: "a" }, { name: "a", content: [] }]) expect(settingsOf({ opponent: wrong }).opponent).toBe(null);
});

// `engine/tests/tables.rs` expects the same chips of the same file.
test.each([
  ["newmarket", [-12, -12, -9, 26, -11, 22, -6, -5, -2, 10, 0, -8]],
  ["michigan", [-7, -15, -6, 18, -14, -1, 21, -6, -2, 2, -5, 0]],
  ["three-in-one", [-13, 22, -17, 0, -8, -12, 31, -19, 12, -7, -11, -6]],
] as const)("in %s a file plays here as elsewhere", async (base, chips) => {
  const { content: strategy } = await keepTheLead();
  const found: number[] = [];
  for (const seed of ["1", "2", "3"]) {
    let table = await engine.open(seed, { house: { base }, players: 4, seed });
    while (!table.deal_over) {
      const choice = await engine.ask(seed, { strategy });
      table = await engine.table({ type: "answer", table: seed, do: choice });
    }
    found.push(...(await engine.record(seed)).payoffs);
  }
  expect(found).toEqual(chips);
});
