import { expect, test } from "vitest";

import { GAP, TOUCH, rows } from "./fan";

const groups = (...sizes: number[]) => sizes.map((size) => ({ cards: Array.from({ length: size }, (_, nth) => nth) }));

/** How wide a row is with cards of a width. */
function wide({ groups, step }: ReturnType<typeof rows>[0], card: number): number {
  return groups.reduce((sum, { cards }) => sum + card + (cards.length - 1) * step, (groups.length - 1) * GAP);
}

test("a hand has as few rows as let a finger hit each card, and none is wider than there is room", () => {
  expect(rows(groups(2, 1, 1, 1), 344, 52, 3)).toMatchObject([{ step: TOUCH }]);
  for (const [sizes, count, least] of [
    [[3, 3, 2, 2], 2, TOUCH],
    [[4, 3, 3, 3], 2, 38],
    [[4, 4, 5, 5], 3, 38],
    [[13, 2, 2, 1], 2, 24],
    [[9, 9], 2, 36],
    [[1, 1, 1, 1], 1, 52],
  ] as [number[], number, number][]) {
    const fanned = rows(groups(...sizes), 344, 52, 3);
    expect(fanned.flatMap(({ groups }) => groups.map(({ cards }) => cards.length))).toEqual(sizes);
    for (const row of fanned) {
      expect(wide(row, 52)).toBeLessThanOrEqual(344);
      expect(row.step).toBeGreaterThanOrEqual(least);
    }
    expect([sizes, fanned.length]).toEqual([sizes, count]);
  }
  // Where there is room, suits lie beside each other.
  expect(rows(groups(3, 3, 3, 4), 1000, 104, 3).length).toBe(1);
});

test("with a row for each suit every card can be hit that is a button", () => {
  for (const sizes of [[5, 4, 4], [4, 4, 5, 5], [7, 7, 2, 2], [7, 7, 7, 7]]) {
    const fanned = rows(groups(...sizes), 344, 52, 4);
    for (const row of fanned) {
      expect(wide(row, 52)).toBeLessThanOrEqual(344);
      expect(row.step).toBeGreaterThanOrEqual(TOUCH);
    }
  }
});

test("rows have the same step, so that suits look alike", () => {
  const [upper, lower] = rows(groups(2, 7, 5, 4), 344, 52, 3);
  expect(upper?.step).toBe(lower?.step);
});
