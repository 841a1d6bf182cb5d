/** House rules as the text of a rules file. */

import { parse, stringify, TomlError } from "smol-toml";

import type { House } from "../game/rules";

/** Longer texts are not rules. */
const MOST = 65_536;

export function toToml(house: House): string {
  const { base, name, ...rest } = house;
  return stringify({ base, ...(name === undefined ? {} : { name }), ...rest });
}

/** The house of a text, or why it is none. Whether its rules are right, the engine says. */
export function fromToml(text: string): House | string {
  if (text.length > MOST) return `A rules file has at most ${MOST.toLocaleString("en")} characters.`;
  try {
    // Through JSON: what TOML has beyond it, as dates, becomes text, which no key takes.
    const house = JSON.parse(JSON.stringify(parse(text))) as Record<string, unknown>;
    if (typeof house.base !== "string") return 'The key "base" is missing: base = "michigan", for example.';
    if (house.name !== undefined && typeof house.name !== "string") return 'The key "name" is a text: name = "our house".';
    return house as House;
  } catch (error) {
    if (error instanceof TomlError) return `Line ${error.line}, column ${error.column}: ${error.message.split("\n")[0]}`;
    throw error;
  }
}
