import { expect, test } from "vitest";

import { PACES, pause } from "../../src/game/pace";
import { routeOf } from "../../src/router.svelte";
import { settingsOf } from "../../src/store/settings.svelte";

const USUAL = settingsOf(null);

test("what was stored is taken where it can be, and nothing else", () => {
  expect(settingsOf({ pace: "fast", coach: true, hints: false })).toEqual({ ...USUAL, pace: "fast", coach: true, hints: false });
  expect(settingsOf({ pace: "warp", theme: 7, level: "god", coach: "yes", fourColours: null, more: 1 })).toEqual(USUAL);
  for (const stored of [undefined, [], "dark", 5, JSON.parse('{"__proto__":{"pace":"fast"}}')]) {
    expect(settingsOf(stored)).toEqual(USUAL);
    expect(settingsOf(stored).pace).toBe("normal");
  }
});

test("a slower pace takes longer, and an instant one no time", () => {
  const times = PACES.map((pace) => pause({ e: "play", seat: 0, card: "2C" }, pace));
  expect([...times].sort((a, b) => b - a)).toEqual(times);
  expect(new Set(times).size).toBe(PACES.length);
  expect(times.at(-1)).toBe(0);
});

test.each([
  ["", "lobby", null],
  ["#", "lobby", null],
  ["#/", "lobby", null],
  ["#/play", "play", null],
  ["#/play/", "play", null],
  ["#/rules", "rules", null],
  ["#/nowhere", "lobby", null],
  ["#/__proto__", "lobby", null],
  ["#/deal/abc-_", "deal", "abc-_"],
  ["#/deal/", "deal", ""],
  ["#/deal", "deal", ""],
])("the address %j", (hash, page, code) => {
  expect(routeOf(hash)).toEqual({ page, code });
});
