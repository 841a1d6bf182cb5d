/** Traces: deals that are over, all cards open, one a line (`docs/TRACE.md`, section 10). */

import type { Recorded, Table } from "../engine/client";
import type { DealEvent, TraceLine } from "./events";
import { overridesOf } from "./overrides";
import { cellNames, resolve } from "./rules";
import type { House } from "./rules";

export const SCHEMA = "newmarket.trace/1";

type Rebuy = Extract<DealEvent, { e: "rebuy" }>;

/** What seats bought before a deal: its first events. */
export function rebuysOf(events: readonly DealEvent[]): Rebuy[] {
  return events.filter((event) => event.e === "rebuy");
}

/** What seats bought between two deals. */
export function boughtBetween(last: Table, table: Table): Rebuy[] {
  return table.bought.flatMap((all, seat) => {
    const chips = all - (last.bought[seat] ?? 0);
    return chips > 0 ? [{ e: "rebuy", seat, chips }] : [];
  });
}

/**
 * The line of a deal that is over; after the last deal of a session, the table is the one after `next`. A table
 * that was opened at this deal does not know what was bought before it.
 */
export function lineOf(house: House, table: Table, recorded: Recorded, bought: readonly Rebuy[]): TraceLine {
  const { before, deal, of, dealer, stacks, layout, kitty } = table;
  const stacksBefore = [...before.stacks];
  for (const { seat, chips } of bought) stacksBefore[seat] = (stacksBefore[seat] ?? 0) - chips;
  const events = [...bought, ...recorded.events.filter(({ e }) => e !== "rebuy")];
  const { pack } = recorded;
  const out = before.seats_in.includes(false);
  return {
    schema: SCHEMA,
    rules: house.base,
    overrides: overridesOf(house),
    players: stacks.length,
    dealer,
    session: { deal, of, bankroll: resolve(house).session.bankroll },
    ...(out ? { seats_in: before.seats_in } : {}),
    stacks_before: stacksBefore,
    layout_before: before.layout,
    kitty_before: before.kitty,
    pack,
    events,
    payoffs: stacks.map((chips, seat) => chips - (before.stacks[seat] ?? 0)),
    stacks_after: stacks,
    layout_after: layout,
    kitty_after: kitty,
  };
}

/** The rules of a line. */
export function houseOf(line: TraceLine): House {
  return { ...line.overrides, base: line.rules };
}

/** A deal of a session as one on its own: without what is given away when the session ends. */
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
export function write(lines: readonly TraceLine[]): string {
  const [first] = lines;
  const whole = !first?.session || first.session.deal === 1 || first.session.bankroll !== "credit";
  const cells = whole ? [] : cellNames(resolve(houseOf(first)));
  const written = whole ? lines : lines.map((line) => alone(line, cells));
  return written.map((line) => `${JSON.stringify(line)}\n`).join("");
}
