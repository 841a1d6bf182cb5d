// Pictures of the built page, of twelve situations of a player, at two sizes and in both themes.
//
//     web/build && node test/screens.mjs OUT [SITUATION …] [-- SIZE,… THEME,…]
//     node test/screens.mjs out hint values -- 320x640,2560x1440 dark
//     node test/screens.mjs --docs                                        # those in docs/
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";

import { chromium } from "playwright-core";
import { preview } from "vite";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** The pictures in docs/: of which situation, at which size, in which theme, and what they are called. */
const DOCS = [
  ["values", "1440x900", "dark", "page-table.jpg"],
  ["claim", "360x640", "light", "page-phone.jpg"],
  ["replay", "1440x900", "dark", "page-replay.jpg"],
];
/** What is to be done, the first that is there. */
const DUE = ["result", "next-deal", "guide", "own", "turn"];
/** Decisions after which a situation is no longer waited for. */
const ENOUGH = 200;

/** Waits until something is to be done; the kind of a decision, or one of `DUE`. */
async function due(page) {
  // What was there before the last click goes first.
  await page.waitForTimeout(150);
  const found = await page.waitForFunction(
    (ids) => {
      const id = ids.find((id) => document.querySelector(`[data-testid="${id}"]`));
      return id === "turn" ? document.querySelector('[data-testid="turn"]').dataset.kind : id;
    },
    DUE,
    { polling: 30 },
  );
  return found.jsonValue();
}

/** Does what is to be done. */
async function act(page, what) {
  const click = (id) => page.getByTestId(id).click();
  if (what === "next-deal") return click("next-deal");
  if (what === "guide") return click("guide-on");
  if (what === "own") return click("own-play");
  if (what === "ante" || what === "set-apart") {
    await click("suggest");
    return page.locator('[data-testid="confirm"]:enabled').click();
  }
  return page.locator('[data-testid^="choice-"]:enabled').first().click();
}

/** Plays on until `wanted(what)` is true for the `nth` time. */
async function until(page, wanted, nth = 1) {
  for (let decisions = 0; decisions < ENOUGH; decisions++) {
    const what = await due(page);
    if ((await wanted(what)) && --nth === 0) return;
    await act(page, what);
  }
  throw new Error("the situation did not come");
}

const choices = (page) => page.locator('[data-testid^="choice-"]:enabled').count();
/** The `nth` lead with a choice of suits. */
const lead = (page, nth = 2) => until(page, async (what) => what === "lead" && (await choices(page)) > 1, nth);
const ending = (page) => until(page, (what) => what === "next-deal");
const result = (page) => until(page, (what) => what === "result");

/** A situation: its game (or a page), the number of players, and how it comes about. */
const SITUATIONS = {
  lobby: { page: "" },
  lesson: {
    page: "",
    reach: async (page) => {
      await page.getByTestId("guided-newmarket").click();
      await until(page, (what) => what === "guide", 3);
    },
  },
  ante: {
    game: "bazaar-1875",
    players: 4,
    reach: async (page) => {
      await until(page, (what) => what === "ante");
      for (let nth = 0; nth < 2; nth++) await page.locator('[data-testid^="ante-plus-"]:enabled').nth(nth).click();
    },
  },
  own: { game: "michigan", players: 4, reach: (page) => until(page, (what) => what === "own", 2) },
  claim: {
    game: "newmarket",
    players: 4,
    reach: (page) => until(page, async (what) => what === "own" && (await page.locator('[data-testid^="take-"]').count()) > 0),
  },
  hint: {
    game: "newmarket",
    players: 4,
    reach: async (page) => {
      await lead(page);
      await page.getByTestId("hint").click();
      await page.locator(".from").waitFor();
    },
  },
  values: {
    game: "newmarket",
    players: 4,
    reach: async (page) => {
      await lead(page);
      await page.getByTestId("values").click();
      await page.getByTestId("values-list").waitFor();
      await page.waitForTimeout(3000);
    },
  },
  poker: { game: "three-in-one", players: 4, reach: (page) => until(page, (what) => what === "set-apart") },
  ending: { game: "newmarket", players: 4, reach: ending },
  result: {
    game: "newmarket",
    players: 4,
    reach: async (page) => {
      await result(page);
      await page.getByTestId("review").click();
      await page.getByTestId("mistakes").waitFor();
    },
  },
  replay: {
    game: "south-london",
    players: 8,
    reach: async (page) => {
      await result(page);
      await page.getByTestId("replay").click();
      await page.getByTestId("step-next").waitFor();
      const next = page.getByTestId("decision-next");
      for (let nth = 0; nth < 3 && (await next.isEnabled()); nth++) await next.click();
      await page.waitForTimeout(2000);
    },
  },
  house: { page: "rules" },
};

