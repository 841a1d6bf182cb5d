/** The guided deal: each rule once, and none that holds the play up for ever. */

import { expect, test } from "vitest";

import { Guide } from "../../src/game/guide.svelte";
import type { Moment } from "../../src/game/guide";
import { gameRules } from "../../src/game/rules";
import { seatNames } from "../../src/game/words";

const names = seatNames(4, 0);
const calm: Moment = { rules: gameRules("newmarket"), names, event: null, turn: null, waiting: null };
const dealt: Moment = { ...calm, event: { e: "deal", hands: [], dead: [] } };
const lead: Moment = { ...dealt, turn: { seat: 0, legal: [{ e: "lead", card: "2C" }] } };

test("a lesson stays until it is read, or until the person has acted without reading it", () => {
  const guide = new Guide();
  guide.see(calm);
  expect(guide.lesson).toBe(null);
  guide.see(dealt);
  expect(guide.lesson?.id).toBe("deal");
  // The turn comes while it is on the table, and the person simply leads.
  guide.see(lead);
  expect(guide.lesson?.id).toBe("deal");
  guide.see(dealt);
  expect(guide.lesson).toBe(null);
  // Whoever reads has the next one of the same moment, and each once.
  guide.see(lead);
  expect(guide.lesson?.id).toBe("lead");
  guide.goOn();
  expect(guide.lesson).toBe(null);
  guide.see(lead);
  expect(guide.lesson).toBe(null);
});

test("what comes after a lesson that was read belongs to what the person does, and goes with it", () => {
  const guide = new Guide();
  guide.see(dealt);
  guide.see(lead);
  guide.goOn();
  expect(guide.lesson?.id).toBe("lead");
  guide.see(dealt);
  expect(guide.lesson).toBe(null);
});
