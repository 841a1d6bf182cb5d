import { readFile } from "node:fs/promises";

import { type Choice, Engine, type Table } from "newmarket-engine";
import { describe, expect, test } from "vitest";

import type { DealEvent } from "./events";
import { packOf } from "./cards";
import { type House, NAMES, type Rules, cellNames, gameRules } from "./rules";
import { type Opening, type TableView, apply, begin, potOf, replay, sizes } from "./view";

const file = (path: string) => readFile(new URL(`../../${path}`, import.meta.url));

const engine = await Engine.create(await file("engine/wasm/newmarket.wasm"), await file("assets/champion.safetensors"));

/** The rules of a house with all options. */
function resolve(house: House): Rules {
  const [reply] = engine.send({ type: "rules", rules: house });
  return (reply as unknown as { resolved: Rules }).resolved;
}

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
  /** As each seat saw it, to the end. */
  views: TableView[];
  /** All hands open, to the end, and the table as the engine had it. */
  open: TableView;
  table: Table;
}

/** Plays a session by chance and by the network, every seat's table drawn from what it was told. */
function session(
  house: House,
  players: number,
  seed: number,
  check: (table: Table, views: TableView[]) => void,
): Deal[] {
  const rules = resolve(house);
  const draw = random(seed);
  const seats = Array.from({ length: players }, (_, seat) => seat);
  const deals: Deal[] = [];
  let table = send({ type: "open", table: "t", rules: house, players, seed: String(seed) });
  while (!table.session_over) {
    const { before, dealer, deal, of } = table;
    const openings = seats.map((me): Opening => {
      const { stacks, layout, kitty, seats_in: seatsIn } = before;
      return { rules, title: house.base, players, dealer, stacks, layout, kitty, seatsIn, deal, of, me };
    });
    let views = openings.map(begin);
    const heard = seats.map(() => 0);
    const listen = () => {
      views = views.map((view, seat) => {
        if (!before.seats_in[seat]) return view;
        const [reply] = engine.send({ type: "told", table: "t", seat, at: heard[seat] ?? 0 });
        const { events } = reply as unknown as { events: DealEvent[] };
        heard[seat] = (heard[seat] ?? 0) + events.length;
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
      check(table, views);
    }
    const look = () => {
      const [reply] = engine.send({ type: "record", table: "t" });
      const { events } = reply as unknown as { events: DealEvent[] };
      return { openings, views, open: replay({ ...(openings[0] as Opening), me: null }, events), table };
    };
    const over = look();
    table = send({ type: "next", table: "t" });
    // What is left over at the end of the session belongs to its last deal.
    deals.push(table.session_over ? look() : over);
  }
  return deals;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

const HOUSES: House[] = [
  ...NAMES.map((base) => ({ base, session: { deals: 4 } })),
  {
    base: "newmarket",
    name: "cap, elimination",
    cell_cap: 6,
    session: { deals: 12, bankroll: { chips: { start: 14, on_bust: "eliminate" } }, leftover: "lot" },
  },
  {
    base: "four-horses",
    name: "rebuy",
    session: { bankroll: { chips: { start: 4, on_bust: "rebuy" } }, leftover: "richest" },
  },
  {
    base: "michigan-widow",
    name: "fee on the cells, after a look",
    timing: "after_look",
    exchange: { dealer_exchange: { fee: 7 } },
  },
  { base: "three-in-one", name: "claimed in the play", claim_when: "played" },
  {
    base: "chicago",
    name: "small pack",
    ranks: 9,
    suits: 3,
    cells: ["9C", { name: "PAIR", claimed_by: ["4D", "5D"] }, "7H"],
  },
];

describe.each(HOUSES.map((house) => ({ title: house.name ?? house.base, house })))(
  "$title",
  ({ house: { name: _, ...house } }) => {
    const rules = resolve(house);
    const [least, most] = rules.players;

    test.each([
      { players: least, seed: 1 },
      { players: 4, seed: 2 },
      { players: 4, seed: 3 },
      { players: house.ranks === undefined ? most : 5, seed: 4 },
    ])("$players seats, seed $seed: drawn from events as the engine has it", ({ players, seed }) => {
      let checked = 0;
      const deals = session(house, players, seed, (table, views) => {
        // A seat that splits its ante has paid the kitty, which is told with the whole ante.
        const paid = table.ante === undefined ? 0 : rules.kitty_ante;
        const { dealer } = table;
        const truth = {
          layout: table.layout,
          kitty: table.kitty - paid,
          stacks: table.stacks.map((stack, seat) => (seat === table.seat ? stack + paid : stack)),
          over: table.deal_over,
        };
        for (const [seat, { layout, kitty, seats, over, seatsIn }] of views.entries()) {
          if (!seatsIn[seat]) continue;
          expect({ layout, kitty, stacks: seats.map(({ stack }) => stack), over }).toEqual(truth);
          expect(seats.map((who) => who.size)).toEqual(views[dealer]?.seats.map((who) => who.size));
          expect(seats.every((who, other) => other === seat || who.hand === null)).toBe(true);
        }
        if (table.seat === undefined) return;
        const mine = views[table.seat]?.seats[table.seat];
        expect([mine?.hand ?? [], mine?.size]).toEqual([table.hand, table.hand?.length]);
        if (table.legal?.[0]?.e === "lead") expect([table.seat, null]).toContain(views[table.seat]?.leader);
        checked += 1;
      });
      expect(checked).toBeGreaterThan(10);
      for (const { openings, views, open, table } of deals) {
        expect([open.seats.map(({ stack }) => stack), open.layout, open.kitty]).toEqual([
          table.stacks,
          table.layout,
          table.kitty,
        ]);
        const [opening] = openings as [Opening];
        for (const view of views.filter((_, seat) => opening.seatsIn[seat])) {
          expect(view.seats.map((who) => who.stack - who.gain)).toEqual(opening.stacks);
          const left = sum(view.seats.map((who) => who.left ?? 0));
          expect(left + view.played.length + view.deadHand.size).toBe(sum(sizes(opening).hands) + sizes(opening).dead);
        }
        const hands = open.seats.flatMap(({ hand }) => hand ?? []);
        expect([...hands, ...open.played.map(({ card }) => card), ...(open.deadHand.cards ?? [])].sort()).toEqual(
          packOf(rules).sort(),
        );
        expect(open.seats.map(({ size }) => size)).toEqual(open.seats.map(({ hand }) => hand?.length ?? 0));
      }
    });
  },
);

describe("events one by one", () => {
  const rules: Rules = gameRules("three-in-one");
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
