/** What the person has chosen for all sessions, kept in this browser. */

import { LEVELS } from "../engine/client";
import type { Level } from "../engine/client";
import { PACES, WAITS } from "../game/pace";
import type { Pace, Wait } from "../game/pace";
import { isStrategyFile } from "../game/strategy";
import type { StrategyFile } from "../game/strategy";
import { read, write } from "./local";

export const THEMES = ["system", "light", "dark"] as const;

export interface Settings {
  pace: Pace;
  /** How long own cards wait. */
  cards: Wait;
  theme: (typeof THEMES)[number];
  /** Four colours for the four suits. */
  fourColours: boolean;
  /** Whether hints are offered, and whether every decision is judged. */
  hints: boolean;
  coach: boolean;
  /** A few sounds; a system that asks for less motion is silent until they are asked for. */
  sounds: boolean;
  level: Level;
  /** The strategy by which the others play, in the place of the level; that of the hints, in the place of the champion. */
  opponent: StrategyFile | null;
  adviser: StrategyFile | null;
}

const USUAL: Settings = {
  pace: "normal",
  cards: "10 seconds",
  theme: "system",
  fourColours: true,
  hints: true,
  coach: false,
  sounds: globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches !== true,
  level: "easy",
  opponent: null,
  adviser: null,
};

/** The values that a setting may have; the others are true or false. */
const WORDS: Partial<Record<keyof Settings, readonly string[]>> = {
  pace: PACES,
  cards: WAITS,
  theme: THEMES,
  level: LEVELS,
};

/** Settings from what was stored: a value that cannot be is the usual one. */
export function settingsOf(stored: unknown): Settings {
  if (typeof stored !== "object" || stored === null) return { ...USUAL };
  const given = stored as Record<string, unknown>;
  const fields = Object.entries(USUAL).map(([key, usual]) => {
    const value = given[key];
    const words = WORDS[key as keyof Settings];
    if (usual === null) return [key, isStrategyFile(value) ? value : usual];
    const right = words ? words.includes(value as string) : typeof value === typeof usual;
    return [key, right ? value : usual];
  });
  return Object.fromEntries(fields) as Settings;
}

/** The settings: change a field and it is kept. */
export const settings: Settings = $state(settingsOf(read("settings")));

/** Keeps the settings from now on as they change; to be called where effects run. */
export function keepSettings(): void {
  $effect(() => {
    write("settings", $state.snapshot(settings));
  });
}
