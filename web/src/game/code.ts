/** A deal as a code: the same rules, cards and chips for whoever opens the link. */

import type { Setup } from "../engine/client";
import { NAMES } from "./rules";
import type { House } from "./rules";

/** Characters of the longest code. */
export const LONGEST = 8192;

/** What a code says; the level is chosen by whoever opens it. */
export type Shared = Omit<Setup, "level">;

/** A code that cannot be used: one line that says why. */
export class CodeError extends Error {
  override name = "CodeError";
}

const MOST_SEATS = 8;
const MOST_CELLS = 8;
const MOST_CHIPS = 1_000_000_000;
const LONGEST_NAME = 60;
const MOST_SEED = 2n ** 64n - 1n;

/** The keys of a deal in the middle of a session, in the order in which they are written. */
const START = ["deal", "dealer", "stacks", "layout", "kitty", "seats_in", "bought"] as const;
const KEYS: readonly string[] = ["rules", "players", "seed", "seat", ...START];

/** The code of a deal. */
export function encode({ house, players, seed, seat, from }: Shared): string {
  const written: Record<string, unknown> = { rules: house, players, seed, seat };
  for (const key of START) if (from?.[key] !== undefined) written[key] = from[key];
  const bytes = new TextEncoder().encode(JSON.stringify(written));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The link of a deal in this page. */
export function linkOf(shared: Shared): string {
  const page = typeof location === "undefined" ? "" : location.href.replace(/#.*$/s, "");
  return `${page}#/deal/${encode(shared)}`;
}

/** The deal of a code, or of a link that ends in one. Whether the rules are right, the engine says. */
export function decode(text: string): Shared {
  const code = text.trim().replace(/^.*#\/deal\//s, "");
  if (code.length > LONGEST) wrong(`the code has ${code.length} characters: expected at most ${LONGEST}`);
  if (code === "") wrong("the code is empty: expected what stands behind `#/deal/` in a link");
  if (!/^[\w-]+$/.test(code)) wrong("the code has characters other than letters, digits, - and _");
  const value = json(bytesOf(code));
  if (!isObject(value)) return wrong("the code holds no deal");
  for (const key of Object.keys(value)) {
    if (!KEYS.includes(key)) wrong(`${quoted(key)} is no key of a deal: expected ${KEYS.join(", ")}`);
  }
  const players = whole(value, "players", 2, MOST_SEATS);
  const shared: Shared = {
    house: rules(value.rules),
    players,
    seed: seed(value.seed),
    seat: value.seat === undefined ? 0 : whole(value, "seat", 0, players - 1),
  };
  const there = START.filter((key) => value[key] !== undefined);
  return there.length === 0 ? shared : { ...shared, from: start(value, players) };
}

/** A new seed, by chance. */
export function newSeed(): string {
  return String(crypto.getRandomValues(new BigUint64Array(1))[0]);
}

function wrong(problem: string): never {
  throw new CodeError(problem);
}

function bytesOf(code: string): Uint8Array {
  try {
    const text = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(text, (character) => character.charCodeAt(0));
  } catch {
    return wrong("the code is cut off or changed: it is no base64");
  }
}

function json(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as unknown;
  } catch {
    return wrong("the code is cut off or changed: it holds no JSON");
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text of somebody else in a message. */
function quoted(text: string): string {
  return JSON.stringify(text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}…` : text);
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

function whole(from: Record<string, unknown>, key: string, least: number, most: number): number {
  const value = from[key];
  if (isWhole(value, least, most)) return value;
  return wrong(`\`${key}\`: expected a whole number, ${least} to ${most}`);
}

function rules(value: unknown): House {
  if (!isObject(value)) return wrong("`rules`: expected an object with the key `base`");
  const { base, name } = value;
  if (typeof base !== "string" || !NAMES.includes(base)) {
    return wrong(`\`rules.base\`: expected a named game, as "michigan"`);
  }
  if (name !== undefined && (typeof name !== "string" || name.length > LONGEST_NAME)) {
    return wrong(`\`rules.name\`: expected at most ${LONGEST_NAME} characters`);
  }
  return { ...value, base } as House;
}

function seed(value: unknown): string {
  if (typeof value === "string" && /^\d{1,20}$/.test(value) && BigInt(value) <= MOST_SEED) return value;
  return wrong("`seed`: expected a number of 64 bits in quotes");
}

function chips(from: Record<string, unknown>, key: string, length: number | null): number[] {
  const value = from[key];
  const fits = (list: unknown[]) => (length === null ? list.length <= MOST_CELLS : list.length === length);
  if (Array.isArray(value) && fits(value) && value.every((n) => isWhole(n, -MOST_CHIPS, MOST_CHIPS))) {
    return value as number[];
  }
  return wrong(`\`${key}\`: expected a list of ${length ?? `at most ${MOST_CELLS}`} whole numbers`);
}

function start(from: Record<string, unknown>, players: number): NonNullable<Setup["from"]> {
  if (from.deal === undefined) wrong("`deal` is missing: a deal in the middle of a session has a number");
  const found: NonNullable<Setup["from"]> = {
    deal: whole(from, "deal", 1, 1_000_000),
    dealer: whole(from, "dealer", 0, players - 1),
  };
  for (const [key, length] of [["stacks", players], ["layout", null], ["bought", players]] as const) {
    if (from[key] !== undefined) found[key] = chips(from, key, length);
  }
  if (from.kitty !== undefined) found.kitty = whole(from, "kitty", 0, MOST_CHIPS);
  const { seats_in: seatsIn } = from;
  if (seatsIn === undefined) return found;
  const right = Array.isArray(seatsIn) && seatsIn.length === players;
  if (!right || !seatsIn.every((is) => typeof is === "boolean")) {
    return wrong(`\`seats_in\`: expected a list of ${players} of true and false`);
  }
  return { ...found, seats_in: seatsIn as boolean[] };
}
