import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, describe, expect, test } from "vitest";

import { NAMES, gameRules } from "../../src/game/rules";
import type { House } from "../../src/game/rules";
import { GameSession } from "../../src/game/session.svelte";
import { write } from "../../src/game/trace";
import { type Trace, parse, parseFile } from "../../src/game/trace-file";
import { client } from "./engine";
import { AT_ONCE, finish, random, setupOf, step } from "./play";

const engine = client();

/** The program of the same clone, which judges what the page writes. */
const program = process.env.NEWMARKET ?? fileURLToPath(new URL("../../../target/release/newmarket", import.meta.url));
if (!existsSync(program)) throw new Error(`${program} is not there: build it, or name it by NEWMARKET`);
const folder = mkdtempSync(join(tmpdir(), "newmarket-traces-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What `newmarket trace --check` says. */
function judged(text: string): string {
  const file = join(folder, "session.jsonl");
  writeFileSync(file, text);
  return execFileSync(program, ["trace", "--check", file], { encoding: "utf8", stdio: "pipe" });
}

/** The deals of a trace file, each played again by the engine. */
const read = (text: string): Promise<Trace> => parse(text, (line) => engine.check(line));

/** The file of deals. */
const written = ({ records, rules }: GameSession): string => write(records, () => rules);

async function recorded(house: House, players: number, seed = 1): Promise<GameSession> {
  const setup = setupOf(house.base, players, { house, seed: String(seed) });
  const session = await GameSession.start(engine, setup, AT_ONCE);
  await finish(session, random(seed));
  session.leave();
  return session;
}

describe("what is written is without a fault", () => {
  test.each(NAMES)("%s", async (base) => {
    const [least, most] = gameRules(base).players;
    for (const players of [least, most]) {
      const session = await recorded({ base }, players);
      const { length } = session.records;
      expect(judged(written(session))).toMatch(new RegExp(`${length} deals, 1 complete sessions, .*no fault`));
      const { lines, rulesOf } = await read(written(session));
      expect(lines).toEqual(session.records);
      expect(lines.map(rulesOf)).toEqual(lines.map(() => session.rules));
    }
  });

  const bank = (on_bust: string) => ({ chips: { start: 20, on_bust } });
  const RUN = { name: "RUN", claimed_by: [["8C", "9C"], ["9D", "8D"]] };
  test.each<[string, House]>([
    ["a name alone", { base: "michigan", name: "ours" }],
    ["values of the base", { base: "michigan", kitty_ante: 0, session: { deals: 10 }, dead_hand: { position: "last" } }],
    ["parts of tables", { base: "newmarket", dead_hand: { remainder: "rotation" }, session: { deals: 3 } }],
    ["cards in any order", { base: "newmarket", removed: ["8D", "2C", "8D"], session: { deals: 2 } }],
    ["what is left by lot", { base: "newmarket", session: { deals: 3, leftover: "lot", first_dealer: 1 } }],
    ["what goes to the richest", { base: "saratoga", session: { deals: 3, leftover: "richest" } }],
    ["chips that are bought", { base: "michigan", session: { deals: 8, bankroll: bank("rebuy") } }],
    ["seats that go out", { base: "michigan", session: { deals: 30, bankroll: bank("eliminate") } }],
    ["a session that a bust ends", { base: "michigan", session: { bankroll: bank("end_session") } }],
    ["a cap, and antes after the look", { base: "newmarket", cell_cap: 3, timing: "after_look", session: { deals: 4 } }],
    ["the highest bid left out", { base: "michigan-auction", exchange: { dealer_exchange_or_auction: {} } }],
    ["cells in other words", { base: "michigan", cells: ["AH", { card: "KC", claimed_by: ["KC"] }, RUN, { name: "X", claimed_by: "2C" }] }],
    ["stages, all", { base: "three-in-one", claim_when: "held", session: { deals: 2 } }],
    ["stages, the poker", { base: "three-in-one", claim_when: "played", session: { deals: 2 } }],
    ["stages, none", { base: "three-in-one", stages: [], first_lead: "eldest", session: { deals: 2 } }],
    ["stages in the other order", { base: "three-in-one", stages: ["poker", "collect"], session: { deals: 2 } }],
    ["the pot written out", { base: "three-in-one", cells: ["AH", "RUN", { name: "pot", claimed_by: [] }], session: { deals: 2 } }],
    ["the pot left out", { base: "three-in-one", cells: ["KQ", "TH"], session: { deals: 2 } }],
    ["the pot first", { base: "three-in-one", cells: [{ name: "pot", claimed_by: [] }, "TH"], session: { deals: 2 } }],
    ["poker where there was none", { base: "michigan", stages: ["poker"], cells: ["AS", { name: "pot", claimed_by: [] }], session: { deals: 2 } }],
  ])("%s", async (_, house) => {
    const session = await recorded(house, 4, 3);
    expect(judged(written(session))).toMatch(/no fault/);
    expect((await read(written(session))).lines).toEqual(session.records);
  });
});

test("deals of a session that is not over are without a fault, too", async () => {
  const session = await GameSession.start(engine, setupOf("four-horses", 3), AT_ONCE);
  const draw = random(5);
  while (session.records.length < 1) await step(session, draw);
  expect(judged(written(session))).toMatch(/1 deals, 0 complete sessions/);
  await session.undo();
  expect(session.records).toEqual([]);
});

test.each(["stay", "lot", "richest"])("deals of a session that somebody joined are without a fault, too: %s", async (leftover) => {
  const from = { deal: 3, dealer: 1, stacks: [5, -2, -1], layout: [0, 1, 0, 0], kitty: 2 };
  const house = { base: "newmarket", session: { leftover } };
  const session = await GameSession.start(engine, setupOf("newmarket", 3, { house, from }), AT_ONCE);
  await finish(session, random(8));
  expect(session.records).toHaveLength(8);
  const text = written(session);
  expect(judged(text)).toMatch(/8 deals, 0 complete sessions, .*no fault/);
  const gifts = session.records.at(-1)!.events.filter(({ e }) => e === "leftover").length;
  expect(gifts > 0).toBe(leftover !== "stay");
  expect((await read(text)).lines.at(-1)?.events).toHaveLength(session.records.at(-1)!.events.length - gifts);
});

test("another course of a deal is without a fault", async () => {
  const session = await GameSession.start(engine, setupOf("michigan-auction", 4), AT_ONCE);
  const draw = random(4);
  while (session.records.length < 2 || session.turn === null) await step(session, draw);
  const branch = await session.whatIf(session.turn.legal.at(-1)!);
  expect(judged(write([branch!.line], () => session.rules))).toMatch(/1 deals, 0 complete sessions, .*no fault/);
});

test("traces of the command line are opened", async () => {
  for (const rules of ["three-in-one", "four-horses", "michigan-auction"]) {
    const flags = ["trace", "--rules", rules, "--deals", "12", "--seed", "4", "--agents", "stopper"];
    const text = execFileSync(program, flags, { encoding: "utf8" });
    const { lines, rulesOf } = await read(text);
    expect(write(lines, rulesOf)).toBe(text);
  }
});

describe("hostile files", () => {
  const line = async (change: (line: Record<string, any>) => void): Promise<string> => {
    const { records: [first] } = await recorded({ base: "newmarket", session: { deals: 1 } }, 3);
    const changed = structuredClone(first) as unknown as Record<string, any>;
    change(changed);
    return JSON.stringify(changed);
  };

  test.each<[RegExp, (line: Record<string, any>) => void]>([
    [/`schema`/, (it) => (it.schema = "newmarket.trace/2")],
    [/`rules`/, (it) => (it.rules = "poker")],
    [/`rules`/, (it) => (it.rules = "__proto__")],
    [/`overrides`: expected an object/, (it) => (it.overrides = [])],
    [/cells/, (it) => (it.overrides = { cells: 7 })],
    [/cells/, (it) => (it.overrides = { cells: [null] })],
    [/per_card` is as in newmarket/, (it) => (it.overrides = { ...it.overrides, per_card: gameRules("newmarket").per_card })],
    [/`more`/, (it) => (it.more = 1)],
    [/`pack`/, (it) => delete it.pack],
    [/`pack`/, (it) => (it.pack = ["1C"])],
    [/players/, (it) => (it.players = 1e9)],
    [/`payoffs`: due was/, (it) => (it.payoffs = [1, 2])],
    [/`layout_before`: expected 4 numbers/, (it) => (it.layout_before = [])],
    [/`dealer`/, (it) => (it.dealer = 3)],
    [/`kitty_after`/, (it) => (it.kitty_after = "0")],
    [/`session\.of`/, (it) => (it.session = { deal: 1 })],
    [/65536 bytes/, (it) => (it.events = Array(5000).fill({ e: "no_winner" }))],
    [/`events\[0\]`: "xyz" is no event/, (it) => (it.events[0] = { e: "xyz" })],
    [/`events\[0\]`: "toString" is no event/, (it) => (it.events[0] = { e: "toString" })],
    [/`events\[0\]`/, (it) => (it.events[0].seat = 7)],
    [/`events\[0\]`/, (it) => (it.events[0].layout = [1])],
    [/`events\[0\]`: there is no key "hand"/, (it) => (it.events[0].hand = [])],
    [/`events\[3\]`: due was \{"e":"deal"/, (it) => (it.events[3].hands = [[]])],
    [/`events\[4\]`/, (it) => (it.events[4].card = "AA")],
    [/`events\[4\]`: due was a decision of seat/, (it) => it.events.splice(4, 1)],
    [/`stacks_after`/, (it) => (it.stacks_after = [0, 0, 0])],
  ])("%s", async (problem, change) => {
    const good = await line(() => undefined);
    const text = `${good}\n${await line(change)}\n`;
    await expect(read(text)).rejects.toThrow(problem);
    await expect(read(text)).rejects.toThrow(/^line 2: [^\n]{1,300}$/);
    expect((await read(`${good}\n`)).lines).toHaveLength(1);
  });

  test.each(["", "\n", "{", "null", "[]", "\u0000", "{}\n{}"])("%j", async (text) => {
    await expect(read(text)).rejects.toThrow(/expected|missing/);
  });

  test("byte order marks before lines are passed over", async () => {
    const good = await line(() => undefined);
    expect((await read(`\uFEFF${good}\n\uFEFF${good}\n`)).lines).toHaveLength(2);
  });

  test("a large file is read, a larger one is not", async () => {
    const good = await line(() => undefined);
    expect((await read(`${good}\n`.repeat(400))).lines).toHaveLength(400);
    await expect(parseFile(new Blob(["x".repeat((32 << 20) + 1)]), () => Promise.reject(new Error("not asked")))).rejects.toThrow(/too large/);
  });
});
