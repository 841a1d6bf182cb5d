/** The page tells what the terminal tells: reasons, dead cards, and the rules of the game that is played. */

import { expect, test } from "vitest";

import { profile, visit } from "./browser";
import { choicesOf, decide, due, start } from "./player";

test("a hint gives its reasons and where they come from", async () => {
  const page = await visit(await profile());
  await start(page, "newmarket", { players: 4 });
  const said: string[] = [];
  for (let what = await due(page); said.length < 3; what = await due(page)) {
    if (what === "next-deal") {
      await page.getByTestId("next-deal").click();
      continue;
    }
    if ((await choicesOf(page).count()) > 1) {
      await page.getByTestId("hint").click();
      await page.getByTestId("advice").locator(".from").waitFor();
      said.push((await page.getByTestId("advice").innerText()).replaceAll(/\s+/g, " "));
    }
    await decide(page);
  }
  console.log(said.join("\n"));
  // At least one is more than a card, and one is a person's rule.
  expect(said.filter((words) => / – .+\. (Rule|Calculated)/.test(words)).length).toBeGreaterThan(0);
  expect(said.filter((words) => words.includes("Rule of thumb")).length).toBeGreaterThan(0);
  for (const words of said) expect(words).toMatch(/^★ The champion’s choice: Lead .+(Rule of thumb – .+: .+\.|Calculated: no rule of thumb says so\.)$/);
});

test("where the champion’s choice is not the first of the list, it is said why", async () => {
  const page = await visit(await profile());
  await start(page, "newmarket", { players: 4 });
  let [first, later] = [0, 0];
  for (let nth = 0; nth < 12 || later === 0; nth++) {
    expect(nth).toBeLessThan(60);
    if ((await due(page)) === "next-deal") {
      await page.getByTestId("next-deal").click();
      continue;
    }
    await page.getByTestId("hint").click();
    await page.getByTestId("advice").waitFor();
    await page.getByTestId("values").click();
    const list = page.getByTestId("values-list");
    // The note has the final figures.
    await expect.poll(() => list.locator(".note").textContent()).toMatch(/average over \d+ sampled deals\s*$/);
    const stars = await list.locator("li:has(.row)").evaluateAll((rows) => rows.map((row) => row.querySelector(".star") !== null));
    expect(stars.filter(Boolean)).toHaveLength(1);
    const note = await list.locator(".note").textContent();
    if (stars[0]) {
      first += 1;
      expect(note).not.toContain("★");
    } else {
      later += 1;
      expect(note).toMatch(/★ is the champion’s choice: (it looked at fewer sampled deals|the difference to the first line may be chance)/);
    }
    await decide(page);
  }
  console.log(`${first} times the first of the list, ${later} times not`);
});

test("an ante has reasons, and the rule of thumb that says the same", async () => {
  const page = await visit(await profile());
  await start(page, "newmarket", { players: 4 });
  expect(await due(page)).toBe("turn");
  await page.getByTestId("hint").click();
  await page.getByTestId("advice").locator(".from").waitFor();
  const said = (await page.getByTestId("advice").innerText()).replaceAll(/\s+/g, " ");
  expect(said).toContain("before the cards are dealt, it matters little where the chips go");
  expect(said).toMatch(/(Rule of thumb – (eldest|the others|the dealer|evenly).+\.|Calculated: no rule of thumb says so\.)$/);
});

test("cards that are known to be dead are crossed out", async () => {
  const page = await visit(await profile());
  await start(page, "michigan", { players: 4 });
  for (let what = await due(page); what === "turn"; what = await due(page)) await decide(page);
  const log = await page.getByTestId("log").innerText();
  const stops = [...log.matchAll(/The .+ stops: the next card is in the dead hand/g)].length;
  expect(await page.locator(".more [data-dead]").count()).toBe(stops);
  expect(stops).toBeGreaterThan(0);
});

test("the rules of this game are read at the table and in the lobby", async () => {
  const page = await visit(await profile());
  await page.getByTestId("game-michigan-auction").click();
  await page.getByTestId("lobby-rules").locator("summary").click();
  expect(await page.getByTestId("lobby-rules").innerText()).toContain("sell it to the highest bidder (at most 20)");
  await start(page, "chicago");
  await due(page);
  await page.getByTestId("menu").click();
  await page.getByTestId("show-rules").click();
  expect(await page.getByTestId("rules-sheet").innerText()).toContain("the dealer may exchange hands with it, unseen, free.");
  await page.keyboard.press("Escape");
  await page.getByTestId("rules-sheet").waitFor({ state: "detached" });
});
