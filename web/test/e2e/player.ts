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
  const turn = page.getByTestId("turn");
  const next = page.getByTestId("next-deal");
  const result = page.getByTestId("result");
  await turn.or(next).or(result).first().waitFor({ timeout: 20_000 });
  if (await result.isVisible()) return "result";
  return (await next.isVisible()) ? "next-deal" : "turn";
}

/** Takes a decision: the `nth` of those offered, or the champion's where there is something to fill in. */
export async function decide(page: Page, nth = 0): Promise<string> {
  const turn = page.getByTestId("turn");
  const kind = (await turn.getAttribute("data-kind")) ?? "";
  if (kind === "ante" || kind === "set-apart") {
    await page.getByTestId("suggest").click();
    await page.locator('[data-testid="confirm"]:enabled').click();
  } else {
    const choices = choicesOf(page);
    await choices.nth(nth % (await choices.count())).click();
  }
  return kind;
}

/** The buttons of single decisions. */
export function choicesOf(page: Page): Locator {
  return page.locator('[data-testid^="choice-"]:enabled');
}

/** Plays to the end of the session; how many deals that took, and which kinds of decisions there were. */
export async function playOn(page: Page, each?: (kind: string) => Promise<void>): Promise<{ deals: number; kinds: Set<string> }> {
  const kinds = new Set<string>();
  for (let [deals, nth] = [1, 0]; ; nth++) {
    const what = await due(page);
    if (what === "result") return { deals, kinds };
    if (what === "next-deal") {
      deals++;
      await page.getByTestId("next-deal").click();
    } else {
      await each?.((await page.getByTestId("turn").getAttribute("data-kind")) ?? "");
      kinds.add(await decide(page, nth));
    }
  }
}
