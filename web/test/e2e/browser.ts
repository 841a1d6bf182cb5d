/** A browser with the built page, and what must not happen in it. */

import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";

export const EXECUTABLE = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Milliseconds that anything may take that no test measures: a machine may have much else to do. */
const PATIENCE = 60_000;

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
  /** Settings of the person, beside the quickest pace at which own cards do not wait. */
  settings?: Record<string, unknown>;
}

/** A new browser profile. Every error, warning and request to others than the page's server fails the test. */
export async function profile({ settings, ...options }: Options = {}, server = url): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE);
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
    if (location.protocol === "about:") return;
    // The same sessions in every run: their seeds are drawn here, one after the other.
    let next = 31;
    crypto.getRandomValues = <T extends ArrayBufferView | null>(into: T): T => {
      if (into instanceof BigUint64Array) into.forEach((_, nth) => (into[nth] = BigInt(next++)));
      return into;
    };
    if (localStorage.getItem("newmarket.settings") === null) {
      localStorage.setItem("newmarket.settings", JSON.stringify({ pace: "instant", cards: "relaxed", ...settings }));
    }
  }, settings ?? {});
  return context;
}

/** The pages, and what stands behind `#` for each. */
const PLACES = {
  lobby: "#/",
  table: "#/play",
  replay: "#/replay",
  "rules-editor": "#/rules",
  statistics: "#/statistics",
  help: "#/help",
} as const;
export type Place = keyof typeof PLACES;

/**
 * Waits until a page is there and at rest: none of its parts is to come, and nothing on it waits for the engine. What
 * is read then needs no wait of its own, until the next key or click.
 */
export async function atRest(page: Page, place: Place): Promise<void> {
  await page.locator(`body:not(:has([aria-busy="true"])) main[data-testid="${place}"]`).waitFor();
}

/** Opens the page at an address behind `#`, in a new tab. */
export async function visit(context: BrowserContext, hash = "#/", place: Place = "lobby"): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url + hash);
  await atRest(page, place);
  return page;
}

/** What of a page is cut off, or has to be scrolled to sideways: elements that end beyond the window, by their names. */
export function beyond(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const out = [...document.querySelectorAll<HTMLElement>("main *")].filter(
      (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(".flights, .unseen") && element.getBoundingClientRect().right > innerWidth + 1,
    );
    const wide = document.documentElement.scrollWidth - innerWidth;
    return [...(wide > 0 ? [`the page, by ${wide}`] : []), ...out.map(({ localName, className }) => `${localName}.${className}`)];
  });
}

/** Goes on to another page without loading anything. */
export async function go(page: Page, place: Place): Promise<void> {
  await page.evaluate((hash) => (location.hash = hash), PLACES[place]);
  await atRest(page, place);
}

/** A task of the main thread: how much processor time it took, and when it began, both in milliseconds. */
export interface Task {
  ms: number;
  at: number;
}

/** What a page marks its own thread with in a trace: Chromium's own pages have renderers as well. */
const MARK = "the page of this test";

/**
 * Does something and tells the tasks of the page's main thread, the longest first. Counted is processor time: time in
 * which the machine did something else does not count.
 */
export async function tasksOf(page: Page, what: () => Promise<void>): Promise<Task[]> {
  const mark = (name: string) => void performance.mark(name);
  await page.addInitScript(mark, MARK);
  await browser.startTracing(page, { categories: ["toplevel", "blink.user_timing"] });
  const trace = await what()
    .then(() => page.evaluate(mark, MARK))
    .then(
      () => browser.stopTracing(),
      async (error: unknown) => {
        await browser.stopTracing();
        throw error;
      },
    );
  const { traceEvents: events } = JSON.parse(trace.toString()) as Trace;
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const marks = events.filter(({ name }) => name === MARK).map(threadOf);
  if (marks.length < 2 || new Set(marks).size > 1) throw new Error(`the page ran on: ${marks.join(", ") || "no thread"}`);
  const tasks = events.filter((event) => event.name.endsWith("RunTask") && event.tdur !== undefined && threadOf(event) === marks[0]);
  if (tasks.length < 100) throw new Error(`the trace has ${tasks.length} tasks`);
  const from = Math.min(...tasks.map(({ ts }) => ts));
  return tasks.map(({ tdur = 0, ts }) => ({ ms: tdur / 1000, at: (ts - from) / 1000 })).sort((a, b) => b.ms - a.ms);
}

/** What Chromium writes of its tasks; times are in microseconds. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  tdur?: number;
}
interface Trace {
  traceEvents: TraceEvent[];
}
