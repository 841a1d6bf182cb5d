/** Somebody who plays at a table by clicking. */

import type { Locator, Page } from "playwright-core";

/** Chooses the game in the lobby and starts. */
export async function start(page: Page, game: string, { players, deals, level = "easy" }: { players?: number; deals?: number; level?: string } = {}): Promise<void> {
  await page.getByTestId(`game-${game}`).click();
  if (players !== undefined) await page.getByTestId(`players-${players}`).click();
  if (deals !== undefined) await page.getByTestId("deals").selectOption(`${deals}`);
  await page.getByTestId(`level-${level}`).click();
  await page.getByTestId("start").click();
  await page.getByTestId("table").waitFor();
}

/** What the person can do next. */
export type Due = "turn" | "next-deal" | "result";

/** Waits until something is to be done. */
export async function due(page: Page): Promise<Due> {
  const found = await page.waitForFunction(
    () => ["result", "next-deal", "turn"].find((id) => document.querySelector(`[data-testid="${id}"]`) !== null),
    undefined,
    { polling: 20, timeout: 20_000 },
  );
  return (await found.jsonValue()) as Due;
}

/** The kind of the decision that is due; nothing if there is none. */
export function kindOf(page: Page): Promise<string | null> {
  return page.evaluate(() => document.querySelector('[data-testid="turn"]')?.getAttribute("data-kind") ?? null);
}

/** The buttons of single decisions. */
export function choicesOf(page: Page): Locator {
  return page.locator('[data-testid^="choice-"]:enabled');
}

/** A click on what may be gone by then: whether it was there. */
async function click(target: Locator): Promise<boolean> {
  return target.click({ timeout: 1_000 }).then(
    () => true,
    () => false,
  );
}

/**
 * Takes a decision: the `nth` of those offered, or the champion's where there is something to fill in. What kind it was;
 * nothing if it was not there any more.
 */
export async function decide(page: Page, nth = 0): Promise<string | null> {
  const kind = await kindOf(page);
  if (kind === "ante" || kind === "set-apart") {
    if (!(await click(page.getByTestId("suggest")))) return null;
    return (await click(page.locator('[data-testid="confirm"]:enabled'))) ? kind : null;
  }
  const count = await choicesOf(page).count();
  return count > 0 && (await click(choicesOf(page).nth(nth % count))) ? kind : null;
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
      await click(page.getByTestId("next-deal"));
      continue;
    }
    const before = await kindOf(page);
    if (before !== null) await each?.(before);
    const kind = await decide(page, nth);
    if (kind !== null) kinds.add(kind);
  }
}
