import { expect, test } from "vitest";

import { GAP, rows } from "./fan";

const groups = (...sizes: number[]) => sizes.map((size) => ({ cards: Array.from({ length: size }, (_, nth) => nth) }));

/** How wide a row is with cards of a width. */
function wide({ groups, step }: ReturnType<typeof rows>["rows"][0], card: number): number {
  return groups.reduce((sum, { cards }) => sum + card + (cards.length - 1) * step, (groups.length - 1) * GAP);
}

test("a small hand is one row, a large one two, and none is wider than there is room", () => {
  expect(rows(groups(3, 2, 2, 1), 344, 52).rows.length).toBe(1);
  for (const sizes of [
    [4, 4, 5, 5],
    [13, 2, 2, 1],
    [9, 9],
    [1, 1, 1, 1],
  ]) {
    const { rows: fanned } = rows(groups(...sizes), 344, 52);
    expect(fanned.flatMap(({ groups }) => groups.map(({ cards }) => cards.length))).toEqual(sizes);
    for (const row of fanned) expect(wide(row, 52)).toBeLessThanOrEqual(344);
  }
  expect(rows(groups(4, 4, 5, 5), 344, 52).rows.map(({ groups }) => groups.length)).toEqual([2, 2]);
});

test("rows have the same step, so that suits look alike", () => {
  const [upper, lower] = rows(groups(2, 7, 5, 4), 344, 52).rows;
  expect(upper?.step).toBe(lower?.step);
});
