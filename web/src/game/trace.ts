/** Traces: deals that are over, all cards open, one a line (`docs/TRACE.md`, section 10). */

import type { Recorded, Table } from "../engine/client";
import type { DealEvent, TraceLine } from "./events";
import { overridesOf } from "./overrides";
import { resolve } from "./rules";
import type { House } from "./rules";

export const SCHEMA = "newmarket.trace/1";

type Rebuy = Extract<DealEvent, { e: "rebuy" }>;

/** What seats bought before a deal: its first events. */
export function rebuysOf(events: readonly DealEvent[]): Rebuy[] {
  return events.filter((event) => event.e === "rebuy");
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

/** The file of these deals. */
export function write(lines: readonly TraceLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
