/** A first visit: a guided deal tells each rule when it first happens. */

import { expect, test } from "vitest";

import { atRest, go, profile, visit } from "./browser";
import { decide } from "./player";

test.for([
  ["newmarket", ["ante", "deal", "lead", "mine", "claim", "dead", "settle"]],
  ["three-in-one", ["deal", "dead-hand", "collect", "set-apart", "bet", "lead", "mine", "dead", "settle"]],
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
  // Whoever has played is no newcomer, and another session has no lessons.
  await page.getByTestId("next-deal").click();
  await go(page, "lobby");
  expect(await page.getByTestId("guided-newmarket").count()).toBe(0);
});

test("a player who reads no lesson comes to the end as well, with cards that do not wait for ever", async () => {
  const page = await visit(await profile({ settings: { pace: "instant", cards: "5 seconds" } }));
  // From the help, where it is offered for ever.
  await go(page, "help");
  await page.getByTestId("help-guide").click();
  await atRest(page, "table");
  let lessons = 0;
  for (;;) {
    const found = await page.waitForFunction(
      () => ["next-deal", "turn", "own", "guide"].find((id) => document.querySelector(`[data-testid="${id}"]`) !== null),
      undefined,
      { polling: 20 },
    );
    const what = await found.jsonValue();
    if (what === "next-deal") break;
    if (what === "turn") await decide(page);
    else if (what === "own") {
      await page.getByTestId("own-play").click();
      await page.getByTestId("own").waitFor({ state: "detached" });
    } else {
      // Nothing else can be done: it is found by the keyboard.
      await page.keyboard.press("n");
      lessons += 1;
    }
  }
  expect(lessons).toBeGreaterThan(0);
});

test("a guided deal that is left goes on, and its offer stays until a deal was played", async () => {
  const page = await visit(await profile({ settings: { pace: "fast", cards: "until I play" } }));
  await page.getByTestId("guided-newmarket").click();
  await atRest(page, "table");
  const lesson = await page.getByTestId("guide").getAttribute("data-lesson");
  await go(page, "lobby");
  expect(await page.getByTestId("guided-newmarket").count()).toBe(1);
  await page.getByTestId("continue").click();
  await atRest(page, "table");
  expect(await page.getByTestId("guide").getAttribute("data-lesson")).toBe(lesson);
  await page.getByTestId("guide-on").click();
  await decide(page);
});
