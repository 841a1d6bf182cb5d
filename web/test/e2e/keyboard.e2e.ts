/** A whole game is played without a mouse. */

import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { profile, visit } from "./browser";
import { due, kindOf } from "./player";

/** Moves the focus on, or back, until it is where the test wants it, as somebody with a keyboard would. */
async function tabTo(page: Page, testid: string, key = "Tab"): Promise<void> {
  for (let nth = 0; nth < 120; nth++) {
    await page.keyboard.press(key);
    if ((await page.evaluate(() => document.activeElement?.closest("[data-testid]")?.getAttribute("data-testid"))) === testid) return;
  }
  throw new Error(`${key} does not lead to ${testid}`);
}

test("three-in-one by keyboard alone", async () => {
  const page = await visit(await profile());
  // The game is chosen among radio buttons, by the arrow keys.
  await tabTo(page, "game-newmarket");
  const chosen = page.getByTestId("game-three-in-one").locator("input");
  for (let nth = 0; nth < 20 && !(await chosen.isChecked()); nth++) await page.keyboard.press("ArrowDown");
  expect(await chosen.isChecked()).toBe(true);
  await tabTo(page, "start", "Shift+Tab");
  await page.keyboard.press("Enter");
  const kinds = new Set<string>();
  let deals = 0;
  for (let steps = 0; ; steps++) {
    const what = await due(page);
    if (what === "result") break;
    if (what === "next-deal") {
      deals++;
      await page.keyboard.press("n");
      continue;
    }
    const kind = await kindOf(page);
    kinds.add(kind);
    if (kind === "set-apart") {
      await tabTo(page, "suggest");
      await page.keyboard.press("Enter");
      await page.locator('[data-testid="confirm"]:enabled').waitFor();
      await tabTo(page, "confirm");
      await page.keyboard.press(steps % 2 ? "Enter" : "Space");
    } else {
      await page.keyboard.press("1");
    }
  }
  expect(deals).toBe(10);
  expect([...kinds]).toEqual(expect.arrayContaining(["set-apart", "poker", "lead"]));
});
