/** After the first visit the page needs no network; a new version is offered, and taken as a whole. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chromium } from "playwright-core";
import { expect, test } from "vitest";

import { EXECUTABLE, FLAGS, atRest, profile, url } from "./browser";
import { due, start } from "./player";
import { serve } from "./server";

const DIST = join(import.meta.dirname, "../../dist");

test("offline reload: a game is begun and goes on", async () => {
  const folder = mkdtempSync(join(tmpdir(), "newmarket-"));
  cpSync(DIST, folder, { recursive: true });
  const server = await serve(folder);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const context = await profile({}, url);
  const page = await context.newPage();
  await page.goto(url);
  await page.evaluate(() => navigator.serviceWorker.ready);
  // Nobody answers any more, neither the page nor its worker.
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
  await page.reload();
  await start(page, "michigan");
  expect(await due(page)).toBe("turn");
  await page.reload();
  await atRest(page, "table");
  expect(await due(page)).toBe("turn");
});

test("a file that is opened without a server says what to do", async () => {
  // A profile of its own: a browser complains of every file that it does not load.
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: FLAGS });
  const page = await browser.newPage();
  await page.goto(`file://${DIST}/index.html`);
  expect(await page.locator("body").innerText()).toContain("serve this folder, by newmarket web");
  await browser.close();
});

test("caches of other pages of the origin stay", async () => {
  const context = await profile();
  const page = await context.newPage();
  await page.goto(url);
  const others = ["newmarket gazette", "newmarket http://elsewhere/ 1", `newmarket ${url}other/ 1`];
  await page.evaluate((names) => Promise.all(names.map((name) => caches.open(name))), others);
  await page.evaluate(() => navigator.serviceWorker.ready);
  const kept = () => page.evaluate(() => caches.keys());
  await expect.poll(async () => (await kept()).length).toBe(others.length + 1);
  expect(await kept()).toEqual(expect.arrayContaining(others));
});

test("a new version is offered, and no file of the old one is mixed in", async () => {
  const folder = mkdtempSync(join(tmpdir(), "newmarket-"));
  cpSync(DIST, folder, { recursive: true });
  const server = await serve(folder);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const context = await profile({}, url);
  const page = await context.newPage();
  await page.goto(url);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  const version = () => page.evaluate(() => document.documentElement.dataset.version);
  const offer = page.getByText("A new version is ready");

  // A server with another page, but the list of the old one: that is not a version.
  const index = readFileSync(join(folder, "index.html"), "utf8");
  const changed = index.replace('lang="en"', 'lang="en" data-version="next"');
  expect(changed).not.toBe(index);
  const worker = readFileSync(join(folder, "sw.js"), "utf8");
  for (const name of ["index.html.gz", "sw.js.gz"]) rmSync(join(folder, name));
  writeFileSync(join(folder, "index.html"), changed);
  writeFileSync(join(folder, "sw.js"), `${worker}\n// of another version\n`);
  // What becomes of it: the page itself has heard of it by then.
  const update = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const found = new Promise<ServiceWorker | null>((done) => {
        registration.addEventListener("updatefound", () => done(registration.installing), { once: true });
      });
      await registration.update();
      const worker = await found;
      while (worker?.state === "installing") await new Promise((done) => worker.addEventListener("statechange", done));
      return worker?.state;
    });
  expect(await update()).toBe("redundant");
  expect(await offer.count()).toBe(0);
  await page.reload();
  expect(await version()).toBeUndefined();

  // Now the whole of it.
  const digest = async (text: string) => {
    const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
    return Buffer.from(bytes).toString("hex");
  };
  const whole = worker.replace(await digest(index), await digest(changed)).replace(/const version = "\w+"/, 'const version = "next"');
  writeFileSync(join(folder, "sw.js"), whole);
  expect(await update()).toBe("installed");
  await offer.waitFor();
  expect(await version()).toBeUndefined();
  await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Reload" }).click()]);
  await page.waitForFunction(() => document.documentElement.dataset.version === "next");
  await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([`newmarket ${url} next`]);
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});
