/** House rules as a form edits them: the values of a rules file by key. */

import { resolve, type Cell, type House } from "../game/rules";
import { isPot } from "./cells";
import type { Value } from "./fields";

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

/** The value that a house plays with. */
export function valueOf(house: House, key: string): Value {
  return at(resolve(house), key);
}

/** The value of the named game that a house is based on. */
export function baseValue(house: House, key: string): Value {
  return at(resolve({ base: house.base }), key);
}

export function differs(house: House, key: string): boolean {
  return !same(valueOf(house, key), baseValue(house, key));
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
  return key === "stages" ? withPot(next) : next;
}

/** A game with poker has one pot, one without has none. */
function withPot(house: House): House {
  const stages = valueOf(house, "stages");
  const poker = Array.isArray(stages) && stages.includes("poker");
  const cells = valueOf(house, "cells") as Cell[];
  if (!Array.isArray(cells)) return house;
  if (poker === cells.some(isPot)) return house;
  const pot: Cell = { name: "pot", claimed_by: [] };
  return changed(house, "cells", poker ? [...cells, pot] : cells.filter((cell) => !isPot(cell)));
}

/** Another base; what differs from it is taken along. */
export function rebased(house: House, base: string): House {
  const rules = resolve(house) as unknown as Record<string, Value>;
  let next: House = house.name === undefined ? { base } : { base, name: house.name };
  const own = Object.keys(house).filter((key) => key !== "base" && key !== "name");
  for (const key of own) {
    const value = rules[key];
    const table = (key === "dead_hand" || key === "session") && typeof house[key] === "object" && house[key] !== null;
    const keys = table ? Object.keys(house[key] as object).map((inner) => `${key}.${inner}`) : [key];
    for (const each of keys) next = changed(next, each, table ? at(rules, each) : value);
  }
  return next;
}

/** Rules with the stages that `claim_when` is short for. */
export function spelledOut(house: House): House {
  const { claim_when: when, ...rest } = house;
  const stages = when === "held" ? ["collect", "poker"] : when === "played" ? ["poker"] : null;
  if (stages === null || house.base !== "three-in-one" || "stages" in house) return house;
  return changed(rest, "stages", stages);
}
