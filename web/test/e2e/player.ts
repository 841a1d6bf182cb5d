/** Somebody who plays at a table by clicking. */

import type { Locator, Page } from "playwright-core";

import { atRest } from "./browser";

/** Chooses the game in the lobby and starts. */
export async function start(page: Page, game: string, { players, deals, level = "easy" }: { players?: number; deals?: number; level?: string } = {}): Promise<void> {
  await atRest(page, "lobby");
  await page.getByTestId(`game-${game}`).click();
  if (players !== undefined) await page.getByTestId(`players-${players}`).click();
  if (deals !== undefined) await page.getByTestId("deals").selectOption(`${deals}`);
  await page.getByTestId(`level-${level}`).click();
  await page.getByTestId("start").click();
  await atRest(page, "table");
}

/** What the person can do next. */
export type Due = "turn" | "next-deal" | "result";

/**
 * Waits until something is to be done: all that happened has been shown by then, on a page at rest. A decision, its undo
 * and the next deal take away at once what was to be done before, so that this is never mistaken for what comes.
 */
export async function due(page: Page): Promise<Due> {
  const found = await page.waitForFunction(
    () => ["result", "next-deal", "turn"].find((id) => document.querySelector(`[data-testid="${id}"]`) !== null),
    undefined,
    { polling: 20 },
  );
  return (await found.jsonValue()) as Due;
}

/** The kind of the decision that is due. */
export async function kindOf(page: Page): Promise<string> {
  return (await page.getByTestId("turn").getAttribute("data-kind")) ?? "";
}

/** The buttons of single decisions. */
export function choicesOf(page: Page): Locator {
  return page.locator('[data-testid^="choice-"]:enabled');
}

/** Takes the decision that is due: the `nth` of those offered, or the champion's where there is something to fill in and hints are given. */
export async function decide(page: Page, nth = 0): Promise<void> {
  const kind = await kindOf(page);
  if (kind === "ante" || kind === "set-apart") {
    const hint = page.getByTestId("suggest");
    if ((await hint.count()) > 0) await hint.click();
    // Where there are no hints, all on one boodle.
    else for (const plus = page.locator('[data-testid^="ante-plus-"]:enabled').first(); (await plus.count()) > 0; ) await plus.click();
    await page.locator('[data-testid="confirm"]:enabled').click();
    return;
  }
  const choices = choicesOf(page);
  await choices.nth(nth % (await choices.count())).click();
}

/** The number of the deal, as the title of the page has it. */
async function dealOf(page: Page): Promise<number> {
  return Number(/deal (\d+) of/.exec(await page.title())?.[1]);
}

/** Plays to the end of the session; how many deals that took, and which kinds of decisions there were. */
export async function playOn(page: Page, each?: (kind: string) => Promise<void>): Promise<{ deals: number; kinds: Set<string> }> {
  const kinds = new Set<string>();
  for (let nth = 0; ; nth++) {
    const what = await due(page);
    if (what === "result") return { deals: await dealOf(page), kinds };
    if (what === "next-deal") {
      await page.getByTestId("next-deal").click();
      continue;
    }
    const kind = await kindOf(page);
    kinds.add(kind);
    await each?.(kind);
    await decide(page, nth);
  }
}
