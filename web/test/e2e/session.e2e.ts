/** A session is resumed where it was; hints are quick; nothing holds the main thread up. */

import { expect, test } from "vitest";

import { atRest, go, profile, tasksOf, url, visit } from "./browser";
import { choicesOf, decide, due, kindOf, playOn, start } from "./player";

test("reload resumes the session where it was", async () => {
  const page = await visit(await profile());
  await start(page, "newmarket", { players: 4 });
  for (let nth = 0; nth < 2 && (await due(page)) === "turn"; nth++) await decide(page);
  const state = async () => {
    await due(page);
    return {
      hand: await page.getByTestId("hand").locator('[data-testid^="card-"], [data-testid^="choice-lead-"]').evaluateAll((all) => all.map((it) => it.getAttribute("data-testid"))),
      log: await page.getByTestId("log").locator("li").allTextContents(),
      seats: await page.locator('[data-testid^="seat-"]').allTextContents(),
    };
  };
  const before = await state();
  expect(before.hand.length).toBeGreaterThan(0);
  await page.reload();
  expect(await state()).toEqual(before);

  // As well from the lobby.
  await go(page, "lobby");
  await page.getByTestId("continue").click();
  expect(await state()).toEqual(before);
});

test("a session that was left for another game waits in the lobby", async () => {
  const page = await visit(await profile());
  for (const game of ["michigan", "chicago"]) {
    await start(page, game);
    await due(page);
    await go(page, "lobby");
  }
  await page.getByTestId("others").click();
  await page.getByRole("button", { name: "Continue Michigan" }).click();
  await due(page);
  expect(await page.title()).toMatch(/^Michigan, deal 1 of /);
});

test("undo takes the last decision back", async () => {
  const page = await visit(await profile());
  await start(page, "michigan", { players: 4 });
  const hand = () => page.getByTestId("hand").textContent();
  await due(page);
  const before = await hand();
  await decide(page);
  await due(page);
  expect(await hand()).not.toBe(before);
  await page.getByTestId("undo").click();
  await due(page);
  expect(await hand()).toBe(before);
});

test("a hint comes within 300 ms", async () => {
  const page = await visit(await profile());
  await start(page, "michigan", { players: 3, level: "champion", deals: 5 });
  const times: number[] = [];
  await playOn(page, async () => {
    if ((await choicesOf(page).count()) < 2) return;
    // In the page, so that what this test takes to ask does not count.
    const time = await page.evaluate(async () => {
      if (document.body.textContent.includes("★")) throw new Error("there is a hint already");
      const from = performance.now();
      document.querySelector<HTMLElement>('[data-testid="hint"]')?.click();
      while (!document.body.textContent.includes("★")) await new Promise((resolve) => setTimeout(resolve, 2));
      return performance.now() - from;
    });
    times.push(time);
  });
  times.sort((a, b) => a - b);
  console.log(`hints: ${times.map((time) => time.toFixed(0)).join(" ")} ms`);
  expect(times.length).toBeGreaterThan(4);
  expect(times.at(-1)).toBeLessThan(300);
});

test.for([["newmarket", "ante"], ["three-in-one", "set-apart"]] as const)("a hint is seen in %s at its %s, until it is followed", async ([game, wanted]) => {
  const page = await visit(await profile());
  await start(page, game, { players: 4 });
  for (let what = await due(page); what !== "turn" || (await kindOf(page)) !== wanted; what = await due(page)) {
    if (what === "turn") await decide(page);
    else await page.getByTestId("next-deal").click();
  }
  const advice = page.getByTestId("advice");
  expect(await advice.count()).toBe(0);
  await page.keyboard.press("h");
  await advice.waitFor();
  expect(await advice.textContent()).toMatch(wanted === "ante" ? /Stake \d on / : /Set apart \d of .+ and /);
  await page.getByTestId("suggest").click();
  await advice.waitFor({ state: "detached" });
});

test("a hint is told to screen readers", async () => {
  const page = await visit(await profile());
  await start(page, "michigan", { players: 4 });
  await due(page);
  const told = () => page.getByTestId("live").textContent();
  await expect.poll(told).toMatch(/choose a suit$/);
  await page.getByTestId("hint").click();
  await expect.poll(told).toMatch(/^The champion’s choice: Lead the .+ of .+\.$/);
});

// What else the machine does makes tasks longer, never shorter: one run of four without a long one is enough.
test("no task of the main thread takes more than 50 ms", { retry: 3 }, async () => {
  const context = await profile({ settings: { pace: "fast", coach: true } });
  const page = await context.newPage();
  const tasks = await tasksOf(page, async () => {
    await page.goto(url);
    await start(page, "three-in-one", { players: 8, level: "champion", deals: 1 });
    await playOn(page, async () => {
      await page.getByTestId("values").click();
      await page.getByTestId("hint").click();
    });
    await page.getByTestId("replay").click();
    await atRest(page, "replay");
    await page.getByTestId("step-next").click();
    await go(page, "rules-editor");
    await page.getByTestId("rules-base").selectOption("four-horses");
    await go(page, "lobby");
    await page.getByTestId("game-michigan").click();
  });
  console.log(`longest tasks: ${tasks.slice(0, 5).map(({ ms, at }) => `${ms.toFixed(1)} ms at ${at.toFixed(0)}`).join(", ")}`);
  expect(tasks.filter(({ ms }) => ms > 50)).toEqual([]);
});
