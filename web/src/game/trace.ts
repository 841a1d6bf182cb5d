/** Traces: deals that are over, all cards open, one a line (`docs/TRACE.md`, section 10). */

import type { DealEvent, TraceLine } from "./events";
import { cellNames } from "./rules";
import type { House, Rules } from "./rules";

export const SCHEMA = "newmarket.trace/1";

/** What each seat bought before a deal with these events. */
export function rebuysOf({ players, events }: { players: number; events: readonly DealEvent[] }): number[] {
  const rebuys = Array.from({ length: players }, () => 0);
  for (const event of events) if (event.e === "rebuy") rebuys[event.seat] = event.chips;
  return rebuys;
}

/** The event of a line that comes after so many that a seat has been told: it is told nothing of rebuys. */
export function indexIn(line: TraceLine, told: number): number {
  return told + rebuysOf(line).filter((chips) => chips > 0).length;
}

/** The rules of a line. */
export function houseOf(line: TraceLine): House {
  return { ...line.overrides, base: line.rules };
}

/** A deal of a session as a deal on its own: without the chips that are given away when the session ends. */
function alone({ session: _, ...line }: TraceLine, cells: string[]): TraceLine {
  const stacks = [...line.stacks_after];
  const payoffs = [...line.payoffs];
  const layout = [...line.layout_after];
  let kitty = line.kitty_after;
  for (const event of line.events) {
    if (event.e !== "leftover") continue;
    const { from, seat, chips } = event;
    const cell = cells.indexOf(from);
    stacks[seat] = (stacks[seat] ?? 0) - chips;
    payoffs[seat] = (payoffs[seat] ?? 0) - chips;
    if (cell < 0) kitty += chips;
    else layout[cell] = (layout[cell] ?? 0) + chips;
  }
  const events = line.events.filter(({ e }) => e !== "leftover");
  return { ...line, events, payoffs, stacks_after: stacks, layout_after: layout, kitty_after: kitty };
}

/**
 * The file of these deals. A session is one from its first deal on: deals of the middle of one stand on their own.
 * With real chips that cannot be, as such a deal is on credit: those lines keep their numbers in the session.
 */
export function write(lines: readonly TraceLine[], rulesOf: (line: TraceLine) => Rules): string {
  const [first] = lines;
  const whole = !first?.session || first.session.deal === 1 || first.session.bankroll !== "credit";
  const cells = whole ? [] : cellNames(rulesOf(first));
  const written = whole ? lines : lines.map((line) => alone(line, cells));
  return written.map((line) => `${JSON.stringify(line)}\n`).join("");
}
