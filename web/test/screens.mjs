// Pictures of the built page: every stage of every game, at both sizes, dark and light.
//
//     web/build && node test/screens.mjs OUT [GAME …] [-- SIZE,… THEME,…]
//     node test/screens.mjs out michigan three-in-one -- 360x640 dark
//     node test/screens.mjs --docs                                        # those in docs/
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";

import { chromium } from "playwright-core";
import { preview } from "vite";

/** Games, with as many seats as show most. */
const GAMES = {
  newmarket: 4,
  "newmarket-buy": 5,
  "hoyle-1885": 4,
  "bazaar-1875": 3,
  "newmarket-2011": 6,
  "south-london": 8,
  michigan: 4,
  "michigan-free-stakes": 4,
  "michigan-widow": 3,
  "michigan-auction": 4,
  "michigan-one-suit": 7,
  "four-horses": 6,
  saratoga: 5,
  "three-in-one": 4,
  chicago: 4,
};
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** The pictures in docs/: of which stage of which game, and what they are called. */
const DOCS = {
  "newmarket-lead-values-1440x900-dark": "page-table.jpg",
  "michigan-lead-360x640-light": "page-phone.jpg",
  "south-london-replay-1440x900-dark": "page-replay.jpg",
};
/** Decisions of a session after which no new stage is looked for. */
const ENOUGH = 60;

const docs = process.argv[2] === "--docs";
const dashes = process.argv.indexOf("--");
const [folder = "screens", ...games] = process.argv.slice(2, dashes < 0 ? undefined : dashes);
const out = resolve(folder);
const [sizes = "360x640,1440x900", themes = "dark,light"] = dashes < 0 ? [] : process.argv.slice(dashes + 1);

function codeOf(base, players) {
  const deal = { rules: { base, session: { deals: 3 } }, players, seed: "3", seat: 0 };
  return Buffer.from(JSON.stringify(deal)).toString("base64url");
}

/** What is to be done: the kind of a decision, "settlement" or "result". */
async function settled(page) {
  // What was there before the last click goes first.
  await page.waitForTimeout(150);
  const what = await page.waitForFunction(() => {
    const seen = (id) => document.querySelector(`[data-testid="${id}"]`);
    return seen("result") ? "result" : seen("settlement") ? "settlement" : seen("turn")?.dataset.kind;
  });
  const kind = await what.jsonValue();
  await page.waitForTimeout(kind === "settlement" ? 1100 : 200);
  return kind;
}

async function decide(page, kind) {
  if (kind === "settlement") return page.getByTestId("next-deal").click();
  if (kind === "ante" || kind === "set-apart") {
    await page.getByTestId("suggest").click();
    return page.locator('[data-testid="confirm"]:enabled').click();
  }
  const choices = page.locator('[data-testid^="choice-"]:enabled');
  return choices.nth((await choices.count()) > 2 ? 1 : 0).click();
}

async function shoot(browser, url, game, size, theme) {
  const [width, height] = size.split("x").map(Number);
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    deviceScaleFactor: width < 600 ? 2 : 1,
  });
  await context.addInitScript(() => {
    localStorage.setItem("newmarket.settings", JSON.stringify({ pace: "instant", cards: "relaxed", coach: true }));
  });
  const page = await context.newPage();
  page.on("pageerror", (error) => console.log(`${game}: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && console.log(`${game}: ${message.text()}`));
  const take = async (stage) => {
    const name = `${game}-${stage}-${size}-${theme}`;
    if (!docs) await page.screenshot({ path: join(out, `${name}.png`) });
    else if (name in DOCS) await page.screenshot({ path: join("../docs", DOCS[name]), quality: 88 });
  };

  await page.goto(`${url}#/deal/${codeOf(game, GAMES[game])}`);
  const seen = new Set();
  let leads = 0;
  for (let nth = 0; nth < ENOUGH; nth++) {
    const kind = await settled(page);
    if (kind === "lead") leads += 1;
    if (!seen.has(kind) && (kind !== "lead" || leads > 2)) {
      seen.add(kind);
      await take(kind);
      if (kind === "lead" || kind === "ante") {
        await page.getByTestId("hint").click();
        await page.getByTestId("values").click();
        await page.getByTestId("values-list").waitFor();
        await page.waitForTimeout(500);
        await take(`${kind}-values`);
      }
    }
    if (kind === "result") break;
    await decide(page, kind);
  }
  if (seen.has("result")) {
    await page.getByTestId("replay").click();
    await page.getByTestId("step-next").waitFor();
    const next = page.getByTestId("decision-next");
    for (let nth = 0; nth < 3 && (await next.isEnabled()); nth++) await next.click();
    await page.waitForTimeout(1500);
    await take("replay");
  }
  await context.close();
}

/** Games with sizes and themes, of which pictures are taken. */
const wanted = docs
  ? Object.keys(DOCS).map((name) => {
      const [, game, size, theme] = /^(.*?)-(?:lead|replay).*-(\d+x\d+)-(\w+)$/.exec(name);
      return [game, size, theme];
    })
  : (games.length > 0 ? games : Object.keys(GAMES)).flatMap((game) =>
      sizes.split(",").flatMap((size) => themes.split(",").map((theme) => [game, size, theme])),
    );
process.chdir(join(import.meta.dirname, ".."));
if (!docs) await mkdir(out, { recursive: true });
const server = await preview({ preview: { host: "127.0.0.1", port: 0 }, logLevel: "error" });
const url = `http://127.0.0.1:${server.httpServer.address().port}/`;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
for (const [game, size, theme] of wanted) await shoot(browser, url, game, size, theme);
await browser.close();
await server.close();
