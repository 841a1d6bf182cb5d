/** Endings: why it ended, all hands, the worst mistakes and another session in a tap; and nothing of it before. */

import { expect, test } from "vitest";

import { atRest, go, profile, visit } from "./browser";
import { decide, due, playOn, start } from "./player";

test("a deal ends with its reason, all hands and the dead hand, and the pots that are carried", async () => {
  const page = await visit(await profile({ viewport: { width: 360, height: 640 } }));
  await start(page, "newmarket", { players: 4, deals: 5 });
  for (let what = await due(page); what === "turn"; what = await due(page)) await decide(page);
  expect(await page.getByTestId("settlement").getByTestId("why").textContent()).toMatch(/out of cards, with the .+ of .+\.$/);
  expect(await page.getByTestId("settlement").locator(".cards").count()).toBeGreaterThanOrEqual(4);
  expect(await page.getByTestId("dead-open").textContent()).toMatch(/^Dead hand/);
  const chips = await page.locator('[data-testid^="cell-"] .place').evaluateAll((all) => all.map((cell) => Number(/: (\d+) chip/.exec(cell.getAttribute("aria-label") ?? "")?.[1])));
  const carried = page.getByTestId("carried");
  // In this deal something stays.
  expect(chips.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
  expect(await carried.textContent()).toMatch(/^Carried to the next deal: \d+ chips? on the /);
});

test("all hands of a deal that is played are opened after a question alone, and then it does not count", async () => {
  const page = await visit(await profile());
  await start(page, "michigan", { players: 4, deals: 1 });
  await due(page);
  await page.getByTestId("values").click();
  await page.getByTestId("what-if").first().click();
  await page.getByTestId("ask").waitFor();
  await page.getByTestId("ask-no").click();
  expect(await page.locator('main[data-testid="table"]').count()).toBe(1);
  await page.getByTestId("what-if").first().click();
  await page.getByTestId("ask-yes").click();
  await atRest(page, "replay");
  await page.getByTestId("close").click();
  await atRest(page, "table");
  await playOn(page);
  await go(page, "statistics");
  expect(await page.getByTestId("statistics").locator("tbody tr").count()).toBe(0);
});

test("an undo after all hands were turned up is asked about, and the deal then does not count", async () => {
  const page = await visit(await profile());
  await start(page, "michigan", { players: 4, deals: 1 });
  for (let what = await due(page); what === "turn"; what = await due(page)) await decide(page);
  await page.keyboard.press("u");
  await page.getByTestId("ask-no").click();
  expect(await due(page)).toBe("next-deal");
  await page.getByTestId("undo").click();
  await page.getByTestId("ask-yes").click();
  expect(await due(page)).toBe("turn");
  for (let what = await due(page); what === "turn"; what = await due(page)) await decide(page);
  expect(await page.getByTestId("settlement").textContent()).toContain("this deal does not count");
  // What is spoilt is not asked about again.
  await page.getByTestId("undo").click();
  expect(await due(page)).toBe("turn");
  await playOn(page);
  await go(page, "statistics");
  expect(await page.getByTestId("statistics").locator("tbody tr").count()).toBe(0);
});

test("after a session: the worst mistakes, each shown again, and another session in one tap", async () => {
  const page = await visit(await profile());
  await start(page, "newmarket", { players: 4, deals: 5 });
  // The last choice of each decision is rarely the best.
  for (let what = await due(page); what !== "result"; what = await due(page)) {
    if (what === "next-deal") await page.getByTestId("next-deal").click();
    else await decide(page, 3);
  }
  expect(await page.getByTestId("result").getByTestId("why").textContent()).toBe("All 5 deals are played.");
  await page.getByTestId("review").click();
  const mistakes = page.getByTestId("mistakes").locator("li");
  await mistakes.first().waitFor();
  const text = (await mistakes.first().textContent()) ?? "";
  await mistakes.first().getByRole("button", { name: "Show me" }).click();
  await atRest(page, "replay");
  await page.getByTestId("values-list").waitFor();
  const made = /: (.+) cost/.exec(text)?.[1] ?? "nothing";
  await expect.poll(() => page.getByTestId("values-list").locator(".was").textContent()).toContain(made);
  await page.getByTestId("close").click();
  // The result is still there.
  await page.getByTestId("again").click();
  await page.waitForFunction(() => document.title.startsWith("Newmarket, deal 1 of 5"));
  expect(await due(page)).toBe("turn");
});

test("a session with real chips says who cannot pay", async () => {
  const page = await visit(await profile());
  await start(page, "four-horses", { players: 6, deals: 20 });
  const { deals } = await playOn(page);
  const why = await page.getByTestId("result").getByTestId("why").textContent();
  expect(deals).toBeLessThan(20);
  expect(why).toMatch(/ cannot pay the next stake of 2.*The session is over after deal \d+ of 20\.$/);
});
