/** How much there is to do at the table: own cards and chips a deal, where they wait for the person. */

import { expect, test, vi } from "vitest";

import type { Table } from "../../src/engine/client";
import type { DealEvent } from "../../src/game/events";
import { gameRules } from "../../src/game/rules";
import { Stage } from "../../src/game/stage.svelte";
import { onlyChoice } from "../../src/game/turn";
import { client } from "./engine";
import { setupOf } from "./play";

const DEALS = 1000;
/** Deals that are shown on a stage as well. */
const SHOWN = 20;

/** How often a stage waits for the person while it shows these events. */
async function waits({ deal, of, dealer, before }: Table, events: readonly DealEvent[]): Promise<number> {
  vi.useFakeTimers();
  const { stacks, layout, kitty, seats_in: seatsIn } = before;
  const stage = new Stage({ pace: "instant", cards: "until I play" });
  stage.reset({ rules: gameRules("newmarket"), title: "", players: 4, deal, of, dealer, stacks, layout, kitty, seatsIn, me: 0 });
  stage.add(events);
  void stage.show();
  let count = 0;
  for (; stage.showing; await vi.advanceTimersByTimeAsync(300)) {
    if (stage.waiting === null) continue;
    count += 1;
    stage.play();
  }
  vi.useRealTimers();
  return count;
}

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
    const touched = own.filter(({ e }) => e === "lead" || e === "play").length;
    cards += touched;
    claims += own.filter(({ e }) => e === "claim").length;
    if (deal <= SHOWN) expect(await waits(table, events), `deal ${deal}`).toBe(touched);
    if (deal < DEALS) table = await engine.table({ type: "next", table: "touches" });
  }
  console.log(`touches a deal: ${(cards / DEALS).toFixed(2)} cards, ${(claims / DEALS).toFixed(2)} claims`);
  expect(cards / DEALS).toBeGreaterThanOrEqual(6);
});
