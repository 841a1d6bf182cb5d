import { expect, test } from "vitest";

import type { DealEvent } from "../../src/game/events";
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
  const stage = new Stage({ pace: "fast" });
  stage.reset(opening);
  stage.add(antes);
  const whole = stage.show();
  expect([stage.view.log.length, stage.event, stage.showing]).toEqual([1, antes[0], true]);
  expect(await whole).toBe(true);
  expect([stage.view.log, stage.event, stage.showing]).toEqual([antes, antes[2], false]);
});

test("whoever skips sees the end at once; what comes later takes its time again", async () => {
  const stage = new Stage({ pace: "slow" });
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
  const stage = new Stage({ pace: "slow" });
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
