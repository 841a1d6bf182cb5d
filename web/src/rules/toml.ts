/** House rules as the text of a rules file, and what other files in TOML say. */

import { parse, stringify, TomlError } from "smol-toml";

import type { House } from "../game/rules";
import { unmarked } from "../game/unmarked";

/** Longer texts are neither rules nor strategies. */
const MOST = 65_536;

export function toToml(house: House): string {
  const { base, name, ...rest } = house;
  return stringify({ base, ...(name === undefined ? {} : { name }), ...rest });
}

/** The table of a text, or why it has none. */
export function tableOf(text: string): Record<string, unknown> | string {
  if (text.length > MOST) return `The file is too long: at most ${MOST.toLocaleString("en")} characters are read.`;
  try {
    // Through JSON: what TOML has beyond it, as dates, becomes text, which no key takes.
    return JSON.parse(JSON.stringify(parse(unmarked(text)))) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof TomlError) return `Line ${error.line}, column ${error.column}: ${error.message.split("\n")[0]}`;
    throw error;
  }
}

/** The house of a text, or why it is none. Whether its rules are right, the engine says. */
export function fromToml(text: string): House | string {
  const house = tableOf(text);
  if (typeof house === "string") return house;
  if (typeof house.base !== "string") return 'The key "base" is missing: base = "michigan", for example.';
  if (house.name !== undefined && typeof house.name !== "string") return 'The key "name" is a text: name = "our house".';
  return house as House;
}
