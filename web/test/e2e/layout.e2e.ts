/** Layout: text of twice the size, windows from 320 to 2560 pixels, fixed places on a phone, and a browser that translates. */

import { chromium } from "playwright-core";
import { expect, test } from "vitest";

import { EXECUTABLE, FLAGS, atRest, beyond, go, profile, url, visit } from "./browser";
import { decide, due, start } from "./player";

test.for([320, 2560])("all pages fit into a window of %i pixels", async (width) => {
  const page = await visit(await profile({ viewport: { width, height: width < 400 ? 568 : 1440 } }));
  for (const place of ["lobby", "rules-editor", "statistics", "help"] as const) {
    await go(page, place);
    await expect.poll(() => beyond(page), { message: place }).toEqual([]);
  }
  await go(page, "lobby");
  await start(page, "newmarket", { players: 4 });
  await due(page);
  await expect.poll(() => beyond(page), { message: "table" }).toEqual([]);
});

/** Texts of the table that are somewhat smaller in a narrow window: with large text, a wide one is such a window. */
const SMALLER = [".prompt", ".seat .name", ".button"];

test.for([360, 1440])("with a default font of 32 pixels all text is twice as large, and nothing is cut, %i wide", async (width) => {
  const sizes: Record<string, number>[] = [];
  for (const size of [16, 32]) {
    const browser = await chromium.launch({ executablePath: EXECUTABLE, args: [...FLAGS, `--blink-settings=defaultFontSize=${size}`] });
    const page = await browser.newPage({ viewport: { width, height: width < 400 ? 640 : 900 } });
    page.setDefaultTimeout(60_000);
    await page.addInitScript(() => localStorage.setItem("newmarket.settings", JSON.stringify({ pace: "instant", cards: "relaxed" })));
    await page.goto(url);
    await atRest(page, "lobby");
    await expect.poll(() => beyond(page), { message: `lobby at ${size}` }).toEqual([]);
    const fonts: Record<string, number> = {};
    const measure = async (selector: string) => {
      fonts[selector] = await page.locator(selector).first().evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    };
    for (const selector of [".about", "legend", ".rules summary"]) await measure(selector);
    await start(page, "newmarket", { players: 4 });
    expect(await due(page)).toBe("turn");
    await expect.poll(() => beyond(page), { message: `table at ${size}` }).toEqual([]);
    for (const selector of SMALLER) await measure(selector);
    // The decision can be reached.
    await page.getByTestId("suggest").click();
    await page.getByTestId("confirm").click();
    sizes.push(fonts);
    await browser.close();
  }
  const [usual = {}, large = {}] = sizes;
  for (const [selector, font] of Object.entries(large)) {
    const least = width > 400 && SMALLER.includes(selector) ? 1.7 : 1.9;
    expect(font / (usual[selector] ?? NaN), selector).toBeGreaterThan(least);
  }
});

test("nothing of a table is cut or lies over something else at twice the text size, 360 wide", async () => {
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: [...FLAGS, "--blink-settings=defaultFontSize=32"] });
  const page = await browser.newPage({ viewport: { width: 360, height: 640 } });
  page.setDefaultTimeout(60_000);
  await page.addInitScript(() => localStorage.setItem("newmarket.settings", JSON.stringify({ pace: "instant", cards: "relaxed" })));
  await page.goto(url);
  await start(page, "newmarket", { players: 4 });
  /** Parts that lie over each other, and parts that the window cuts at a side. */
  const faults = () =>
    page.evaluate(() => {
      const PARTS = ".bar > *, .seat .plate, .cell, .bowl, .run > *, .strip, .line > *, .hand, .hints, .advice, .settlement th, .settlement td, .settlement .button";
      const parts = [...document.querySelectorAll(PARTS)].flatMap((part) => {
        const { left, top, right, bottom, width, height } = part.getBoundingClientRect();
        const seen = width > 1 && height > 1 && getComputedStyle(part).visibility !== "hidden";
        return seen ? [{ part, left, top, right, bottom, name: `${part.localName}.${[...part.classList].join(".")} ${part.textContent?.trim().slice(0, 20)}` }] : [];
      });
      const cut = parts.filter(({ left, right }) => left < -1 || right > innerWidth + 1).map(({ name }) => `cut: ${name}`);
      // The settlement lies over the table, and its buttons over what is scrolled.
      const loose = parts.filter(({ part }) => part.closest(".settlement") === null);
      const over = loose.flatMap((one, nth) =>
        loose.slice(nth + 1).flatMap((other) => {
          const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
          const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
          const apart = wide <= 2 || high <= 2 || one.part.contains(other.part) || other.part.contains(one.part);
          return apart ? [] : [`${one.name} / ${other.name}`];
        }),
      );
      return [...cut, ...over];
    });
  for (let what = await due(page); what === "turn"; what = await due(page)) {
    await expect.poll(faults).toEqual([]);
    await decide(page);
  }
  await expect.poll(faults).toEqual([]);
  await browser.close();
});

