/** The daily deal: the same for everybody, from the date alone; its result as text. */

import { version } from "../../package.json";
import type { Setup } from "../engine/client";
import type { TraceLine } from "./events";
import { signed } from "./words";

/** The day of the daily deal, by universal time: "2026-11-30". */
export function today(now = new Date()): string {
  return now.toISOString().slice(0, 10);
}

/** 64 bits of a text, by FNV-1a: as good as any for a seed. */
function seedOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return `${hash}`;
}

/** Others who play alike for everybody, whatever the level that is chosen and whatever becomes of the champion. */
const OPPONENTS = { name: "basic", content: { format: 1, base: "basic" } };

export function dailySetup(day: string): Setup {
  return {
    house: { base: "newmarket", session: { deals: 1 } },
    players: 4,
    level: "easy",
    opponent: OPPONENTS,
    seat: 0,
    seed: seedOf(`newmarket daily ${day}`),
    daily: day,
  };
}

/** What somebody can tell of a daily deal without telling its cards; with the version of page and engine, which others need. */
export function dailyText(day: string, line: TraceLine, seat: number): string {
  const mine = line.payoffs[seat] ?? 0;
  const place = line.payoffs.filter((chips) => chips > mine).length + 1;
  const own = line.events.filter((event) => "seat" in event && event.seat === seat);
  const cards = own.filter(({ e }) => e === "lead" || e === "play").length;
  const boodles = own.filter(({ e }) => e === "claim").length;
  const out = own.some(({ e }) => e === "out");
  const did = [`${cards} cards`, boodles === 1 ? "1 boodle" : `${boodles} boodles`, ...(out ? ["first one out"] : [])];
  return [
    `Newmarket, daily deal of ${day}: ${signed(mine)} chips, place ${place} of ${line.players}`,
    `${"▪".repeat(cards)}${"●".repeat(boodles)} ${did.join(", ")} (newmarket ${version})`,
  ].join("\n");
}
