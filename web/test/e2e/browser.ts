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
    if (location.protocol === "about:") return;
    // The same sessions in every run: their seeds are drawn here, one after the other.
    let next = 31;
    crypto.getRandomValues = <T extends ArrayBufferView | null>(into: T): T => {
      if (into instanceof BigUint64Array) into.forEach((_, nth) => (into[nth] = BigInt(next++)));
      return into;
    };
    if (localStorage.getItem("newmarket.settings") === null) {
      localStorage.setItem("newmarket.settings", JSON.stringify({ pace: "instant", ...settings }));
    }
  }, settings ?? {});
  return context;
}

/** The page at an address behind `#`. */
export async function visit(context: BrowserContext, hash = ""): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url + hash);
  return page;
}

/** A task of the main thread: how much processor time it took, in milliseconds, and when it began. */
export interface Task {
  ms: number;
  at: number;
}

/**
 * Does something and tells the tasks of the page's main thread that took more than `most` milliseconds of processor time:
 * time in which the machine did something else does not count.
 */
export async function longTasks(page: Page, most: number, what: () => Promise<void>): Promise<Task[]> {
  await browser.startTracing(page, { categories: ["toplevel"] });
  const trace = await what().then(
    () => browser.stopTracing(),
    async (error: unknown) => {
      await browser.stopTracing();
      throw error;
    },
  );
  const { traceEvents: events } = JSON.parse(trace.toString()) as Trace;
  const mains = events.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain");
  const tasks = events.filter(
    ({ name, tdur, pid, tid }) => name.endsWith("RunTask") && tdur !== undefined && mains.some((main) => main.pid === pid && main.tid === tid),
  );
  if (tasks.length < 10) throw new Error("the trace has no tasks");
  const from = Math.min(...tasks.map(({ ts }) => ts));
  return tasks.filter(({ tdur = 0 }) => tdur > 1000 * most).map(({ tdur = 0, ts }) => ({ ms: tdur / 1000, at: (ts - from) / 1000 }));
}

/** What Chromium writes of its tasks; times are in microseconds. */
interface Trace {
  traceEvents: { name: string; pid: number; tid: number; ts: number; tdur?: number; args?: { name?: string } }[];
}
