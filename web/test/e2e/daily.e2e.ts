/** The daily deal: the same for everybody today, played once, with a result to pass on. */

import { expect, test } from "vitest";

import { atRest, go, profile, visit } from "./browser";
import { due, playOn } from "./player";

test("two people have the same cards, and the result is kept to be shared", async () => {
  const logs: string[] = [];
  for (const nth of [0, 1]) {
    const page = await visit(await profile({ permissions: ["clipboard-read", "clipboard-write"] }));
    await page.getByTestId("play-daily").click();
    await atRest(page, "table");
    await due(page);
    expect(await page.getByTestId("undo").isDisabled()).toBe(true);
    const kinds = await playOn(page);
    expect(kinds.deals).toBe(1);
    logs.push(await page.getByTestId("log").innerText());
    if (nth > 0) break;
    await page.getByTestId("result").getByTestId("share-copy").click();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toMatch(/^Newmarket, daily deal of \d{4}-\d\d-\d\d: .+ chips, place [1-4] of 4\n▪+●* \d+ cards, .+ \(newmarket \d+\.\d+\.\d+\)$/);
    // Undo stays away when the deal is over, and the lobby has the result in the place of the deal.
    await page.getByTestId("new-session").click();
    await atRest(page, "lobby");
    expect(await page.getByTestId("daily").locator("pre").textContent()).toBe(text);
    expect(await page.getByTestId("play-daily").count()).toBe(0);
    await go(page, "statistics");
    await go(page, "lobby");
  }
  expect(logs[1]).toBe(logs[0]);
});
