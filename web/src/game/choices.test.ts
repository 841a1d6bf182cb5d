import { expect, test } from "vitest";

import type { Choice } from "../engine/client";
import { grade, unitOf, valued } from "./choices";
import { gameRules } from "./rules";

test("values come as the engine has them, the chosen one first, and none that is asked for is left out", () => {
  const leads = ["2C", "3D", "4H", "5S", "6C", "7D"].map((card): Choice => ({ e: "lead", card }));
  const actions = leads.map((lead, nth) => ({ do: lead, chips: [0.9, 1][nth] ?? -nth, ci95: 1, behind: nth, behind_ci95: 1 }));
  const shown = (...always: Choice[]) =>
    valued({ final: true, worlds: 64, choices: 6, all: true, actions }, 3, always).rows.map(({ choice }) => leads.indexOf(choice));
  expect(shown()).toEqual([0, 1, 2]);
  expect(shown({ e: "lead", card: "3D" })).toEqual([0, 1, 2]);
  expect(shown({ e: "lead", card: "6C" })).toEqual([0, 1, 4]);
  expect(shown({ e: "lead", card: "7D" }, { e: "lead", card: "5S" })).toEqual([0, 3, 5]);
  expect(shown({ e: "lead", card: "AS" })).toEqual([0, 1, 2]);
});

test("what a choice costs is told in words", () => {
  const words = (unit: number) => [0, 0.2, 0.3, 0.8, 1.4, 2.6, 8].map((behind) => grade(behind, unit).words);
  expect(words(1)).toEqual(["good", "good", "fine", "costs a chip", "costs a chip", "costs 3 chips", "costs 8 chips"]);
  // Where ten chips lie on each card, one is little.
  expect(words(10)).toEqual(["good", "good", "good", "good", "good", "fine", "costs 8 chips"]);
});

test("what matters at a table is what a player puts on a card", () => {
  const { newmarket, michigan } = { newmarket: gameRules("newmarket"), michigan: gameRules("michigan") };
  expect([unitOf(newmarket), unitOf(michigan)]).toEqual([1, 1]);
  expect(unitOf({ ...newmarket, layout_ante: { free: { chips: 40, dealer_chips: 40 } } })).toBe(10);
  expect(unitOf({ ...michigan, layout_ante: { fixed: { each: 5, dealer: 10 } } })).toBe(5);
  expect(unitOf({ ...newmarket, layout_ante: { free: { chips: 1, dealer_chips: 2 } } })).toBe(1);
});
