/** House rules as a form edits them: the values of a rules file by key. */

import { nameOf, gameRules, isPot, type Cell, type House, type Rules } from "../game/rules";
import { FIELDS, type Value } from "./fields";

/** Whether two values are the same as JSON. */
export function same(one: Value, other: Value): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return one === other;
  }
  const keys = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => key in other && same(Reflect.get(one, key), Reflect.get(other, key)))
  );
}

/** The value of a key, whose dot goes into a table. */
function at(table: object, key: string): Value {
  return key
    .split(".")
    .reduce<Value>((value, part) => (typeof value === "object" && value !== null ? Reflect.get(value, part) : undefined), table);
}

/**
 * The value that the form of a house shows: the house's own, else the one of its rules if the engine has told them,
 * else the base's.
 */
export function valueOf(house: House, key: string, rules: Rules | null = null): Value {
  const own = at(house, key);
  return own === undefined ? at(rules ?? gameRules(house.base), key) : own;
}

/** The value of the named game that a house is based on. */
export function baseValue(house: House, key: string): Value {
  return at(gameRules(house.base), key);
}

export function differs(house: House, key: string, rules: Rules | null = null): boolean {
  return !same(valueOf(house, key, rules), baseValue(house, key));
}

/** The house with another value of a key. What the base has as well is left out. */
export function changed(house: House, key: string, value: Value): House {
  const [first = key, inner] = key.split(".");
  const next: House = structuredClone(house);
  const keep = value !== undefined && !same(value, baseValue(house, key));
  if (inner === undefined) {
    delete next[first];
    if (keep) next[first] = value;
  } else {
    const { [inner]: _, ...table } = (typeof next[first] === "object" ? next[first] : {}) as Record<string, Value>;
    if (keep) table[inner] = value;
    delete next[first];
    if (Object.keys(table).length > 0) next[first] = table;
  }
  if (key !== "stages") return next;
  // The short way to write the stages says the same.
  delete next.claim_when;
  return withPot(next);
}

/** Saves the person a step: who chooses poker gets a pot, who drops poker loses it. */
function withPot(house: House): House {
  const stages = valueOf(house, "stages");
  const poker = Array.isArray(stages) && stages.includes("poker");
  const cells = valueOf(house, "cells") as Cell[];
  if (!Array.isArray(cells)) return house;
  if (poker === cells.some(isPot)) return house;
  const pot: Cell = { name: "pot", claimed_by: [] };
  return changed(house, "cells", poker ? [...cells, pot] : cells.filter((cell) => !isPot(cell)));
}

/** Another base; what differs from the old one is taken along. */
export function rebased(house: House, base: string): House {
  let next: House = house.name === undefined ? { base } : { base, name: house.name };
  const own = Object.keys(house).filter((key) => key !== "base" && key !== "name");
  for (const key of own) {
    const value = house[key];
    const isTable = typeof value === "object" && value !== null && FIELDS.some((field) => field.key.startsWith(`${key}.`));
    const keys = isTable ? Object.keys(value).map((inner) => `${key}.${inner}`) : [key];
    for (const each of keys) next = changed(next, each, each === "cells" ? spelledOut(house) : at(house, each));
  }
  return next;
}

/** The cells of a house. One that it calls by the name of a cell of the base is that cell. */
function spelledOut({ base, cells }: House): Value {
  const named = gameRules(base).cells;
  return Array.isArray(cells) ? cells.map((cell) => named.find((other) => nameOf(other) === cell) ?? cell) : cells;
}
