/** How a hand is spread: in as few rows as show every card, and let a finger hit it. */

interface Group {
  cards: readonly unknown[];
}

export interface Row<G extends Group> {
  groups: G[];
  /** From one card of a suit to the next, in pixels. */
  step: number;
}

/** What a finger hits, in pixels. */
export const TOUCH = 44;
/** The part of a card that is seen where there is room for all of them. */
const SEEN = 0.62;
/** The space between two suits. */
export const GAP = 8;

function step(groups: readonly Group[], width: number, card: number): number {
  const cards = groups.reduce((sum, { cards }) => sum + cards.length, 0);
  if (cards === groups.length) return card;
  const room = width - groups.length * card - (groups.length - 1) * GAP;
  return Math.max(0, Math.min(Math.max(card * SEEN, Math.min(card, TOUCH)), room / (cards - groups.length)));
}

/** All ways to put the groups into so many rows, in their order. */
function splits<G>(groups: readonly G[], rows: number): G[][][] {
  if (rows === 1) return [[[...groups]]];
  return groups.slice(rows - 1).flatMap((_, nth) => {
    const size = nth + 1;
    return splits(groups.slice(size), rows - 1).map((rest) => [groups.slice(0, size), ...rest]);
  });
}

/** The groups in at most so many rows that fit into a width, with cards of a width: all rows have the same step. */
export function rows<G extends Group>(groups: readonly G[], width: number, card: number, most: number): Row<G>[] {
  let best: { parts: G[][]; step: number } = { parts: [[...groups]], step: step(groups, width, card) };
  const wanted = Math.min(TOUCH, card);
  for (let count = 2; count <= Math.min(most, groups.length) && best.step < wanted; count++) {
    for (const parts of splits(groups, count)) {
      const least = Math.min(...parts.map((part) => step(part, width, card)));
      if (least > best.step) best = { parts, step: least };
    }
  }
  return best.parts.map((part) => ({ groups: part, step: best.step }));
}