test("layout, kitty and dead hand keep their places on a phone", async () => {
  const page = await visit(await profile({ viewport: { width: 360, height: 640 }, settings: { cards: "5 seconds" } }));
  await start(page, "newmarket", { players: 4 });
  /** Where things are in these moments. */
  const moments: Record<string, Record<string, { x: number; y: number }>> = {};
  const look = async (moment: string) => {
    if (moment in moments) return;
    moments[moment] = {};
    for (const what of ["[data-testid=cell-AS] .place", "[data-testid=cell-JD] .place", "[data-testid=kitty]", "[data-testid=dead-hand]"]) {
      const box = await page.locator(what).first().boundingBox({ timeout: 100 }).catch(() => null);
      if (box && box.width > 0) moments[moment][what] = box;
    }
  };
  for (;;) {
    const what = await page.waitForFunction(
      () => ["next-deal", "own", "turn"].find((id) => document.querySelector(`[data-testid="${id}"]`) !== null),
      undefined,
      { polling: 20 },
    );
    const found = (await what.jsonValue()) as string;
    if (found === "next-deal") break;
    const late = (await page.getByTestId("late").count()) > 0;
    await look(late ? "late" : found === "turn" ? ((await page.getByTestId("turn").getAttribute("data-kind")) ?? "") : found);
    // The first card is played late.
    if (found === "turn") await decide(page);
    else if ("late" in moments) await page.getByTestId("own-play").click();
    else await page.getByTestId("late").waitFor();
  }
  expect(Object.keys(moments)).toEqual(expect.arrayContaining(["ante", "lead", "own", "late"]));
  const all = Object.entries(moments);
  for (const [moment, places] of all) {
    for (const [other, theirs] of all) {
      for (const what of Object.keys(places).filter((what) => what in theirs)) {
        for (const side of ["x", "y"] as const) {
          expect(Math.abs((places[what]?.[side] ?? 0) - (theirs[what]?.[side] ?? 0)), `${what}: ${moment}, ${other}`).toBeLessThanOrEqual(4);
        }
      }
    }
  }
});

test("a page that the browser has translated goes on", async () => {
  const page = await visit(await profile());
  await start(page, "michigan", { players: 4, deals: 1 });
  await due(page);
  // As browsers do it: elements in the place of texts.
  const translate = () =>
    page.evaluate(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) if (walker.currentNode.textContent?.trim()) texts.push(walker.currentNode as Text);
      texts.forEach((text, nth) => {
        const [outer, inner] = [document.createElement("font"), document.createElement("font")];
        outer.append(inner);
        inner.textContent = text.data;
        text.replaceWith(outer);
        if (nth % 2) inner.replaceChildren(text);
      });
    });
  const shown = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('[data-testid^="seat-"] .plate')].map((plate) => {
        const label = plate.getAttribute("aria-label") ?? "";
        return [Number(/(\d+) cards/.exec(label)?.[1]), Number(plate.querySelector(".cards")?.textContent)];
      }),
    );
  for (let what = await due(page); what === "turn"; what = await due(page)) {
    await translate();
    await decide(page);
    for (const [said, seen] of await shown()) expect(seen).toBe(said);
  }
  await translate();
  // What must stay as it is says so: "A" is a rank, and no article.
  const signs = await page.locator(".suits, .played td, svg.face").evaluateAll((all) => all.map((sign) => sign.getAttribute("translate")));
  expect(new Set(signs)).toEqual(new Set(["no"]));
  await page.getByTestId("next-deal").click();
  expect(await due(page)).toBe("result");
  expect(await page.getByTestId("settlement").count()).toBe(0);
});
