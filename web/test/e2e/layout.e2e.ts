/** Layout: text of twice the size, windows from 320 to 2560 pixels, fixed places on a phone, and a browser that translates. */

import { chromium, type Page } from "playwright-core";
import { expect, test } from "vitest";

import { EXECUTABLE, FLAGS, atRest, go, profile, url, visit } from "./browser";
import { decide, due, start } from "./player";

/** How much wider than the window a page is. */
const excess = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

test.for([320, 2560])("all pages fit into a window of %i pixels", async (width) => {
  const page = await visit(await profile({ viewport: { width, height: width < 400 ? 568 : 1440 } }));
  for (const place of ["lobby", "rules-editor", "statistics", "help"] as const) {
    await go(page, place);
    await expect.poll(() => excess(page), { message: place }).toBeLessThanOrEqual(0);
  }
  await go(page, "lobby");
  await start(page, "newmarket", { players: 4 });
  await due(page);
  await expect.poll(() => excess(page), { message: "table" }).toBeLessThanOrEqual(0);
});

test.for([360, 1440])("with a default font of 32 pixels all text is twice as large, and nothing is cut, %i wide", async (width) => {
  const sizes: number[][] = [];
  for (const size of [16, 32]) {
    const browser = await chromium.launch({ executablePath: EXECUTABLE, args: [...FLAGS, `--blink-settings=defaultFontSize=${size}`] });
    const page = await browser.newPage({ viewport: { width, height: width < 400 ? 640 : 900 } });
    page.setDefaultTimeout(60_000);
    await page.addInitScript(() => localStorage.setItem("newmarket.settings", JSON.stringify({ pace: "instant", cards: "relaxed" })));
    await page.goto(url);
    await atRest(page, "lobby");
    await expect.poll(() => excess(page), { message: `lobby at ${size}` }).toBeLessThanOrEqual(0);
    const font = (selector: string) => page.locator(selector).first().evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    const fonts = [await font(".about"), await font("legend")];
    await start(page, "newmarket", { players: 4 });
    expect(await due(page)).toBe("turn");
    await expect.poll(() => excess(page), { message: `table at ${size}` }).toBeLessThanOrEqual(0);
    fonts.push(await font(".prompt"), await font(".seat .name"), await font(".button"));
    // The decision can be reached.
    await page.getByTestId("suggest").click();
    await page.getByTestId("confirm").click();
    sizes.push(fonts);
    await browser.close();
  }
  const [usual = [], large = []] = sizes;
  for (const [nth, font] of large.entries()) expect(font / (usual[nth] ?? NaN)).toBeGreaterThan(1.4);
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
  const page = await visit(await profile({ viewport: { width: 360, height: 640 } }));
  await start(page, "newmarket", { players: 4 });
  const places = async () => {
    const boxes = [];
    for (const id of ["cell-AS", "cell-JD", "kitty"]) boxes.push(await page.getByTestId(id).locator(".place, .bowl").first().boundingBox());
    return boxes.map((box) => [Math.round(box?.x ?? 0), Math.round(box?.width ?? 0), Math.round((box?.y ?? 0) / 24)]);
  };
  await due(page);
  const staking = await places();
  await decide(page);
  await due(page);
  expect(await places()).toEqual(staking);
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
  await page.getByTestId("next-deal").click();
  expect(await due(page)).toBe("result");
  expect(await page.getByTestId("settlement").count()).toBe(0);
});
