/** The rules editor: faults beside the fields, text both ways, and a game by the rules made there. */

import { expect, test } from "vitest";

import { atRest, go, profile, visit } from "./browser";
import { due } from "./player";

test("three faults are shown beside their fields and go when they are mended", async () => {
  const page = await visit(await profile(), "#/rules", "rules-editor");
  await page.getByTestId("rules-base").selectOption("michigan");
  await page.getByTestId("all-options").locator("summary").click();
  const perCard = page.getByTestId("field-per_card").locator("input");
  const remainder = page.getByTestId("field-dead_hand.remainder").locator("select");
  const position = page.getByTestId("field-dead_hand.position").locator("select");
  const name = page.getByLabel("Cell 1: card or name");
  await perCard.fill("1001");
  await position.selectOption({ label: "there is none" });
  await remainder.selectOption({ label: "go to the dead hand" });
  await name.fill("KC");
  await name.press("Tab");
  await atRest(page, "rules-editor");
  for (const field of ["per_card", "dead_hand.remainder", "cells"]) {
    expect(await page.getByTestId(`field-${field}`).locator('[data-testid^="fault-"]').count(), field).toBe(1);
  }
  expect(await page.locator('[data-testid^="fault-"]').count()).toBe(3);
  expect(await page.getByTestId("field-per_card").locator(".fault").textContent()).toMatch(/1000/);
  expect(await page.getByTestId("rules-play").isDisabled()).toBe(true);

  await perCard.fill("2");
  await position.selectOption({ label: "after the dealer" });
  await name.fill("AH");
  await name.press("Tab");
  await atRest(page, "rules-editor");
  expect(await page.getByTestId("rules-status").textContent()).toContain("These rules can be played.");
  expect(await page.locator('[data-testid^="fault-"]').count()).toBe(0);
  const text = await page.getByTestId("rules-toml").inputValue();
  expect(text).toMatch(/^base = "michigan"\nname = "Our house"\nper_card = 2\n/);
  expect(text).toContain('[dead_hand]\nremainder = "dead_hand"');

  // They are played, and kept.
  await page.getByTestId("rules-play").click();
  await atRest(page, "table");
  expect(await due(page)).toBe("turn");
  await go(page, "lobby");
  expect(await page.getByTestId("game-house Our house").locator("input").isChecked()).toBe(true);
  await page.reload();
  await atRest(page, "lobby");
  expect(await page.getByTestId("game-house Our house").isVisible()).toBe(true);
});

test("a rules file is read as the program reads it, or refused in words", async () => {
  const page = await visit(await profile(), "#/rules", "rules-editor");
  const text = page.getByTestId("rules-toml");
  await text.fill('base = "chicago"\nname = "by text"\nkitty_ante = 3\n');
  await text.blur();
  await atRest(page, "rules-editor");
  expect(await page.getByTestId("rules-status").textContent()).toContain("These rules can be played.");
  expect(await page.getByTestId("field-kitty_ante").locator("input").inputValue()).toBe("3");
  await text.fill('base = "chicago\n');
  await text.blur();
  await page.getByText(/^Line 1, column \d+: /).waitFor();
  await text.fill('base = "chicago"\nname = "odd"\nkity_ante = 3\n');
  await text.blur();
  await page.getByTestId("fault-kity_ante").waitFor();
});

test("six questions make house rules; one side of a pair asks about the other", async () => {
  const page = await visit(await profile(), "#/rules", "rules-editor");
  expect(await page.getByTestId("questions").locator("fieldset").count()).toBe(6);
  const answer = (question: string, label: string) =>
    page.getByTestId("questions").getByRole("group", { name: question }).getByText(label, { exact: true }).click();
  await answer("What does everybody stake?", "6 as they like");
  await answer("Is there a kitty for the first one out?", "no");
  await atRest(page, "rules-editor");
  const text = await page.getByTestId("rules-toml").inputValue();
  expect(text).toContain("chips = 6\ndealer_chips = 6");
  expect(text).toContain("kitty_ante = 0\nkitty_to_winner = false");
  // In the whole form one side is changed.
  await page.getByTestId("all-options").locator("summary").click();
  const chips = page.getByTestId("field-layout_ante").locator("input").first();
  await chips.fill("5");
  await page.getByTestId("other-side").waitFor();
  expect(await page.getByTestId("other-side").textContent()).toMatch(/The dealer still stakes 6 chips\. 5 chips as well\?/);
  await page.getByTestId("other-yes").click();
  await atRest(page, "rules-editor");
  expect(await page.getByTestId("rules-toml").inputValue()).toContain("chips = 5\ndealer_chips = 5");
  expect(await page.getByTestId("other-side").count()).toBe(0);
  // Beside one field alone, and only for the rules that were asked about.
  await page.getByTestId("field-kitty_ante").locator("input").fill("2");
  await page.getByTestId("other-side").waitFor();
  expect(await page.getByTestId("other-side").count()).toBe(1);
  await page.getByTestId("rules-base").selectOption("michigan");
  expect(await page.getByTestId("other-side").count()).toBe(0);
});

test("a fault opens the form in which it is shown", async () => {
  const page = await visit(await profile(), "#/rules", "rules-editor");
  expect(await page.getByTestId("field-per_card").isVisible()).toBe(false);
  const text = page.getByTestId("rules-toml");
  await text.fill('base = "michigan"\nname = "dear"\nper_card = 1001\n');
  await text.blur();
  await page.getByTestId("fault-per_card").waitFor();
  expect(await page.getByTestId("rules-status").textContent()).toContain("One fault: see beside the fields.");
});