function codeOf(base, players) {
  const deal = { rules: { base, session: { deals: 3 } }, players, seed: "3", seat: 0 };
  return Buffer.from(JSON.stringify(deal)).toString("base64url");
}

async function shoot(browser, url, situation, size, theme, path) {
  const [width, height] = size.split("x").map(Number);
  const { page: place, game, players, reach } = SITUATIONS[situation];
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    deviceScaleFactor: width < 600 ? 2 : 1,
  });
  await context.addInitScript(() => {
    localStorage.setItem("newmarket.settings", JSON.stringify({ pace: "instant", cards: "until I play", coach: true }));
  });
  const page = await context.newPage();
  page.on("pageerror", (error) => console.log(`${situation}: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && console.log(`${situation}: ${message.text()}`));
  await page.goto(`${url}#/${place ?? `deal/${codeOf(game, players)}`}`);
  await page.locator('body:not(:has([aria-busy="true"])) main').waitFor();
  await reach?.(page);
  // Chips fly, and the engine answers.
  await page.waitForTimeout(1200);
  await page.screenshot(path.endsWith("jpg") ? { path, quality: 88 } : { path });
  await context.close();
}

/** Ends with one line where a word is not what it should be. */
function check(words, right, expected) {
  const wrong = words.find((word) => !right(word));
  if (wrong === undefined) return;
  console.error(`error: ${wrong}: expected ${expected}`);
  process.exit(2);
}

/** Situations with sizes, themes and files. */
function wanted() {
  if (process.argv[2] === "--docs") return DOCS.map(([...shot]) => [...shot.slice(0, 3), resolve("../docs", shot[3])]);
  const dashes = process.argv.indexOf("--");
  const [folder = "screens", ...named] = process.argv.slice(2, dashes < 0 ? undefined : dashes);
  const [sizes = "360x640,1440x900", themes = "dark,light"] = dashes < 0 ? [] : process.argv.slice(dashes + 1);
  const all = named.length > 0 ? named : Object.keys(SITUATIONS);
  check(all, (name) => name in SITUATIONS, `a situation: ${Object.keys(SITUATIONS).join(", ")}`);
  check(sizes.split(","), (size) => /^[1-9]\d{0,4}x[1-9]\d{0,4}$/.test(size), "a size as 360x640");
  check(themes.split(","), (theme) => ["dark", "light"].includes(theme), "dark or light");
  return all.flatMap((situation) =>
    sizes.split(",").flatMap((size) =>
      themes.split(",").map((theme) => [situation, size, theme, resolve(from, folder, `${situation}-${size}-${theme}.png`)]),
    ),
  );
}

const from = process.cwd();
process.chdir(join(import.meta.dirname, ".."));
const shots = wanted();
const server = await preview({ preview: { host: "127.0.0.1", port: 0 }, logLevel: "error" });
const url = `http://127.0.0.1:${server.httpServer.address().port}/`;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
for (const [situation, size, theme, path] of shots) {
  await mkdir(join(path, ".."), { recursive: true });
  await shoot(browser, url, situation, size, theme, path);
}
await browser.close();
await server.close();
