import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Desk } from "../../src/desk.svelte";
import { Browser, Store } from "./browser";
import { client } from "./engine";
import { random, seen, setupOf, step } from "./play";

const engine = client();
const MANNER = { pace: "instant", cards: "relaxed", coach: false, level: "easy" } as const;

let browser: Browser;
beforeEach(() => {
  browser = new Browser();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

interface Tab {
  desk: Desk;
  /** What the tab remembers when it is loaded again. */
  memory: Store;
  /** Closes its page: what it holds is let go. */
  close: () => void;
}

/** A desk in a new tab, or in one that has been loaded again. */
async function open(session?: Store): Promise<Tab> {
  const memory = browser.tab(session);
  const { letGo } = await import("../../src/store/tab");
  const module = await import("../../src/desk.svelte");
  const desk = new module.Desk(engine, MANNER);
  // What was kept has been looked for.
  await new Promise((resolve) => setTimeout(resolve, 0));
  return { desk, memory, close: letGo };
}

async function play(desk: Desk, steps: number, seed = 1): Promise<void> {
  const draw = random(seed);
  for (let nth = 0; nth < steps; nth++) await step(desk.session!, draw);
}

test("a tab that is loaded again goes on where it was", async () => {
  const { desk, memory, close } = await open();
  expect(desk.unfinished).toEqual([]);
  await desk.begin(setupOf("michigan", 4));
  expect(location.hash).toBe("#/play");
  for (let reload = 0; reload < 2; reload++) await play(desk, 9, reload);
  const before = seen(desk.session!);
  close();
  const again = await open(memory);
  expect(again.desk.unfinished).toMatchObject([{ setup: setupOf("michigan", 4), of: 10 }]);
  await again.desk.resume();
  expect(seen(again.desk.session!)).toEqual(before);
  await play(again.desk, 5);
  expect(again.desk.problem).toBe(null);
});

test("a session is open in one tab alone, and another tab has its own", async () => {
  const first = await open();
  await first.desk.begin(setupOf("michigan", 4));
  await play(first.desk, 3);
  const second = await open();
  // The session of the first tab is not free.
  await second.desk.resume();
  expect([second.desk.session, second.desk.unfinished, location.hash]).toEqual([null, [], "#/"]);
  await second.desk.begin(setupOf("newmarket", 3, { seed: "8" }));
  await play(second.desk, 4);
  await play(first.desk, 4);
  const [one, two] = [first, second].map(({ desk }) => seen(desk.session!));
  for (const [{ memory, close }, expected] of [[first, one], [second, two]] as const) {
    close();
    const again = await open(memory);
    await again.desk.resume();
    expect(seen(again.desk.session!)).toEqual(expected);
  }
});

test("a tab that is loaded again waits until its last page has let go", async () => {
  const first = await open();
  await first.desk.begin(setupOf("michigan", 4));
  setTimeout(first.close, 60);
  const again = await open(first.memory);
  await again.desk.resume();
  expect(again.desk.problem).toBe(null);
  expect(seen(again.desk.session!)).toEqual(seen(first.desk.session!));
});

test("a duplicate of a tab does not take its session", async () => {
  const first = await open();
  await first.desk.begin(setupOf("michigan", 4));
  const copy = new Store();
  copy.setItem("newmarket.session", first.memory.getItem("newmarket.session")!);
  const second = await open(copy);
  await second.desk.resume();
  expect([second.desk.session, second.desk.problem]).toEqual([null, expect.stringMatching(/another tab/)]);
});

test("what cannot be read is left out, with a message, and does no harm", async () => {
  const { desk, close } = await open();
  await desk.begin(setupOf("michigan", 4));
  await play(desk, 12);
  close();
  const [name, text] = Object.keys(browser.store)
    .map((key) => [key, browser.store.getItem(key)!] as const)
    .find(([key]) => /session\.[^.]*$/.test(key))!;
  const good = JSON.parse(text) as Record<string, any>;
  const damage: [string, RegExp][] = [
    ["{", /could not be read/],
    ["null", /could not be read/],
    [text.slice(0, 100), /could not be read/],
    [JSON.stringify({ ...good, version: 2 }), /could not be read/],
    [JSON.stringify({ ...good, moves: [{}] }), /could not be read/],
    [JSON.stringify({ ...good, setup: { ...good.setup, house: { base: "poker" } } }), /could not be read/],
  ];
  for (const [value, problem] of damage) {
    browser.store.setItem(name, value);
    const { desk } = await open();
    expect([desk.unfinished, desk.problem]).toEqual([[], expect.stringMatching(problem)]);
    expect(browser.store.getItem(name)).toBe(null);
  }
  // Right in its form, wrong at the table.
  for (const wrong of [
    { ...good, moves: [{ choice: { e: "lead", card: "2C" }, mine: true }, ...good.moves] },
    { ...good, start: { ...good.start, deal: 99 } },
    { ...good, setup: { ...good.setup, house: { base: "michigan", odd: 1 } } },
  ]) {
    browser.store.setItem(name, JSON.stringify(wrong));
    const { desk } = await open();
    await desk.resume();
    expect([desk.session, desk.problem]).toEqual([null, expect.stringMatching(/could not be read/)]);
    expect(desk.unfinished).toEqual([]);
    expect(location.hash).toBe("#/");
  }
});

test("without room, or without storage, sessions are played all the same", async () => {
  browser.store.room = 300;
  const { desk } = await open();
  await desk.begin(setupOf("michigan", 4));
  await play(desk, 12);
  expect(desk.problem).toMatch(/no room/);
  expect(desk.session?.problem).toBe(null);
  const bare = await open();
  for (const name of ["localStorage", "sessionStorage"]) {
    vi.stubGlobal(name, new Proxy({}, { get: () => { throw new DOMException("denied", "SecurityError"); } }));
  }
  vi.stubGlobal("navigator", {});
  await bare.desk.begin(setupOf("michigan", 4));
  await play(bare.desk, 12);
  expect(bare.desk.session?.table.deal).toBe(desk.session?.table.deal);
});

test("the oldest sessions make room for new ones", async () => {
  for (let nth = 0; nth < 9; nth++) {
    const { desk, close } = await open();
    await desk.begin(setupOf("michigan", 4, { seed: String(nth) }));
    await play(desk, 8);
    close();
  }
  const kept = Object.keys(browser.store).filter((key) => /session\.[^.]*$/.test(key));
  expect(kept.length).toBe(6);
  const { desk } = await open();
  expect(desk.unfinished.map(({ setup }) => setup.seed)).toEqual(["8", "7", "6", "5", "4", "3"]);
});

test("another game hides none that is not over, and each is gone on with where it was left", async () => {
  const { desk } = await open();
  await desk.begin(setupOf("michigan", 4));
  await play(desk, 12);
  const left = seen(desk.session!);
  await desk.begin(setupOf("chicago", 3));
  const games = () => desk.unfinished.map(({ setup }) => setup.house.base);
  await expect.poll(games).toEqual(["chicago", "michigan"]);
  await desk.resume(desk.unfinished[1]!.id);
  expect(seen(desk.session!)).toEqual(left);
  await expect.poll(games).toEqual(["michigan", "chicago"]);
  // What another tab has taken since is not there any more.
  const chicago = desk.unfinished[1]!.id;
  await navigator.locks.request(`newmarket.session.${chicago}`, {}, async () => {
    await desk.resume(chicago);
    expect([games(), location.hash]).toEqual([["michigan"], "#/"]);
  });
});

test("links, codes and traces are opened; what is wrong with them is told in the lobby", async () => {
  const { desk } = await open();
  await desk.begin(setupOf("michigan", 4));
  await play(desk, 12);
  const link = desk.session!.link();
  const trace = desk.session!.records.map((line) => `${JSON.stringify(line)}\n`).join("");
  const { deal } = desk.session!.table;
  const deals = desk.session!.records.length;
  expect([deal, deal - 1]).toContain(deals);
  desk.replay(0);
  expect([location.hash, desk.show?.lines.length, desk.show?.explorer !== null]).toEqual(["#/replay", deals, true]);

  const other = await open();
  location.hash = link.slice(link.indexOf("#"));
  await other.desk.open(link);
  expect([location.hash, other.desk.session?.table.deal]).toEqual(["#/play", deal]);
  const file = (text: string) => new File([text], "deals.jsonl");
  await other.desk.open(file(trace));
  expect([location.hash, other.desk.show?.explorer, other.desk.show?.lines.length]).toEqual(["#/replay", null, desk.session!.records.length]);
  for (const [what, problem] of [
    ["#/deal/xyz", /is no deal's code/],
    [file("hello"), /^deals\.jsonl: line 1: it is no JSON/],
    [file(""), /^deals\.jsonl: the file is empty/],
    [file('{"schema":"newmarket.trace/1"}'), /line 1: `[a-z]+`: it is missing/],
    [file(trace.replace('"overrides":{}', '"overrides":{"per_card":-1}')), /per_card/],
  ] as const) {
    await other.desk.open(what);
    expect([location.hash, other.desk.problem]).toEqual(["#/", expect.stringMatching(problem)]);
  }
});

test("statistics count a session to the end of which the person is out, without the deals of the others", async () => {
  const { desk } = await open();
  const { statistics } = await import("../../src/store/statistics.svelte");
  const bankroll = { chips: { start: 8, on_bust: "eliminate" } };
  const house = { base: "michigan", players: [2, 8], session: { deals: 30, bankroll } };
  await desk.begin(setupOf("michigan", 6, { house, seed: "3" }));
  const draw = random(1);
  while (!desk.session!.table.session_over) await step(desk.session!, draw);
  const { table, records } = desk.session!;
  const deals = records.filter((line) => line.seats_in?.[0] !== false).length;
  expect(table.before.seats_in[0]).toBe(false);
  expect(deals).toBeLessThan(table.deal);
  expect(statistics.tallies).toMatchObject([{ sessions: 1, won: 0, deals, chips: -8 }]);
});

test("another session has no lessons, and what is over takes no room from what is not", async () => {
  const { desk } = await open();
  const house = { base: "michigan", session: { deals: 1 } };
  await desk.begin(setupOf("newmarket", 4));
  await play(desk, 3);
  const waiting = desk.unfinished.map(({ id }) => id);
  await desk.begin(setupOf("michigan", 4, { house, guided: true }));
  expect(desk.session?.guide).not.toBe(null);
  // Each event is drawn.
  await expect.poll(() => desk.session?.busy).toBe(false);
  const draw = random(2);
  for (let nth = 0; nth < 7; nth++) {
    while (!desk.session!.table.session_over) await step(desk.session!, draw);
    await desk.again();
    expect([desk.session?.guide, desk.session?.setup.guided]).toEqual([null, undefined]);
    expect(desk.unfinished.map(({ id }) => id)).toEqual(expect.arrayContaining(waiting));
  }
  const kept = Object.keys(browser.store).filter((key) => /session\.[^.]*$/.test(key));
  expect(kept).toHaveLength(2);
});

test("a daily deal that was begun is gone on with, in whatever tab it is", async () => {
  const day = "2026-11-30";
  const first = await open();
  const { dailySetup } = await import("../../src/game/daily");
  const setup = dailySetup(day);
  await first.desk.begin(setup);
  // The stakes, by the person, and some more.
  await play(first.desk, 2);
  const before = seen(first.desk.session!);
  await first.desk.begin(setup);
  expect(seen(first.desk.session!)).toEqual(before);
  const second = await open();
  await second.desk.begin(setup);
  expect([second.desk.session, second.desk.problem]).toEqual([null, expect.stringMatching(/another tab/)]);
  first.close();
  await new Promise((resolve) => setTimeout(resolve, 0));
  await second.desk.begin(setup);
  expect(seen(second.desk.session!)).toEqual(before);
  const { daily, keepDaily } = await import("../../src/store/daily.svelte");
  const draw = random(1);
  while (!second.desk.session!.table.session_over) await step(second.desk.session!, draw);
  expect(daily).toEqual({ day, text: expect.stringMatching(/^Newmarket, daily deal of 2026-11-30: /) });
  // An older day that is finished later takes nothing away, nor does another result of the same day.
  const { text } = daily;
  keepDaily("2026-11-29", "late");
  keepDaily(day, "again");
  expect([daily, JSON.parse(browser.store.getItem("newmarket.daily")!)]).toEqual([{ day, text }, { day, text }]);
  // What another tab has kept is seen.
  browser.store.setItem("newmarket.daily", JSON.stringify({ day: "2026-12-02", text: "other" }));
  keepDaily("2026-12-01", "mine");
  expect(daily).toEqual({ day: "2026-12-02", text: "other" });
});

test("statistics count what is over, and are exported and erased", async () => {
  const { desk } = await open();
  const { statistics } = await import("../../src/store/statistics.svelte");
  const house = { base: "michigan", session: { deals: 2 } };
  await desk.begin(setupOf("michigan", 4, { house }));
  const draw = random(1);
  while (!desk.session!.table.session_over) await step(desk.session!, draw);
  const [chips = 0] = desk.session!.table.stacks;
  const won = Number(chips === Math.max(...desk.session!.table.stacks));
  const none = { judged: 0, errors: 0, cost: 0 };
  const tally = { game: "Michigan", level: "easy", sessions: 1, won, deals: 2, chips, ...none };
  expect(statistics.tallies).toEqual([tally]);
  expect(JSON.parse(statistics.export())).toEqual({ schema: "newmarket.statistics/1", tallies: [tally] });
  desk.leave();
  expect([desk.session, desk.unfinished, location.hash]).toEqual([null, [], "#/"]);
  await open();
  expect((await import("../../src/store/statistics.svelte")).statistics.tallies).toEqual([tally]);
  browser.store.setItem("newmarket.statistics", '[{"game":"x"},null,7]');
  await open();
  const later = (await import("../../src/store/statistics.svelte")).statistics;
  expect(later.tallies).toEqual([]);
  later.erase();
  expect(browser.store.getItem("newmarket.statistics")).toBe(null);
});
