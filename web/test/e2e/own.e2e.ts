/** Your cards are yours: a deal is played by own taps, by keyboard and by touch; whoever waits too long has them played. */

import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { atRest, profile, visit } from "./browser";
import { decide, kindOf, start } from "./player";

/** What comes next where own cards wait: a decision, an own card, or the end of the deal. */
async function next(page: Page): Promise<string> {
  const found = await page.waitForFunction(
    () => ["result", "next-deal", "turn", "own"].find((id) => document.querySelector(`[data-testid="${id}"]`) !== null),
    undefined,
    { polling: 20 },
  );
  return (await found.jsonValue()) as string;
}

/** Plays a deal; `play` plays the card that waits, or takes the chips that do. How many there were. */
async function playDeal(page: Page, play: (card: string | null) => Promise<void>): Promise<number> {
  let touches = 0;
  for (;;) {
    const what = await next(page);
    if (what === "turn") await decide(page);
    else if (what === "own") {
      const card = page.locator('[data-testid^="own-"]:is(.card)');
      const name = (await card.count()) > 0 ? ((await card.getAttribute("data-testid"))?.slice(4) ?? null) : null;
      const log = await page.getByTestId("log").locator("li").count();
      await play(name);
      // It lies on the table: with the deal's last card, the rest is told as well.
      await expect.poll(() => page.getByTestId("log").locator("li").count()).toBeGreaterThan(log);
      touches += 1;
    } else return touches;
  }
}

const settings = { cards: "until I play" };

test("a deal is played by own taps: on the card, on the boodle, on the button", async () => {
  const page = await visit(await profile({ settings }));
  await start(page, "newmarket", { players: 4 });
  let boodles = 0;
  let touches = 0;
  const play = async (card: string | null) => {
    const take = page.locator('[data-testid^="take-"]');
    if ((await take.count()) > 0) {
      boodles += 1;
      await take.first().click();
    } else if (card?.endsWith("H")) await page.getByTestId("own-play").click();
    else await page.getByTestId(`own-${card}`).click();
  };
  while (boodles === 0) {
    if (touches > 0) await page.getByTestId("next-deal").click();
    touches += await playDeal(page, play);
    expect(touches).toBeGreaterThan(2);
    expect(touches).toBeLessThan(100);
  }
  console.log(`${touches} touches, ${boodles} of them boodles`);
});

test("a deal is played by keyboard, and a screen reader is told whose card it is", async () => {
  const page = await visit(await profile({ settings }));
  await start(page, "michigan", { players: 4 });
  let told = false;
  const touches = await playDeal(page, async (card) => {
    if (!told) {
      await expect.poll(() => page.getByTestId("live").textContent()).toMatch(/Yours: (Play|Lead) the .+\.$/);
      told = true;
      // The focus is on the card.
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-testid"))).toBe(`own-${card}`);
      // A number chooses: it plays no card, so that it cannot meet the next decision.
      await page.keyboard.press("1");
      expect(await page.getByTestId(`own-${card}`).count()).toBe(1);
      await page.keyboard.press("Enter");
    } else {
      // Wherever the focus is.
      if (card?.endsWith("S")) await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await page.keyboard.press("Space");
    }
  });
  expect(touches).toBeGreaterThan(2);
});

test("a deal is played by touch at 360 × 640, with cards of at least 44 pixels", async () => {
  const page = await visit(await profile({ settings, viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }));
  await start(page, "newmarket", { players: 3 });
  // A tap on a boodle stakes a chip.
  for (;;) {
    const what = await next(page);
    if (what === "own") await page.getByTestId("own-play").tap();
    else if ((await kindOf(page)) === "ante") break;
    else await decide(page);
  }
  for (const cell of ["AS", "AS", "QC", "KH"]) await page.getByTestId(`stake-${cell}`).tap();
  await page.getByTestId("confirm").tap();
  await playDeal(page, async (card) => {
    const { least, hit } = await page.getByTestId(`own-${card}`).evaluate((button) => {
      const { left, right, top, bottom, width, height } = button.getBoundingClientRect();
      // Within its round corners, it is what a finger hits.
      const corners = [left + 4, right - 4].flatMap((x) => [top + 4, bottom - 4].map((y) => document.elementFromPoint(x, y)));
      return { least: Math.min(width, height), hit: corners.map((element) => button.contains(element)) };
    });
    expect(least).toBeGreaterThanOrEqual(44);
    expect(hit).toEqual([true, true, true, true]);
    await page.getByTestId(`own-${card}`).tap();
  });
});

