import { afterEach, expect, test, vi } from "vitest";

import type { DealEvent } from "../../src/game/events";
import type { Wait } from "../../src/game/pace";
import { gameRules } from "../../src/game/rules";
import { Stage } from "../../src/game/stage.svelte";
import type { Opening } from "../../src/game/view";

afterEach(() => {
  vi.useRealTimers();
});

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

/** Lets so many milliseconds pass: with those in which an own card settles, what comes next is there. */
const wait = (ms = 300) => vi.advanceTimersByTimeAsync(ms);

function stageWith(cards: Wait, chosen?: DealEvent): Stage {
  vi.useFakeTimers();
  const stage = new Stage({ pace: "instant", cards });
  stage.reset(opening);
  stage.add(dealt, chosen);
  return stage;
}

test("an own card waits until it is played, with the chips that it takes; a lead that was chosen does not", async () => {
  const stage = stageWith("until I play", dealt.at(-1));
  const whole = stage.show();
  await wait();
  expect([stage.view.log.length, stage.showing]).toEqual([5, true]);
  expect(stage.waiting).toEqual({ event: dealt[5], cells: [], chips: 0, ms: null });
  // Whoever skips comes to the next own card, and not past it.
  stage.skip();
  await wait();
  expect(stage.view.log.length).toBe(5);
  stage.play();
  await wait();
  expect(stage.waiting).toEqual({ event: dealt[7], cells: ["KC"], chips: 3, ms: null });
  stage.play();
  await wait();
  expect(await whole).toBe(true);
  expect([stage.view.log.length, stage.waiting, stage.late]).toEqual([dealt.length, null, null]);
});

test("after an own card nothing is to be decided for a moment, at any pace: a second touch meets nothing", async () => {
  const stage = stageWith("until I play", dealt.at(-1));
  void stage.show();
  await wait();
  stage.play();
  await wait();
  stage.play();
  await wait(290);
  expect([stage.view.log.length, stage.showing]).toEqual([8, true]);
  await wait(20);
  expect(stage.showing).toBe(false);
});

test("a lead that nobody chose waits as well", async () => {
  const stage = stageWith("until I play");
  void stage.show();
  for (let nth = 0; nth < 2; nth++) {
    await wait();
    stage.play();
  }
  await wait();
  expect(stage.waiting?.event).toEqual(dealt.at(-1));
  stage.stop();
});

test("after a while an own card is played for the person, and that is said until the next own card", async () => {
  const stage = stageWith("5 seconds", dealt.at(-1));
  const whole = stage.show();
  await wait(4900);
  expect([stage.waiting?.ms, stage.late]).toEqual([5000, null]);
  await wait(500);
  expect([stage.late, stage.waiting?.event]).toEqual([dealt[5], dealt[7]]);
  stage.play();
  await wait();
  expect(await whole).toBe(true);
  expect(stage.late).toBe(null);
});

test("the time of a card that waits stands still while the play is held, and begins anew; a touch plays it all the same", async () => {
  const stage = stageWith("5 seconds", dealt.at(-1));
  void stage.show();
  await wait(4900);
  stage.hold(true);
  await wait(60_000);
  expect([stage.waiting?.event, stage.waiting?.ms]).toEqual([dealt[5], null]);
  stage.hold(false);
  await wait(4900);
  expect([stage.waiting?.event, stage.waiting?.ms]).toEqual([dealt[5], 5000]);
  stage.hold(true);
  await wait(0);
  stage.play();
  await wait();
  // It is shown, and nothing after it.
  expect([stage.view.log.length, stage.waiting, stage.late]).toEqual([6, null, null]);
  await wait(60_000);
  expect(stage.view.log.length).toBe(6);
  stage.hold(false);
  await wait();
  expect(stage.waiting?.event).toEqual(dealt[7]);
  stage.stop();
});

test("whoever becomes relaxed, or patient, while a card waits has it so with this card", async () => {
  vi.useFakeTimers();
  const manner: { pace: "instant"; cards: Wait } = { pace: "instant", cards: "5 seconds" };
  const stage = new Stage(manner);
  stage.reset(opening);
  stage.add(dealt, dealt.at(-1));
  const whole = stage.show();
  await wait();
  // The menu is open meanwhile.
  const change = async (cards: Wait) => {
    stage.hold(true);
    await wait();
    manner.cards = cards;
    stage.hold(false);
    await wait();
  };
  await change("until I play");
  expect([stage.waiting?.event, stage.waiting?.ms]).toEqual([dealt[5], null]);
  await change("relaxed");
  await wait();
  expect(await whole).toBe(true);
  expect([stage.view.log.length, stage.late]).toEqual([dealt.length, null]);
});

test("nothing is shown while the play is held", async () => {
  vi.useFakeTimers();
  const stage = new Stage({ pace: "normal", cards: "relaxed" });
  stage.reset(opening);
  stage.add(antes);
  stage.hold(true);
  const whole = stage.show();
  stage.skip();
  await wait(60_000);
  expect([stage.view.log, stage.showing]).toEqual([[], true]);
  stage.hold(false);
  await wait();
  expect(await whole).toBe(true);
  expect(stage.view.log).toEqual(antes);
});

test("nothing waits for whoever is relaxed, nor where all is shown at once", async () => {
  const relaxed = stageWith("relaxed");
  expect(await relaxed.show()).toBe(true);
  const stage = stageWith("until I play");
  const whole = stage.show();
  await wait();
  stage.skipAll();
  expect(await whole).toBe(true);
  expect([stage.view.log.length, stage.late]).toEqual([dealt.length, null]);
});
