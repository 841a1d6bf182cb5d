/** Every named game is played to the end of a short session by clicking. */

import { expect, test } from "vitest";

import { NAMES, gameRules } from "../../src/game/rules";
import { go, profile, visit } from "./browser";
import { playOn, start } from "./player";

const DEALS = 5;

/** Kinds of decisions that every session of the game brings. */
function kindsOf(base: string): string[] {
  const { layout_ante: ante, stages, change_suit: change } = gameRules(base);
  return [
    ...("free" in ante && ante.free.chips > 0 ? ["ante"] : []),
    ...(stages.includes("poker") ? ["set-apart", "poker"] : []),
    // There the lead is nearly always the only one that is allowed.
    ...(change === "other_colour" ? [] : ["lead"]),
  ];
}

test.for(NAMES.map((base, nth) => [base, nth] as const))("%s", async ([base, nth]) => {
  const page = await visit(await profile());
  const rules = gameRules(base);
  const [least, most] = rules.players;
  await start(page, base, { players: least + (nth % (most - least + 1)), deals: DEALS });
  const { deals, kinds } = await playOn(page);
  // A bust may end a session early where there are real chips.
  if (rules.session.bankroll === "credit") expect(deals).toBe(DEALS);
  expect([...kinds]).toEqual(expect.arrayContaining(kindsOf(base)));
  await go(page, "statistics");
  const row = page.getByTestId("statistics").locator("tbody tr");
  expect(await row.locator("td").nth(1).textContent()).toBe("1");
  expect(await row.locator("td").nth(3).textContent()).toBe(`${deals}`);
});