test("a card is played by a swipe, and not by a finger that goes elsewhere", async () => {
  const page = await visit(await profile({ settings, viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }));
  await start(page, "newmarket", { players: 3 });
  const touch = await page.context().newCDPSession(page);
  const drag = async (x: number, y: number, by: [number, number]) => {
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
    for (let nth = 1; nth <= 4; nth++) {
      const touchPoints = [{ x: x + (by[0] * nth) / 4, y: y + (by[1] * nth) / 4 }];
      await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints });
    }
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  let swipes = 0;
  await playDeal(page, async (card) => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await page.getByTestId(`own-${card}`).boundingBox()) ?? {};
    const [middle, centre] = [x + width / 2, y + height / 2];
    await drag(middle, centre, [40, 0]);
    expect(await page.getByTestId(`own-${card}`).count()).toBe(1);
    await drag(middle, centre, [0, -60]);
    swipes += 1;
  });
  expect(swipes).toBeGreaterThan(2);
});

test("a card that waits goes on waiting when the page is loaded again", async () => {
  const page = await visit(await profile({ settings }));
  await start(page, "newmarket", { players: 4 });
  for (let waited = 0; waited < 2; ) {
    if ((await next(page)) !== "own") {
      await decide(page);
      continue;
    }
    const read = async () => [await page.getByTestId("own-play").getAttribute("aria-label"), await page.getByTestId("log").innerText()];
    const before = await read();
    await page.reload();
    await atRest(page, "table");
    await page.getByTestId("own-play").waitFor();
    expect(await read()).toEqual(before);
    await page.getByTestId("own-play").click();
    await expect.poll(() => page.getByTestId("log").innerText()).not.toBe(before[1]);
    waited += 1;
  }
});

test("a card that waits too long is played, with a ring before and a gentle line after", async () => {
  const page = await visit(await profile({ settings: { cards: "5 seconds" } }));
  await start(page, "newmarket", { players: 4 });
  for (;;) {
    if ((await next(page)) === "own") break;
    await decide(page);
  }
  await page.getByTestId("own-ring").waitFor();
  await page.getByTestId("late").waitFor();
  expect(await page.getByTestId("late").textContent()).toMatch(/^The .+ of .+ was played for you\./);
});

test("the time of a card does not run behind the menu and the rules", async () => {
  const page = await visit(await profile({ settings: { cards: "5 seconds" } }));
  await page.clock.install();
  await start(page, "newmarket", { players: 4 });
  while ((await next(page)) !== "own") await decide(page);
  const label = await page.getByTestId("own-play").getAttribute("aria-label");
  await page.getByTestId("menu").click();
  await page.getByTestId("own-ring").waitFor({ state: "detached" });
  await page.clock.runFor(30_000);
  await page.getByTestId("show-rules").click();
  await page.clock.runFor(30_000);
  expect(await page.getByTestId("own-play").getAttribute("aria-label")).toBe(label);
  await page.keyboard.press("Escape");
  await page.getByTestId("own-ring").waitFor();
  await page.clock.runFor(6000);
  await page.getByTestId("late").waitFor();
});

test("at the relaxed pace the page plays what there is nothing to choose about", async () => {
  const page = await visit(await profile());
  await start(page, "newmarket", { players: 4 });
  for (let what = await next(page); what !== "next-deal"; what = await next(page)) {
    expect(what).toBe("turn");
    await decide(page);
  }
});
