/** A browser with the built page, and what must not happen in it. */

import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";

const EXECUTABLE = process.env.CHROMIUM ?? "/usr/bin/chromium";
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const url = inject("url");

/** What a page of these tests has complained of, or taken too long for. */
interface Watched {
  problems: string[];
  foreign: string[];
}

let browser: Browser;
let open: { context: BrowserContext; watched: Watched }[] = [];

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: EXECUTABLE, args: FLAGS });
});

afterAll(() => browser.close());

afterEach(async () => {
  const all = open;
  open = [];
  for (const { context } of all) await context.close();
  for (const { watched } of all) expect(watched).toEqual({ problems: [], foreign: [] });
});

export interface Options extends BrowserContextOptions {
  /** Settings of the person, beside the quickest pace. */
  settings?: Record<string, unknown>;
}

/** A new browser profile. Every error, warning and request to others than the page's server fails the test. */
export async function profile({ settings, ...options }: Options = {}, server = url): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const watched: Watched = { problems: [], foreign: [] };
  open.push({ context, watched });
  context.on("weberror", (error) => watched.problems.push(error.error().message));
  context.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) watched.problems.push(message.text());
  });
  context.on("request", (request) => {
    const own = [server, "blob:", "data:"].some((start) => request.url().startsWith(start));
    if (!own) watched.foreign.push(request.url());
  });
  await context.addInitScript((settings) => {
    if (localStorage.getItem("newmarket.settings") === null) {
      localStorage.setItem("newmarket.settings", JSON.stringify({ pace: "instant", ...settings }));
    }
    const tasks: number[] = [];
    Reflect.set(window, "longTasks", tasks);
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: "longtask",
      buffered: true,
    });
  }, settings ?? {});
  return context;
}

/** The page at an address behind `#`. */
export async function visit(context: BrowserContext, hash = ""): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url + hash);
  return page;
}

/** Tasks of more than 50 ms on the main thread since the page was loaded, in milliseconds. */
export function longTasks(page: Page): Promise<number[]> {
  return page.evaluate(() => Reflect.get(window, "longTasks") as number[]);
}
