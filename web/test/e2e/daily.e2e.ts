/** The daily deal: the same for everybody today, played once and without help, with a result to pass on. */

import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { atRest, go, profile, visit, type Options } from "./browser";
import { decide, due, playOn } from "./player";

/** The lobby on a day, whatever the clock says. */
async function lobby(day: string, options: Options = {}): Promise<Page> {
  const context = await profile(options);
  await context.clock.setFixedTime(`${day}T12:00:00Z`);
  return visit(context);
}

test("two people have the same cards, and the result is kept to be shared", async () => {
  const played: string[][] = [];
  for (const _ of [0, 1]) {
    const page = await lobby("2026-11-30", { permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByTestId("play-daily").click();
    await atRest(page, "table");
    await due(page);
    // Nobody is helped, and nothing is taken back.
    expect(await page.getByTestId("undo").isDisabled()).toBe(true);
    for (const help of ["hint", "values", "suggest"]) expect(await page.getByTestId(help).count(), help).toBe(0);
    expect((await playOn(page)).deals).toBe(1);
    expect(await page.getByTestId("again").count()).toBe(0);
    const log = await page.getByTestId("log").innerText();
    await page.getByTestId("result").getByTestId("copy-result-text").click();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    played.push([log, text]);
    // The lobby has the result in the place of the deal.
    await page.getByTestId("new-session").click();
    await atRest(page, "lobby");
    expect(await page.getByTestId("daily").locator("pre").textContent()).toBe(text);
    expect(await page.getByTestId("play-daily").count()).toBe(0);
    await go(page, "statistics");
    await go(page, "lobby");
  }
  const [[log = "", text = ""] = [], other] = played;
  expect(other).toEqual([log, text]);
  const cards = [...log.matchAll(/^You (lead|play) /gm)].length;
  expect(text).toMatch(new RegExp(`^Newmarket, daily deal of 2026-11-30: [+−]?\\d+ chips, place [1-4] of 4\\n▪{${cards}}●* ${cards} cards, .+ \\(newmarket \\d+\\.\\d+\\.\\d+\\)$`));
});

test("a daily deal that is left is gone on with, and a page that stays open has the next day's", async () => {
  const page = await lobby("2026-11-30");
  await page.getByTestId("play-daily").click();
  await atRest(page, "table");
  await due(page);
  await decide(page);
  await due(page);
  const log = await page.getByTestId("log").innerText();
  await page.reload();
  await atRest(page, "table");
  await go(page, "lobby");
  expect(await page.getByTestId("play-daily").textContent()).toBe("Go on with the daily deal");
  expect(await page.getByTestId("continue").count()).toBe(0);
  await page.getByTestId("play-daily").click();
  await atRest(page, "table");
  await due(page);
  expect(await page.getByTestId("log").innerText()).toBe(log);
  await playOn(page);
  await page.getByTestId("new-session").click();
  await atRest(page, "lobby");
  expect(await page.getByTestId("play-daily").count()).toBe(0);
  await page.clock.setFixedTime("2026-12-01T00:00:01Z");
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  expect(await page.getByTestId("play-daily").textContent()).toBe("Play the daily deal");
});
