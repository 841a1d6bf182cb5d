import { expect, test } from "vitest";

import type { Choice } from "../engine/client";
import { grade, valued } from "./choices";

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
  expect([0, 0.2, 0.3, 0.8, 1.4, 2.6].map(grade)).toEqual(["good", "good", "fine", "costs a chip", "costs a chip", "costs 3 chips"]);
});
