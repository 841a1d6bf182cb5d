/** How a hand is spread: in one row if its cards can be told apart there, else in two. */

interface Group {
  cards: readonly unknown[];
}

export interface Row<G extends Group> {
  groups: G[];
  /** From one card of a suit to the next, in pixels. */
  step: number;
}

/** The least part of a card that shows what it is. */
const SEEN = 0.42;
/** The space between two suits. */
export const GAP = 8;

function step(groups: readonly Group[], width: number, card: number): number {
  const cards = groups.reduce((sum, { cards }) => sum + cards.length, 0);
  if (cards === groups.length) return card;
  const room = width - groups.length * card - (groups.length - 1) * GAP;
  return Math.max(0, Math.min(card * 0.62, room / (cards - groups.length)));
}

/** The groups in rows that fit into a width, with cards of a width. */
export function rows<G extends Group>(groups: readonly G[], width: number, card: number): { rows: Row<G>[] } {
  const whole = { groups: [...groups], step: step(groups, width, card) };
  if (whole.step >= card * SEEN || groups.length < 2) return { rows: [whole] };
  const splits = groups.slice(1).map((_, nth) => {
    const parts = [groups.slice(0, nth + 1), groups.slice(nth + 1)];
    return parts.map((part) => ({ groups: part, step: step(part, width, card) }));
  });
  const narrowest = (split: Row<G>[]) => Math.min(...split.map((row) => row.step));
  const best = splits.reduce((a, b) => (narrowest(b) > narrowest(a) ? b : a));
  const common = narrowest(best);
  return { rows: best.map(({ groups }) => ({ groups, step: common })) };
}
