/** Page and program agree: on headers, on the cards of a seed and of a shared deal, and on which rules are right. */

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

import { PUBLIC_PAGE } from "../../vite/address";
import { POLICY } from "../../vite/policy";
import { atRest, profile, url, visit } from "./browser";
import { due, playOn, start } from "./player";

/** Where links lead from a page on this computer. */
const shared = PUBLIC_PAGE || url;

const program = process.env.NEWMARKET ?? join(import.meta.dirname, "../../../target/release/newmarket");
const folder = mkdtempSync(join(tmpdir(), "newmarket-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("the header is the policy of the page, and files are compressed", async () => {
  const reply = await fetch(url);
  expect(reply.headers.get("content-security-policy")).toBe(`${POLICY}; frame-ancestors 'none'`);
  expect(reply.headers.get("content-encoding")).toBe("gzip");
  expect((await reply.text()).replaceAll("&#39;", "'")).toContain(`content="${POLICY}"`);
});

/** The cards of the person's hand. */
async function hand(page: Page): Promise<string[]> {
  const cards = page.getByTestId("hand").locator('[data-testid^="card-"]');
  const names = await cards.evaluateAll((all) => all.map((card) => card.getAttribute("data-testid")?.slice(5) ?? ""));
  return names.sort();
}

/** A link to a deal, as its code is made. */
function code(deal: object): string {
  return Buffer.from(JSON.stringify(deal)).toString("base64url");
}

/** The cards that the program says it has dealt to the person: after the deal, a line such as `You   ♣ 2 7 A   ♦ 5 10`. */
function dealt(said: string): string[] {
  const line = /^ *The cards are dealt\.\n *You +(.*)$/m.exec(said)?.[1] ?? "";
  const suits: Record<string, string> = { "♣": "C", "♦": "D", "♥": "H", "♠": "S" };
  return [...line.matchAll(/([♣♦♥♠]) ([^♣♦♥♠]+)/g)].flatMap(([, suit = "", ranks = ""]) =>
    ranks.trim().split(/ +/).map((rank) => `${rank === "10" ? "T" : rank}${suits[suit]}`),
  );
}

test("a shared deal has the same cards in the page and in the program", async () => {
  const deal = code({ rules: { base: "michigan" }, players: 4, seed: "77", seat: 2 });
  const said = execFileSync(program, ["play", "--plain", "--deal", deal], { encoding: "utf8", input: "" });
  const page = await visit(await profile(), `#/deal/${deal}`, "table");
  await due(page);
  const shown = await hand(page);
  expect(shown.length).toBeGreaterThan(5);
  // A card that has been played is not in the hand any more.
  expect(dealt(said)).toEqual(expect.arrayContaining(shown));
});

test("a link that is shared opens the same deal elsewhere", async () => {
  const first = await visit(await profile({ permissions: ["clipboard-read", "clipboard-write"] }));
  await start(first, "michigan-widow", { players: 3, deals: 5 });
  await due(first);
  const before = await hand(first);
  await first.getByTestId("menu").click();
  await first.getByTestId("copy-link").click();
  const copied = () => first.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toMatch(new RegExp(`^${shared}#/deal/[\\w-]+$`));
  const second = await visit(await profile(), (await copied()).slice(shared.length), "table");
  await due(second);
  expect(await hand(second)).toEqual(before);
  const result = await playOn(second);
  expect(result.deals).toBeGreaterThan(0);
});

test.for(["missing", "denied"])("a link is shown, and selected, where the clipboard is %s", async (how) => {
  const context = await profile();
  await context.addInitScript((how) => {
    const denied = { writeText: () => Promise.reject(new DOMException("denied", "NotAllowedError")) };
    Object.defineProperty(navigator, "clipboard", { value: how === "denied" ? denied : undefined });
  }, how);
  const page = await visit(context, `#/deal/${code({ rules: { base: "michigan" }, players: 4, seed: "77", seat: 2 })}`, "table");
  await page.getByTestId("menu").click();
  await page.getByTestId("copy-link").click();
  const link = page.getByTestId("link");
  expect(await link.inputValue()).toMatch(new RegExp(`^${shared}#/deal/[\\w-]+$`));
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(await link.inputValue());
});

