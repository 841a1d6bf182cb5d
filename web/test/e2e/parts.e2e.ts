/** A page that comes in parts says that it is busy until the last of them is there. */

import { expect, test } from "vitest";

import { FIELDS } from "../../src/rules/fields";
import { profile, visit, type Place } from "./browser";

const DEAL = Buffer.from(JSON.stringify({ rules: { base: "michigan" }, players: 4, seed: "7", seat: 0 })).toString("base64url");

/** Where a page is, and what comes last on it. */
const CASES: [place: Place, hash: string, last: string][] = [
  ["lobby", "#/", "open"],
  ["rules-editor", "#/rules", `field-${FIELDS.at(-1)?.key}`],
  ["table", `#/deal/${DEAL}`, "log"],
];

declare global {
  interface Window {
    /** Whether the page was busy, and whether its last part was there, after each change. */
    seen: string[];
  }
}

test.for(CASES)("%s", async ([place, hash, last]) => {
  const context = await profile();
  await context.addInitScript(
    ([place, last]) => {
      window.seen = [];
      const look = () => {
        const main = document.querySelector(`main[data-testid="${place}"]`);
        if (main === null) return;
        const busy = main.querySelector('[aria-busy="true"]:not([role="status"])') !== null;
        const whole = main.querySelector(`[data-testid="${last}"]`) !== null;
        const now = `${busy ? "busy" : "at rest"}, ${whole ? "whole" : "in parts"}`;
        if (window.seen.at(-1) !== now) window.seen.push(now);
      };
      new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true });
    },
    [place, last] as const,
  );
  const page = await visit(context, hash, place);
  const seen = await page.evaluate(() => window.seen);
  expect(seen[0]).toBe("busy, in parts");
  expect(seen.at(-1)).toBe("at rest, whole");
  expect(seen).not.toContain("at rest, in parts");
});
