/** How much there is to do at the table: own cards and chips a deal, where they wait for the person. */

import { expect, test } from "vitest";

import { onlyChoice } from "../../src/game/turn";
import { client } from "./engine";
import { setupOf } from "./play";

const DEALS = 1000;

test("a deal of newmarket among four has at least six touches that matter", { timeout: 300_000 }, async () => {
  const engine = client();
  const setup = setupOf("newmarket", 4, { house: { base: "newmarket", session: { deals: DEALS } } });
  let table = await engine.open("touches", setup);
  let [cards, claims] = [0, 0];
  for (let deal = 1; deal <= DEALS; deal++) {
    while (!table.deal_over) {
      const choice = onlyChoice(table) ?? (await engine.ask("touches", "stopper"));
      table = await engine.table({ type: "answer", table: "touches", do: choice });
    }
    const events = await engine.told("touches", 0, 0);
    const own = events.filter((event) => "seat" in event && event.seat === 0);
    cards += own.filter(({ e }) => e === "lead" || e === "play").length;
    claims += own.filter(({ e }) => e === "claim").length;
    if (deal < DEALS) table = await engine.table({ type: "next", table: "touches" });
  }
  console.log(`touches a deal: ${(cards / DEALS).toFixed(2)} cards, ${(claims / DEALS).toFixed(2)} claims`);
  expect(cards / DEALS).toBeGreaterThanOrEqual(6);
});
