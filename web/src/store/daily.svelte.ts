/** The daily deal that was played last, kept in this browser: its day, and its result as text. */

import { read, write } from "./local";

interface Result {
  day: string;
  text: string;
}

function resultOf(stored: unknown): Result {
  const { day, text } = (stored ?? {}) as Record<string, unknown>;
  return typeof day === "string" && typeof text === "string" ? { day, text } : { day: "", text: "" };
}

export const daily: Result = $state(resultOf(read("daily")));

/** Keeps the result of a daily deal, if it is the first of its day, and no later day has been played. */
export function keepDaily(day: string, text: string): void {
  // Another tab may have played in the meantime.
  Object.assign(daily, resultOf(read("daily")));
  if (day <= daily.day) return;
  Object.assign(daily, { day, text });
  write("daily", daily);
}
