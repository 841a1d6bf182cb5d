import { expect, test, vi } from "vitest";

import type { DealEvent } from "../../src/game/events";
import type { Wait } from "../../src/game/pace";
import { gameRules } from "../../src/game/rules";
import { Stage } from "../../src/game/stage.svelte";
import type { Opening } from "../../src/game/view";

const opening: Opening = {
  rules: gameRules("michigan"),
  title: "Michigan",
  players: 3,
  dealer: 0,
  stacks: [0, 0, 0],
  layout: [0, 0, 0, 0],
  kitty: 0,
  seatsIn: [true, true, true],
  deal: 1,
  of: 1,
  me: 0,
};
const antes = [1, 2, 0].map((seat): DealEvent => ({ e: "ante", seat, kitty: 0, layout: [1, 1, 1, 1] }));

test("events come one by one, and in their order", async () => {
  const stage = new Stage({ pace: "fast", cards: "relaxed" });
  stage.reset(opening);
  stage.add(antes);
  const whole = stage.show();
  expect([stage.view.log.length, stage.event, stage.showing]).toEqual([1, antes[0], true]);
  expect(await whole).toBe(true);
  expect([stage.view.log, stage.event, stage.showing]).toEqual([antes, antes[2], false]);
});

test("whoever skips sees the end at once; what comes later takes its time again", async () => {
  const stage = new Stage({ pace: "slow", cards: "relaxed" });
  stage.reset(opening);
  stage.add(antes.slice(0, 2));
  const whole = stage.show();
  stage.skip();
  expect(await whole).toBe(true);
  expect(stage.view.log).toHaveLength(2);
  stage.add(antes.slice(2));
  void stage.show();
  expect(stage.showing).toBe(true);
  stage.stop();
});

test("a reset, or another show, ends the one before", async () => {
  const stage = new Stage({ pace: "slow", cards: "relaxed" });
  stage.reset(opening);
  stage.add(antes);
  const first = stage.show();
  const second = stage.show();
  expect(await first).toBe(false);
  expect(stage.showing).toBe(true);
  stage.reset(opening);
  expect(await second).toBe(false);
  expect([stage.view.log, stage.event, stage.showing]).toEqual([[], null, false]);
});

/** A deal in which the person follows twice, and takes chips with the second card. */
const dealt: DealEvent[] = [
  ...antes,
  { e: "deal", hands: [["5C", "KC", "2H"], [], []], dead: [] },
  { e: "lead", seat: 1, card: "4C" },
  { e: "play", seat: 0, card: "5C" },
  { e: "play", seat: 2, card: "6C" },
  { e: "play", seat: 0, card: "KC" },
  { e: "claim", seat: 0, cell: "KC", chips: 3 },
  { e: "stop", seat: 0, card: "KC", why: "dead" },
  { e: "lead", seat: 0, card: "2H" },
];

const tick = () => new Promise((done) => setTimeout(done, 0));

function stageWith(cards: Wait, chosen?: DealEvent): Stage {
  const stage = new Stage({ pace: "instant", cards });
  stage.reset(opening);
  stage.add(dealt, chosen);
  return stage;
}

test("an own card waits until it is played, with the chips that it takes; a lead that was chosen does not", async () => {
  const stage = stageWith("until I play", dealt.at(-1));
  const whole = stage.show();
  await tick();
  expect([stage.view.log.length, stage.showing]).toEqual([5, true]);
  expect(stage.waiting).toEqual({ event: dealt[5], cells: [], chips: 0, ms: null });
  // Whoever skips comes to the next own card, and not past it.
  stage.skip();
  await tick();
  expect(stage.view.log.length).toBe(5);
  stage.play();
  await tick();
  expect(stage.waiting).toEqual({ event: dealt[7], cells: ["KC"], chips: 3, ms: null });
  stage.play();
  expect(await whole).toBe(true);
  expect([stage.view.log.length, stage.waiting, stage.late]).toEqual([dealt.length, null, null]);
});

test("a lead that nobody chose waits as well", async () => {
  const stage = stageWith("until I play");
  void stage.show();
  for (let nth = 0; nth < 2; nth++) {
    await tick();
    stage.play();
  }
  await tick();
  expect(stage.waiting?.event).toEqual(dealt.at(-1));
  stage.stop();
});

test("after a while an own card is played for the person, and that is said until the next own card", async () => {
  vi.useFakeTimers();
  const stage = stageWith("5 seconds", dealt.at(-1));
  const whole = stage.show();
  await vi.advanceTimersByTimeAsync(4900);
  expect([stage.waiting?.ms, stage.late]).toEqual([5000, null]);
  await vi.advanceTimersByTimeAsync(200);
  expect([stage.late, stage.waiting?.event]).toEqual([dealt[5], dealt[7]]);
  stage.play();
  await vi.advanceTimersByTimeAsync(0);
  expect(await whole).toBe(true);
  expect(stage.late).toBe(null);
  vi.useRealTimers();
});

test("nothing waits for whoever is relaxed, nor where all is shown at once", async () => {
  const relaxed = stageWith("relaxed");
  expect(await relaxed.show()).toBe(true);
  const stage = stageWith("until I play");
  const whole = stage.show();
  await tick();
  stage.skipAll();
  expect(await whole).toBe(true);
  expect([stage.view.log.length, stage.late]).toEqual([dealt.length, null]);
});
