/** Sounds: a few, off by a switch, and silent where the system asks for less motion. */

import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { profile, visit, type Options } from "./browser";
import { decide, start } from "./player";

declare global {
  interface Window {
    /** The pitches of the tones that were played. */
    tones: number[];
  }
}

/** The tones of a deal up to the first two own cards. */
async function tones(options: Options): Promise<number[]> {
  const context = await profile(options);
  await context.addInitScript(() => {
    window.tones = [];
    const parameter = () => ({ value: 0, setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} });
    class Silent {
      currentTime = 0;
      destination = {};
      createGain = () => ({ gain: parameter(), connect: (to: unknown) => to });
      createOscillator = () => {
        const frequency = parameter();
        return { type: "", frequency, connect: (to: unknown) => to, start: () => window.tones.push(frequency.value), stop() {} };
      };
    }
    Object.defineProperty(window, "AudioContext", { value: Silent });
  });
  const page = await visit(context);
  await start(page, "newmarket", { players: 4 });
  await cards(page, 2);
  return page.evaluate(() => window.tones);
}

async function cards(page: Page, most: number): Promise<void> {
  for (let played = 0; played < most; ) {
    const own = page.getByTestId("own-play");
    await page.locator('[data-testid="own-play"], [data-testid="turn"]').first().waitFor();
    if ((await own.count()) === 0) {
      await decide(page);
      continue;
    }
    const log = await page.getByTestId("log").locator("li").count();
    await own.click();
    await expect.poll(() => page.getByTestId("log").locator("li").count()).toBeGreaterThan(log);
    played += 1;
  }
}

const cardsWait = "until I play";

test("a card that waits is heard, unless sounds are off", async () => {
  const heard = await tones({ settings: { cards: cardsWait, sounds: true } });
  // An own card has two tones of its own.
  expect(heard).toEqual(expect.arrayContaining([660, 990]));
  expect(await tones({ settings: { cards: cardsWait, sounds: false } })).toEqual([]);
});

test("a system that asks for less motion is silent until sounds are asked for", async () => {
  expect(await tones({ reducedMotion: "reduce", settings: { cards: cardsWait } })).toEqual([]);
  expect((await tones({ reducedMotion: "reduce", settings: { cards: cardsWait, sounds: true } })).length).toBeGreaterThan(0);
});
