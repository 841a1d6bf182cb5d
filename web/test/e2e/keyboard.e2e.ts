/** A whole game is played without a mouse. */

import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { profile, visit } from "./browser";
import { due } from "./player";

/** Moves the focus on until it is where the test wants it, as somebody with a keyboard would. */
async function tabTo(page: Page, testid: string): Promise<void> {
  for (let nth = 0; nth < 120; nth++) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate(() => document.activeElement?.closest("[data-testid]")?.getAttribute("data-testid"))) === testid) return;
  }
  throw new Error(`Tab does not lead to ${testid}`);
}

test("three-in-one by keyboard alone", async () => {
  const page = await visit(await profile());
  await page.getByTestId("lobby").waitFor();
  // The game is chosen among radio buttons, by the arrow keys.
  await tabTo(page, "game-newmarket");
  for (let nth = 0; nth < 20 && !(await page.locator('[data-testid="game-three-in-one"] input').isChecked()); nth++) {
    await page.keyboard.press("ArrowDown");
  }
  expect(await page.locator('[data-testid="game-three-in-one"] input').isChecked()).toBe(true);
  for (let nth = 0; nth < 40; nth++) {
    if ((await page.evaluate(() => document.activeElement?.getAttribute("data-testid"))) === "start") break;
    await page.keyboard.press("Shift+Tab");
  }
  await page.keyboard.press("Enter");
  const kinds = new Set<string>();
  let deals = 0;
  for (let steps = 0; ; steps++) {
    const what = await due(page);
    if (what === "result") break;
    if (what === "next-deal") {
      deals++;
      await page.keyboard.press("n");
      await page.getByTestId("next-deal").waitFor({ state: "detached" });
      continue;
    }
    const kind = (await page.getByTestId("turn").getAttribute("data-kind")) ?? "";
    kinds.add(kind);
    const before = await page.getByTestId("log").locator("li").count();
    if (kind === "set-apart") {
      await tabTo(page, "suggest");
      await page.keyboard.press("Enter");
      await page.locator('[data-testid="confirm"]:enabled').waitFor();
      await tabTo(page, "confirm");
      await page.keyboard.press(steps % 2 ? "Enter" : "Space");
    } else {
      await page.keyboard.press("1");
    }
    await page.waitForFunction(
      (before) => document.querySelectorAll('[data-testid="log"] li').length !== before || document.querySelector('[data-testid="next-deal"], [data-testid="result"]'),
      before,
    );
  }
  expect(deals).toBe(10);
  expect([...kinds]).toEqual(expect.arrayContaining(["set-apart", "poker", "lead"]));
});