test("what is no link is refused in words", async () => {
  for (const bad of ["%%%", "AAAA", code({ rules: { base: "nothing" }, players: 4, seed: "7", seat: 0 }), code({ players: 4 })]) {
    const page = await visit(await profile(), `#/deal/${bad}`);
    expect(await page.getByRole("alert").textContent()).toMatch(/\w{3}/);
  }
});

test("what cannot be opened on a phone is told where it was given", async () => {
  const page = await visit(await profile({ viewport: { width: 390, height: 844 } }));
  const link = async (text: string) => {
    await page.getByTestId("open-link").fill(text);
    await page.getByTestId("open").click();
  };
  const file = (text: string) =>
    page.getByTestId("open-file").setInputFiles({ name: "deals.jsonl", mimeType: "", buffer: Buffer.from(text) });
  const refused = code({ rules: { base: "michigan", per_card: -1 }, players: 4, seed: "7", seat: 0 });
  for (const [give, what, why] of [
    [link, "%%%", /is no deal's code/],
    [file, "hello", /^deals.jsonl: line 1: it is no JSON/],
    [link, refused, /per_card/],
  ] as const) {
    await give(what);
    const alert = page.getByRole("alert").filter({ hasText: why });
    await alert.waitFor();
    const { y = -1, height = 0 } = (await alert.boundingBox()) ?? {};
    const covered = (await page.getByTestId("start").boundingBox())?.y ?? 844;
    expect([y >= 0, y + height <= covered], what).toEqual([true, true]);
  }
  // The same file, mended, is another choice.
  expect(await page.getByTestId("open-file").inputValue()).toBe("");
});

test("page and program agree on which rules are right", async () => {
  const page = await visit(await profile(), "#/rules", "rules-editor");
  const toml = page.getByTestId("rules-toml");
  const status = page.getByTestId("rules-status");
  const CASES = [
    'base = "michigan"\nname = "a"\nper_card = 3\n',
    'base = "michigan"\nname = "b"\nper_card = 1001\n',
    'base = "three-in-one"\nname = "c"\nclaim_when = "played"\n',
    'base = "three-in-one"\nname = "d"\nstages = ["collect"]\n',
    'base = "newmarket"\nname = "e"\nstages = ["poker"]\n',
    'base = "newmarket"\nname = "f"\ncells = ["AS", "AS"]\n',
    'base = "newmarket"\nname = "g"\ncells = [{ name = "MARRIAGE", claimed_by = ["KC", "QC"] }]\n',
    'base = "bazaar-1875"\nname = "h"\nexchange = { dealer_exchange = { fee = 2 } }\n',
    'base = "newmarket"\nname = "i"\nranks = 2\nsuits = 1\n',
    'base = "four-horses"\nname = "j"\n[session]\nbankroll = { chips = { start = 1, on_bust = "rebuy" } }\n',
    'base = "newmarket"\nname = "k"\n[session]\nfirst_dealer = 8\n',
    'base = "chicago"\nname = "l"\n[dead_hand]\nposition = "first"\n',
  ];
  const verdicts: [string, boolean][] = [];
  for (const text of CASES) {
    const file = join(folder, "house.toml");
    writeFileSync(file, text);
    const right = spawnSync(program, ["rules", file]).status === 0;
    await toml.fill(text);
    await toml.blur();
    await atRest(page, "rules-editor");
    expect(await page.getByTestId("rules-name").inputValue()).toBe(/name = "(.)"/.exec(text)?.[1]);
    expect((await status.locator(".fault").count()) === 0, text).toBe(right);
    verdicts.push([text, right]);
    // What the form writes, the program reads in the same way.
    if (right) {
      writeFileSync(file, await toml.inputValue());
      expect(spawnSync(program, ["rules", file]).status, text).toBe(0);
    }
  }
  expect(new Set(verdicts.map(([, right]) => right))).toEqual(new Set([true, false]));
});
