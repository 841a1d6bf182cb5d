/** A strategy file: chosen as an opponent and as an adviser, refused beside its field, kept over a reload. */

import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { atRest, profile, visit } from "./browser";
import { decide, due, kindOf } from "./player";

const FILE = fileURLToPath(new URL("../../../agents/strategies/examples/keep-the-lead.toml", import.meta.url));

test("the others play by a file, and hints follow one", async () => {
  const page = await visit(await profile());
  await atRest(page, "lobby");
  await page.getByTestId("level-champion").click();
  await page.getByTestId("strategies").click();
  const opponent = page.getByTestId("strategy-opponent");
  const problems = page.getByTestId("strategy-opponent-problems").locator("li");
  const faulty = { name: "faulty.toml", mimeType: "application/toml", buffer: Buffer.from('lead = ["most chps"]\nled = []\n') };
  await opponent.setInputFiles(faulty);
  await expect.poll(() => problems.count()).toBe(2);
  expect((await problems.allTextContents()).join("\n")).toMatch(/lead\[1\] `chps`: expected .*chips/);
  expect(await page.getByTestId("strategy-opponent-name").textContent()).toBe("the level above");

  await opponent.setInputFiles(FILE);
  await page.getByTestId("strategy-adviser").setInputFiles(FILE);
  for (const field of ["opponent", "adviser"]) {
    await expect.poll(() => page.getByTestId(`strategy-${field}-name`).textContent()).toBe("keep-the-lead");
  }
  expect(await problems.count()).toBe(0);

  // The files are kept. A level takes the place of the opponent's: so it is not chosen here.
  await page.reload();
  await atRest(page, "lobby");
  expect(await page.getByTestId("strategy-adviser-name").textContent()).toBe("keep-the-lead");
  await page.getByTestId("game-michigan").click();
  await page.getByTestId("start").click();
  await atRest(page, "table");
  while ((await due(page)) !== "turn" || (await kindOf(page)) !== "lead") {
    if ((await due(page)) === "turn") await decide(page);
    else await page.getByTestId("next-deal").click();
  }
  await page.keyboard.press("h");
  await expect.poll(() => page.getByTestId("live").textContent()).toMatch(/The choice of keep-the-lead: Lead the .+\.$/);
  await decide(page);
  await due(page);
  await page.reload();
  await due(page);

  // The session says by whom the others play; a level takes the file's place.
  await page.goto(page.url().replace(/#.*/, "#/"));
  await atRest(page, "lobby");
  expect(await page.getByText(/Deal 1 of .*keep-the-lead/).count()).toBe(1);
  await page.getByTestId("level-easy").click();
  expect(await page.getByTestId("strategy-opponent-name").textContent()).toBe("the level above");
});
