/** A first visit: a guided deal tells each rule when it first happens. */

import { expect, test } from "vitest";

import { atRest, go, profile, visit } from "./browser";
import { decide } from "./player";

test.for([
  ["newmarket", ["ante", "deal", "lead", "mine", "dead", "settle"]],
  ["three-in-one", ["deal", "set-apart", "bet", "lead", "mine", "settle"]],
] as const)("%s", async ([game, wanted]) => {
  const page = await visit(await profile({ settings: { pace: "fast", cards: "until I play" } }));
  await page.getByTestId(`guided-${game}`).click();
  await atRest(page, "table");
  const told: string[] = [];
  for (;;) {
    const found = await page.waitForFunction(
      () => ["guide", "next-deal", "turn", "own"].find((id) => document.querySelector(`[data-testid="${id}"]`) !== null),
      undefined,
      { polling: 20 },
    );
    const what = await found.jsonValue();
    if (what === "next-deal") break;
    if (what === "guide") {
      const lesson = (await page.getByTestId("guide").getAttribute("data-lesson")) ?? "";
      if (told.at(-1) !== lesson) told.push(lesson);
      await page.getByTestId("guide-on").click();
      await page.waitForFunction((lesson) => document.querySelector<HTMLElement>('[data-testid="guide"]')?.dataset.lesson !== lesson, lesson);
    } else if (what === "own") await page.getByTestId("own-play").click();
    else await decide(page);
  }
  console.log(told.join(" "));
  // Each rule once.
  expect(new Set(told).size).toBe(told.length);
  expect(told).toEqual(expect.arrayContaining([...wanted]));
  // Whoever has played is no newcomer.
  await page.getByTestId("next-deal").click();
  await go(page, "lobby");
  expect(await page.getByTestId("guided-newmarket").count()).toBe(0);
});
