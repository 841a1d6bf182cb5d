/** How long each event is shown before the next one comes. */

import type { DealEvent } from "./events";

export const PACES = ["slow", "normal", "fast", "instant"] as const;
export type Pace = (typeof PACES)[number];

/** What a pace makes of the times below. */
const FACTOR: Record<Pace, number> = { slow: 1.8, normal: 1, fast: 0.4, instant: 0 };

/** Milliseconds at the normal pace; events that are not listed take `OTHER`. */
const TIMES: Partial<Record<DealEvent["e"], number>> = {
  ante: 350,
  deal: 700,
  keep: 500,
  pass_lead: 500,
  lead: 450,
  play: 320,
  claim: 700,
  collect: 700,
  stop: 550,
  out: 500,
  showdown: 1600,
  settle: 900,
};
const OTHER = 600;

/** How long an event is shown at a pace, in milliseconds. */
export function pause(event: DealEvent, pace: Pace): number {
  return (TIMES[event.e] ?? OTHER) * FACTOR[pace];
}
