/** A page that is served to a network: at another address, below its token, and where browsers trust no connection. */

import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { PUBLIC_PAGE } from "../../vite/address";
import { EXECUTABLE, FLAGS, atRest, profile } from "./browser";
import { due, playOn, start } from "./player";
import { served } from "./served";

let url: string;
let stop = (): void => undefined;
beforeAll(async () => void ({ url, stop } = await served("--lan=127.0.0.2")));
afterAll(() => stop());

test("a session is played at another address, below the token", async () => {
  expect(url).toMatch(/^http:\/\/127\.0\.0\.2:\d+\/[0-9a-z]{16}\/$/);
  const context = await profile({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }, url);
  const page = await context.newPage();
  await page.goto(url);
  await start(page, "newmarket", { players: 3, deals: 5 });
  expect((await playOn(page)).deals).toBe(5);
});

test("nothing is served beside the token", async () => {
  const { origin } = new URL(url);
  for (const path of ["/", "/index.html", "/sw.js", "/assets/", "/0123456789abcdef/"]) {
    const reply = await fetch(origin + path);
    expect([reply.status, await reply.text()], path).toEqual([404, "404 Not Found"]);
  }
  // Somebody has typed the address without its last slash.
  expect((await fetch(url.slice(0, -1))).url).toBe(url);
});

test("without a secure context the page plays, and shows a link that it may not copy", async () => {
  // A name that is not of this computer: no browser trusts it, as it trusts no address of a network.
  const { hostname } = new URL(url);
  const elsewhere = url.replace(hostname, "table.test");
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: [...FLAGS, `--host-resolver-rules=MAP table.test ${hostname}`] });
  const page = await browser.newPage({ viewport: { width: 360, height: 640 } });
  page.setDefaultTimeout(60_000);
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  await page.addInitScript(() => localStorage.setItem("newmarket.settings", JSON.stringify({ pace: "instant", cards: "relaxed" })));
  await page.goto(elsewhere);
  await atRest(page, "lobby");
  expect(await page.evaluate(() => [isSecureContext, "serviceWorker" in navigator])).toEqual([false, false]);
  await start(page, "michigan", { players: 3, deals: 1 });
  expect(await due(page)).toBe("turn");
  await page.getByTestId("menu").click();
  await page.getByTestId("copy-link").click();
  expect(await page.getByTestId("link").inputValue()).toContain(`${PUBLIC_PAGE || elsewhere}#/deal/`);
  await page.keyboard.press("Escape");
  // It is resumed as elsewhere.
  await page.reload();
  await atRest(page, "table");
  await playOn(page);
  expect(problems).toEqual([]);
  await browser.close();
});
