import { readFile } from "node:fs/promises";

import { type Choice, Engine, type Table } from "newmarket-engine";
import { beforeAll, describe, expect, test } from "vitest";

import type { DealEvent } from "./events";
import { NAMES, type Rules, cellNames, resolve } from "./rules";
import { type Opening, type TableView, apply, begin, potOf, replay, sizes } from "./view";

const file = (path: string) => readFile(new URL(`../../${path}`, import.meta.url));

let engine: Engine;

beforeAll(async () => {
  engine = await Engine.create(
    await file("engine/wasm/newmarket.wasm"),
    await file("../checkpoints/released/champion/net.ckpt"),
  );
});

function send(request: Parameters<Engine["send"]>[0]): Table {
  return engine.send(request)[0] as Table;
}

/** Numbers below 1 that a seed fixes. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

interface Deal {
  openings: Opening[];
  views: TableView[];
  /** What each seat was told. */
  told: DealEvent[][];
}

/** Plays a session by chance and by the network, every seat's table drawn from what it was told. */
function session(base: string, players: number, seed: number, check: (table: Table, views: TableView[]) => void): Deal[] {
  const rules = resolve({ base });
  const draw = random(seed);
  const seats = Array.from({ length: players }, (_, seat) => seat);
  const deals: Deal[] = [];
  let table = send({ type: "open", table: "t", rules: { base }, players, seed: String(seed) });
  const chips = typeof rules.session.bankroll === "object" ? rules.session.bankroll.chips.start : 0;
  let [stacks, layout, kitty] = [seats.map(() => chips), rules.cells.map(() => 0), 0];
  while (!table.session_over) {
    const opening = (me: number): Opening => ({
      rules,
      title: base,
      players,
      dealer: table.dealer,
      stacks,
      layout,
      kitty,
      seatsIn: seats.map(() => true),
      deal: table.deal,
      of: table.of,
      me,
    });
    const openings = seats.map(opening);
    let views = openings.map(begin);
    const told: DealEvent[][] = seats.map(() => []);
    const listen = () => {
      views = views.map((view, seat) => {
        const at = told[seat]?.length ?? 0;
        const [reply] = engine.send({ type: "told", table: "t", seat, at });
        const events = (reply as unknown as { events: DealEvent[] }).events;
        told[seat]?.push(...events);
        return events.reduce(apply, view);
      });
    };
    listen();
    check(table, views);
    while (!table.deal_over) {
      const legal = table.legal ?? [];
      if (legal.length > 0 && draw() < 0.7) {
        const choice = legal[Math.floor(draw() * legal.length)] as Choice;
        table = send({ type: "answer", table: "t", do: choice });
      } else {
        engine.act("t");
        table = send({ type: "state", table: "t" });
      }
      listen();
      if (!table.session_over) check(table, views);
    }
    deals.push({ openings, views, told });
    ({ stacks, layout, kitty } = table);
    if (!table.session_over) table = send({ type: "next", table: "t" });
  }
  return deals;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

describe.each(NAMES.map((name) => ({ name, rules: resolve({ base: name }) })))("$name", ({ name, rules }) => {
  const [least, most] = rules.players;

  test.each([
    { players: least, seed: 1 },
    { players: 4, seed: 2 },
    { players: 4, seed: 3 },
    { players: most, seed: 4 },
  ])("$players seats, seed $seed: drawn from events as the engine has it", ({ players, seed }) => {
    let checked = 0;
    const deals = session(name, players, seed, (table, views) => {
      // A seat that splits its ante has paid the kitty, which is told with the whole ante.
      const paid = table.ante === undefined ? 0 : rules.kitty_ante;
      for (const [seat, view] of views.entries()) {
        expect(view.layout).toEqual(table.layout);
        expect(view.kitty + paid).toBe(table.kitty);
        expect(view.seats.map(({ stack }, at) => (at === table.seat ? stack - paid : stack))).toEqual(table.stacks);
        expect(view.over).toBe(table.deal_over);
        expect(view.seats.map((who) => who.size)).toEqual(views[0]?.seats.map((who) => who.size));
        expect(view.seats.every((who, other) => other === seat || who.hand === null)).toBe(true);
      }
      if (table.seat === undefined) return;
      const mine = views[table.seat]?.seats[table.seat];
      expect(mine?.hand ?? []).toEqual(table.hand);
      expect(mine?.size).toBe(table.hand?.length);
      checked += 1;
    });
    expect(checked).toBeGreaterThan(20);
    for (const { openings, views } of deals) {
      for (const [seat, view] of views.entries()) {
        const opening = openings[seat] as Opening;
        expect(view.seats.map((who) => who.stack - who.gain)).toEqual(opening.stacks);
        expect(sum(view.seats.map((who) => who.left ?? 0)) + view.played.length + view.deadHand.size).toBe(
          sum(sizes(opening).hands) + sizes(opening).dead,
        );
      }
    }
  });
});

describe("events one by one", () => {
  const rules: Rules = resolve({ base: "three-in-one" });
  const opening: Opening = {
    rules,
    title: "Three in One",
    players: 3,
    dealer: 2,
    stacks: [10, 10, 10],
    layout: rules.cells.map(() => 3),
    kitty: 3,
    seatsIn: [true, true, true],
    deal: 1,
    of: 10,
    me: 0,
  };

  test("nothing of the table before is changed", () => {
    const before = begin(opening);
    const copy = structuredClone(before);
    const after = apply(before, { e: "ante", seat: 0, kitty: 1, layout: rules.cells.map(() => 1) });
    expect(before).toEqual(copy);
    expect(after.seats[0]?.stack).toBe(1);
    expect(after.layout).toEqual(rules.cells.map(() => 4));
  });

  test("the pot is found, and taken by those who share it", () => {
    expect(cellNames(rules)[potOf(rules)]).toBe("pot");
    const view = replay(opening, [
      { e: "bet", seat: 0, chips: 1 },
      { e: "raise", seat: 1, chips: 2 },
      { e: "fold", seat: 2, chips: 0 },
      { e: "call", seat: 0, chips: 1 },
      {
        e: "showdown",
        winners: [0, 1],
        hands: { "0": "one pair", "1": "one pair" },
        shown: { "0": ["2C"], "1": ["2D"] },
        paid: [4, 3, 0],
      },
    ]);
    expect(view.layout[potOf(rules)]).toBe(0);
    expect(view.seats.map((who) => [who.stack, who.bet, who.folded])).toEqual([
      [12, 2, false],
      [11, 2, false],
      [10, 0, true],
    ]);
    expect([view.leader, view.poker?.winners]).toEqual([0, [0, 1]]);
  });

  test("a fee is spread over the cells, or goes to the dealer", () => {
    const exchange = { e: "exchange" as const, seat: 1, paid: 10, dead: [] };
    const spread = replay(opening, [{ ...exchange, to: "layout" }]);
    expect(spread.layout).toEqual([5, 5, 4, 4, 4, 4, 4, 4]);
    const bought = replay(opening, [{ ...exchange, to: "seat:2" }]);
    expect(bought.seats.map((who) => who.stack)).toEqual([10, 0, 20]);
  });

  test("open hands change places with the dead hand", () => {
    const hands = [["2C"], ["3C"], ["4C"]];
    const view = replay({ ...opening, me: null }, [
      { e: "deal", hands, dead: ["5C", "6C"] },
      { e: "exchange", seat: 1, paid: 0, to: null, dead: ["3C"] },
    ]);
    expect(view.seats[1]?.hand).toEqual(["5C", "6C"]);
    expect(view.deadHand).toEqual({ size: 1, cards: ["3C"], taker: 1 });
  });

  test("piles left over are given away", () => {
    const view = replay(opening, [
      { e: "leftover", from: "pot", seat: 1, chips: 3 },
      { e: "leftover", from: "kitty", seat: 2, chips: 3 },
      { e: "spill", from: "KQ", to: "TH", chips: 2 },
    ]);
    expect([view.layout, view.kitty]).toEqual([[5, 3, 3, 3, 3, 1, 3, 0], 0]);
    expect(view.seats.map((who) => who.stack)).toEqual([10, 13, 13]);
  });

  test("cards go round over the seats that play", () => {
    const four = { ...opening, players: 4, dealer: 1, seatsIn: [true, true, false, true] };
    expect(sizes(four)).toEqual({ hands: [13, 13, 0, 13], dead: 13 });
    const odd = { ...four, rules: { ...rules, removed: ["2C", "2D"] } };
    expect(sizes(odd)).toEqual({ hands: [13, 12, 0, 13], dead: 12 });
  });
});
