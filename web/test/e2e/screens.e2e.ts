/** Every screen in both themes and at both sizes: nothing for axe to find, no sideways scrolling, all in sight. */

import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { atRest, beyond, go, profile, visit } from "./browser";
import { decide, due, playOn, start } from "./player";

const SIZES = [
  [360, 640],
  [1440, 900],
] as const;
const THEMES = ["light", "dark"] as const;

/** Waits until nothing moves any more: what is half faded in has another contrast, and another place. */
async function still(page: Page): Promise<void> {
  await page.waitForFunction(() => document.getAnimations().every((it) => it.effect?.getComputedTiming().endTime === Infinity));
}

/** Looks at what is there in both themes. */
async function axe(page: Page, what: string): Promise<void> {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    await still(page);
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.map(({ id, nodes }) => `${what}, ${colorScheme}: ${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(" ")} (${failureSummary})`).join(", ")}`);
    expect(found).toEqual([]);
  }
}

// A hand is spread anew with the frame after its width is known: places and widths are asked for until they are right.

async function fits(page: Page, what: string): Promise<void> {
  await expect.poll(() => beyond(page), { message: `${what} is wider than the window` }).toEqual([]);
}

/** The whole decision is in sight without scrolling. */
async function inSight(page: Page, what: string): Promise<void> {
  const outside = () => page.evaluate(() => {
    const boxes = document.querySelectorAll('[data-testid="turn"], [data-testid^="choice-"], [data-testid="confirm"], [data-testid^="ante-plus-"]');
    const cut = [...boxes].filter((box) => {
      const { top, bottom, left, right } = box.getBoundingClientRect();
      return top < -0.5 || left < -0.5 || bottom > innerHeight + 0.5 || right > innerWidth + 0.5;
    });
    return [...(scrollY === 0 ? [] : ["the page is scrolled"]), ...cut.map((box) => box.getAttribute("data-testid"))];
  });
  await expect.poll(outside, { message: what }).toEqual([]);
}

test.for(SIZES)("pages, %i × %i", async ([width, height]) => {
  const context = await profile({ viewport: { width, height } });
  const page = await visit(context);
  for (const place of ["lobby", "rules-editor", "statistics", "help"] as const) {
    await go(page, place);
    await fits(page, place);
    await axe(page, place);
    if (place !== "rules-editor") continue;
    await page.getByTestId("all-options").locator("summary").click();
    await fits(page, "all options");
    await axe(page, "all options");
  }
});

test.for(SIZES)("what happens at a table, %i × %i", async ([width, height]) => {
  const context = await profile({ viewport: { width, height }, settings: { cards: "until I play" } });
  const page = await visit(context);
  const seen: string[] = [];
  /** Looks at something, the first time it is there. */
  const look = async (what: string) => {
    if (seen.includes(what)) return;
    seen.push(what);
    await fits(page, what);
    await axe(page, what);
  };
  await page.getByTestId("guided-newmarket").click();
  await atRest(page, "table");
  for (;;) {
    await page.locator('[data-testid="guide"], [data-testid="own"], [data-testid="turn"], [data-testid="next-deal"]').first().waitFor();
    if ((await page.getByTestId("guide").count()) > 0) {
      await look("lesson");
      const lesson = (await page.getByTestId("guide").getAttribute("data-lesson")) ?? "";
      await page.getByTestId("guide-on").click();
      await page.locator(`[data-testid="guide"][data-lesson="${lesson}"]`).waitFor({ state: "detached" });
    } else if ((await page.getByTestId("own").count()) > 0) {
      await look("card that waits");
      await page.getByTestId("own-play").click();
      await page.getByTestId("own").waitFor({ state: "detached" });
    } else if ((await page.getByTestId("turn").count()) > 0) {
      if (!seen.includes("question")) {
        await page.getByTestId("menu").click();
        await look("menu");
        await page.getByTestId("show-rules").click();
        await look("rules");
        await page.keyboard.press("Escape");
        await page.getByTestId("values").click();
        await page.getByTestId("what-if").first().click();
        await look("question");
        await page.getByTestId("ask-no").click();
      }
      await decide(page);
    } else break;
  }
  await look("settlement");
  await page.getByTestId("undo").click();
  await look("question about an undo");
  await page.getByTestId("ask-no").click();
  await go(page, "lobby");
  await page.getByTestId("play-daily").click();
  await atRest(page, "table");
  // The rest by itself.
  await page.getByTestId("menu").click();
  await page.getByTestId("cards-wait").selectOption("relaxed");
  await page.keyboard.press("Escape");
  await playOn(page);
  await look("result of the daily deal");
  await page.getByTestId("new-session").click();
  await atRest(page, "lobby");
  await look("lobby with the result");
  expect(seen).toHaveLength(9);
});

test.for(SIZES)("the table, %i × %i", async ([width, height]) => {
  const context = await profile({ viewport: { width, height } });
  const page = await visit(context);
  const seen = new Set<string>();
  for (const [game, players, deals] of [["michigan", 8, 1], ["three-in-one", 5, 1], ["newmarket-buy", 3, 5]] as const) {
    await start(page, game, { players, deals });
    await playOn(page, async (kind) => {
      await inSight(page, `${game} ${kind}`);
      if (seen.has(kind)) return;
      seen.add(kind);
      await fits(page, `${game} ${kind}`);
      await page.getByTestId("values").click();
      await page.getByTestId("values-list").waitFor();
      await axe(page, `${game} ${kind}`);
    });
    await fits(page, `${game} result`);
    if (!seen.has("result")) await axe(page, "result");
    seen.add("result");
    if (game === "newmarket-buy") break;
    await go(page, "lobby");
  }
  expect([...seen]).toEqual(expect.arrayContaining(["lead", "set-apart", "poker", "dead-hand", "ante", "result"]));
  await page.getByTestId("replay").click();
  await atRest(page, "replay");
  await fits(page, "replay");
  await axe(page, "replay");
});

test.for([390, 1440])("the dealer's mark and what is said cover no names, chips and cards, %i wide", async (width) => {
  const deal = { rules: { base: "south-london" }, players: 8, seed: "3", seat: 0 };
  const code = Buffer.from(JSON.stringify(deal)).toString("base64url");
  const page = await visit(await profile({ viewport: { width, height: 844 } }), `#/deal/${code}`, "table");
  const meet = (a: DOMRect, b: DOMRect) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  // The dealer is marked; three have staked, and later one in the upper row is out.
  const marks: number[] = [];
  for (let what = await due(page); ; what = await due(page)) {
    await still(page);
    const { over, under } = await page.evaluate(() => {
      const boxes = (selector: string) =>
        [...document.querySelectorAll(`.seat ${selector}`)].map((element) => {
          const text = document.createRange();
          text.selectNodeContents(element);
          return (element.matches(".dealer, .said") ? element : text).getBoundingClientRect();
        });
      return { over: boxes(":is(.dealer, .said)"), under: boxes(":is(.name, .stack, .cards)") };
    });
    expect(over.flatMap((box) => under.filter((text) => meet(box, text)))).toEqual([]);
    marks.push(over.length);
    if (what !== "turn") break;
    await decide(page);
  }
  expect([marks[0], marks.at(-1)]).toEqual([4, 2]);
});

test("settlement and next deal at 360 × 640", async () => {
  const page = await visit(await profile({ viewport: { width: 360, height: 640 } }));
  await start(page, "michigan", { players: 4 });
  for (let what = await due(page); what === "turn"; what = await due(page)) await decide(page);
  expect(await page.getByTestId("settlement").isVisible()).toBe(true);
  const bottom = async () => {
    const at = await page.getByTestId("next-deal").boundingBox();
    return at === null ? Infinity : at.y + at.height;
  };
  await expect.poll(bottom).toBeLessThanOrEqual(640);
});
