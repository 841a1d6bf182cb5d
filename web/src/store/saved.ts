/**
 * Sessions as they are kept in this browser: after every step, so that closing or reloading the page loses
 * nothing. Each session has entries of its own, so two tabs with two sessions do not meet.
 */

import { LEVELS } from "../engine/client";
import type { Choice, Setup, Start } from "../engine/client";
import type { TraceLine } from "../game/events";
import { NAMES } from "../game/rules";
import { isStrategyFile } from "../game/strategy";
import type { Move, Progress } from "../game/session.svelte";
import { forget, names, read, write } from "./local";

/** A session: its rules and seed, how its deal began, and what was decided since. */
export interface Saved extends Progress {
  version: 1;
  id: string;
  /** When it was kept, in milliseconds. */
  at: number;
  setup: Setup;
}

/** Sessions that are kept; older ones are forgotten. */
const MOST = 6;

const PREFIX = "session.";

const entry = (id: string): string => `${PREFIX}${id}`;
const dealEntry = (id: string, deal: number): string => `${PREFIX}${id}.deal.${deal}`;

/** A name for a new session. */
export function newId(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
}

/** Keeps a session as it is now; whether there was room. */
export function keep(saved: Saved): boolean {
  return write(entry(saved.id), saved) || (forgetOldest(saved.id) && write(entry(saved.id), saved));
}

/** Keeps the record of a deal that is over. */
export function keepDeal(id: string, line: TraceLine): void {
  write(dealEntry(id, line.session?.deal ?? 1), line);
}

/** The records of a session's deals, in order. */
export function deals(id: string): TraceLine[] {
  return names(`${entry(id)}.deal.`)
    .map((name) => read(name) as TraceLine | null)
    .filter((line): line is TraceLine => Array.isArray(line?.events))
    .sort((a, b) => (a.session?.deal ?? 1) - (b.session?.deal ?? 1));
}

/** Forgets a session. */
export function forgetSession(id: string): void {
  forget(entry(id));
}

/** All sessions that are kept, the latest first, and whether there was one that cannot be read. */
export function sessions(): { found: Saved[]; damaged: boolean } {
  const all = names(PREFIX).filter((name) => !name.includes(".deal."));
  const found = all.map((name) => savedOf(read(name)));
  for (const [nth, name] of all.entries()) if (found[nth] === null) forget(name);
  return {
    found: found.filter((saved) => saved !== null).sort((a, b) => b.at - a.at),
    damaged: found.includes(null),
  };
}

/** Makes room: forgets the sessions beyond those that are kept. */
export function tidy(): void {
  for (const { id } of sessions().found.slice(MOST)) forgetSession(id);
}

function forgetOldest(but: string): boolean {
  const oldest = sessions().found.filter(({ id }) => id !== but).at(-1);
  if (oldest) forgetSession(oldest.id);
  return oldest !== undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isChips = (value: unknown, length?: number): boolean =>
  Array.isArray(value) && value.every(Number.isInteger) && (length ?? value.length) === value.length;

/** A session from what was stored; `null` if it is none. Whether its rules are right, the engine says. */
export function savedOf(stored: unknown): Saved | null {
  if (!isObject(stored) || stored.version !== 1) return null;
  const { id, at, setup, start, of, moves, over, verdicts, left } = stored;
  const right =
    typeof id === "string" &&
    Number.isFinite(at) &&
    isSetup(setup) &&
    isStart(start, setup.players) &&
    Number.isInteger(of) &&
    Array.isArray(moves) &&
    moves.every(isMove) &&
    typeof over === "boolean" &&
    Array.isArray(verdicts) &&
    verdicts.every(isObject) &&
    (left === undefined || Number.isInteger(left));
  return right ? (stored as unknown as Saved) : null;
}

function isSetup(value: unknown): value is Setup {
  if (!isObject(value) || !isObject(value.house)) return false;
  const { house, players, level, opponent, seat, seed } = value;
  return (
    NAMES.includes(house.base as string) &&
    Number.isInteger(players) &&
    (LEVELS as readonly unknown[]).includes(level) &&
    (opponent === undefined || isStrategyFile(opponent)) &&
    Number.isInteger(seat) &&
    typeof seed === "string"
  );
}

function isStart(value: unknown, players: number): value is Start {
  if (!isObject(value)) return false;
  const { deal, dealer, stacks, layout, kitty } = value;
  return [deal, dealer, kitty].every(Number.isInteger) && isChips(stacks, players) && isChips(layout);
}

function isMove(value: unknown): value is Move {
  return isObject(value) && typeof value.mine === "boolean" && isObject(value.choice as Choice);
}
