/** How long each event is shown before the next one comes, and how long a card of the person waits for them. */

import type { DealEvent } from "./events";

export const PACES = ["slow", "normal", "fast", "instant"] as const;
export type Pace = (typeof PACES)[number];

/** How long the person's own cards wait: "relaxed" plays them at once, "until I play" waits for ever. */
export const WAITS = ["relaxed", "5 seconds", "10 seconds", "20 seconds", "until I play"] as const;
export type Wait = (typeof WAITS)[number];

/** Milliseconds that an own card waits before it is played for the person; 0 if it never waits, `null` if it waits for ever. */
export function patience(wait: Wait): number | null {
  if (wait === "until I play") return null;
  return wait === "relaxed" ? 0 : 1000 * Number.parseInt(wait);
}

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
