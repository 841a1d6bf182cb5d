import { describe, expect, test } from "vitest";

import { cardName, ranksOf, sorted } from "./cards";
import { cellView, mayStake, setsOf, standing } from "./cells";
import type { DealEvent } from "./events";
import { pokerHand } from "./poker";
import { gameRules } from "./rules";
import { begin, replay } from "./view";
import { amount, choiceWords, eventWords, list, seatNames, signed } from "./words";

const rules = gameRules("three-in-one");
const names = seatNames(3, 1);

describe("events in words", () => {
  test.each<[DealEvent, string]>([
    [{ e: "lead", seat: 1, card: "6D" }, "You lead the 6 of diamonds."],
    [{ e: "play", seat: 2, card: "TC" }, "Ann plays the 10 of clubs."],
    [{ e: "pass", seat: 0 }, "Ben passes."],
    [{ e: "pass", seat: 1 }, "You pass."],
    [{ e: "out", seat: 1 }, "You are out of cards."],
    [{ e: "out", seat: 2 }, "Ann is out of cards."],
    [
      { e: "ante", seat: 2, kitty: 1, layout: [1, 1, 1, 1, 1, 1, 1, 1] },
      "Ann stakes 1 on each boodle and 1 in the kitty.",
    ],
    [
      { e: "ante", seat: 1, kitty: 0, layout: [0, 2, 0, 0, 0, 1, 0, 1] },
      "You stake 2 on the jack of hearts, 1 on KQ and 1 on the pot.",
    ],
    [{ e: "ante", seat: 1, kitty: 0, layout: [0, 0, 0, 0, 0, 0, 0, 0] }, "You stake nothing."],
    [{ e: "exchange", seat: 1, paid: 3, to: "seat:2", dead: [] }, "You take the dead hand for 3 chips to Ann."],
    [{ e: "exchange", seat: 2, paid: 0, to: null, dead: [] }, "Ann takes the dead hand."],
    [{ e: "claim", seat: 0, cell: "KH", chips: 1 }, "Ben wins 1 chip on the king of hearts."],
    [{ e: "stop", seat: 0, card: "QH", why: "dead" }, "The queen of hearts stops: the next card is in the dead hand."],
    [{ e: "spill", from: "KQ", to: "kitty", chips: 2 }, "2 chips above the limit move from KQ to the kitty."],
    [
      { e: "showdown", winners: [1], hands: { "1": "flush", "2": "one pair" }, paid: [0, 7, 0] },
      "You take the pot of 7 chips with a flush.",
    ],
    [
      { e: "showdown", winners: [2, 0], hands: { "0": "one pair", "2": "one pair" }, paid: [3, 0, 4] },
      "Ann and Ben share the pot of 7 chips with one pair.",
    ],
    [
      { e: "settle", winner: 2, kitty: 4, cards: [1, 2, 0], paid: [1, 2, 0] },
      "Ann wins the deal: 4 chips from the kitty and 3 chips for cards.",
    ],
    [{ e: "settle", winner: 1, kitty: 0, cards: [0, 0, 2], paid: [0, 0, 0] }, "You win the deal."],
  ])("%j", (event, words) => {
    expect(eventWords(event, rules, names)).toBe(words);
  });

  test("seats are named from the left of the person, or from the first one", () => {
    expect(seatNames(4, 2)).toEqual(["Ben", "Cat", "You", "Ann"]);
    expect(seatNames(3, null)).toEqual(["Ann", "Ben", "Cat"]);
    expect(new Set(seatNames(8, 5)).size).toBe(8);
    expect(new Set(seatNames(8, null)).size).toBe(8);
  });

  test("choices, lists and numbers", () => {
    expect(choiceWords({ e: "lead", card: "AS" }, rules)).toBe("Lead the ace of spades");
    expect(choiceWords({ e: "fold" }, rules)).toBe("Fold");
    expect([list([]), list(["a"]), list(["a", "b", "c"])]).toEqual(["", "a", "a, b and c"]);
    expect([signed(3), signed(-2.5, 2), signed(0.001, 2), amount(-4)]).toEqual(["+3", "−2.50", "0.00", "−4"]);
  });
});

describe("cards", () => {
  test("are named and sorted as the rules count", () => {
    expect(cardName("TC")).toBe("10 of clubs");
    expect(sorted("low", ["KS", "AS", "2C", "TC"])).toEqual(["2C", "TC", "AS", "KS"]);
    expect(sorted("high", ["AS", "KS"])).toEqual(["KS", "AS"]);
    expect(ranksOf({ ...rules, ranks: 3 })).toEqual(["2", "3", "4"]);
  });

  test.each([
    ["2C 3D 4H 5S AS", "straight"],
    ["TC JD QH KS AS", "straight"],
    ["QC KD AH 2S 3S", "high card"],
    ["2C 3C 4C 5C AC", "straight flush"],
    ["2C 5C 9C JC AC", "flush"],
    ["2C 2D 2H 2S AC", "four of a kind"],
    ["2C 2D 2H AS AC", "full house"],
    ["2C 2D 2H 3S AC", "three of a kind"],
    ["2C 2D AH AS 3C", "two pair"],
    ["2C 2D 4H AS 3C", "one pair"],
  ])("%s is %s", (cards, hand) => {
    expect(pokerHand(cards.split(" "))).toBe(hand);
  });
});

describe("cells", () => {
  test("show the card that takes them, or the cards of their sets", () => {
    const [, , , , , kq, run, pot] = rules.cells.map(cellView);
    expect([kq?.cards, run?.cards, run?.anySuit, pot?.cards]).toEqual([["QH", "KH"], ["8C", "9C", "TC"], true, []]);
    const [kc] = gameRules("south-london").cells;
    expect(kc && [cellView(kc).cards, cellView(kc).by, setsOf(kc)]).toEqual([["KC"], "QC", [["QC"]]]);
  });

  test("are in the hand, or gone", () => {
    const michigan = gameRules("michigan");
    const opening = {
      rules: michigan,
      title: "",
      players: 3,
      dealer: 0,
      stacks: [0, 0, 0],
      layout: [0, 0, 0, 0],
      kitty: 0,
    };
    const view = replay({ ...opening, seatsIn: [true, true, true], deal: 1, of: 1, me: 0 }, [
      { e: "lead", seat: 1, card: "KC" },
    ]);
    expect(standing(view, ["AH"]).map(({ held, gone }) => [held, gone])).toEqual([
      [true, false],
      [false, true],
      [false, false],
      [false, false],
    ]);
    const pair = { ...michigan, cells: [{ name: "PAIR", claimed_by: ["KC", "2C"] }] };
    const first = begin({ ...opening, rules: pair, layout: [0], seatsIn: [true, true, true], deal: 1, of: 1, me: 0 });
    const half = { ...first, played: [{ card: "KC", seat: 1 }] };
    expect(standing(half, []).map(({ gone }) => gone)).toEqual([false]);
    const split = { ...first, played: [...half.played, { card: "2C", seat: 2 }] };
    expect(standing(split, []).map(({ gone }) => gone)).toEqual([true]);
  });

  test("take no more than the cap, unless all are full", () => {
    const capped = { ...rules, cell_cap: 3 };
    expect(mayStake(capped, [3, 0], [0, 3])).toBe(true);
    expect(mayStake(capped, [3, 0], [1, 2])).toBe(false);
    expect(mayStake(capped, [3, 2], [1, 1])).toBe(true);
    expect(mayStake(capped, [5, 0], [0, 1])).toBe(true);
    expect(mayStake(rules, [3, 0], [9, 0])).toBe(true);
  });
});
