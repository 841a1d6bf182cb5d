/** What of a house's rules differs from its base, as traces write it: `docs/TRACE.md`, section 10.3. */

import { sorted } from "./cards";
import type { Card } from "./events";
import { isPot, resolve } from "./rules";
import type { Cell, House, Rules } from "./rules";

/** The keys of a rules file in their order. */
const KEYS = [
  "players",
  "aces",
  "ranks",
  "suits",
  "removed",
  "cells",
  "kitty_ante",
  "layout_ante",
  "cell_cap",
  "timing",
  "dead_hand",
  "exchange",
  "first_lead",
  "change_suit",
  "kitty_to_winner",
  "per_card",
  "stages",
  "session",
] as const;

/** Tables of which only the keys that differ are listed. */
const BY_KEY: readonly string[] = ["dead_hand", "session"];

/** The overrides of a house whose rules are right. */
export function overridesOf(house: House): Record<string, unknown> {
  const own = resolve(house);
  const base = resolve({ base: house.base });
  const overrides: Record<string, unknown> = {};
  for (const key of KEYS) {
    const [value, usual] = [written(own, base, key), written(base, base, key)];
    if (value === undefined || same(value, usual)) continue;
    if (key === "stages") Object.assign(overrides, stages(own.stages, base.stages));
    else overrides[key] = BY_KEY.includes(key) ? changed(value as object, usual as object) : value;
  }
  return overrides;
}

/** Whether two values are the same: the keys of tables come in one order. */
function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(ordered(one)) === JSON.stringify(ordered(other));
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, ordered(inner)]);
}

function changed(value: object, usual: object): object {
  const old = usual as Record<string, unknown>;
  return Object.fromEntries(Object.entries(value).filter(([key, inner]) => !same(inner, old[key])));
}

/** A value in the form in which rules are written. */
function written(rules: Rules, base: Rules, key: (typeof KEYS)[number]): unknown {
  if (key === "removed") return sorted(rules.aces, [...new Set(rules.removed)]);
  if (key !== "cells") return rules[key];
  const own = base.cells.map((cell) => form(cell, rules));
  const cells = rules.cells.map((cell) => form(cell, rules));
  const last = rules.cells.at(-1);
  if (last && isPot(last) && own.some((cell) => same(cell, cells.at(-1)))) cells.pop();
  return cells.map((cell) => {
    const named = typeof cell === "object" && "name" in cell && own.some((other) => same(cell, other));
    return named ? cell.name : cell;
  });
}

/** A cell in its one form. */
function form(cell: Cell, rules: Rules): Cell {
  if (typeof cell === "string") return cell;
  const sets = setsOf(cell.claimed_by).map((set) => sorted(rules.aces, set));
  const [first] = sets;
  if (sets.length !== 1 || first === undefined) return { ...cell, claimed_by: sets } as Cell;
  const [card] = first;
  if (first.length !== 1 || card === undefined) return { ...cell, claimed_by: first } as Cell;
  if ("card" in cell) return cell.card === card ? card : { card: cell.card, claimed_by: card };
  return { name: cell.name, claimed_by: card };
}

/** The sets of cards of which each claims a cell. */
function setsOf(claimed: Card | Card[] | Card[][]): Card[][] {
  if (typeof claimed === "string") return [[claimed]];
  if (claimed.length === 0) return [];
  return claimed.every((it) => typeof it === "string") ? [claimed as Card[]] : (claimed as Card[][]);
}

/** The stages: by `claim_when` where the base has both, if that can tell them. */
function stages(own: Rules["stages"], base: Rules["stages"]): Record<string, unknown> {
  const played = base.filter((stage) => stage !== "collect");
  const both = base.length === 2;
  if (both && same(own, base)) return { claim_when: "held" };
  if (both && same(own, played)) return { claim_when: "played" };
  return { stages: own };
}
