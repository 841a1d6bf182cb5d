/** House rules that are kept in this browser, and the game that was chosen last. */

import { NAMES, type House } from "../game/rules";
import { read, write } from "./local";

/** Names are shown in lists, and rules are small. */
export const NAME_LENGTH = 60;
const MOST = 50;

/** A house from what was stored, or from elsewhere: whether its rules are right, the engine says. */
export function houseOf(stored: unknown): (House & { name: string }) | null {
  if (typeof stored !== "object" || stored === null) return null;
  const { base, name } = stored as Record<string, unknown>;
  const known = typeof base === "string" && NAMES.includes(base);
  const named = typeof name === "string" && name.trim() !== "" && name.length <= NAME_LENGTH;
  return known && named ? (stored as House & { name: string }) : null;
}

function stored(): House[] {
  const list = read("houses");
  return Array.isArray(list) ? list.map(houseOf).filter((house) => house !== null).slice(0, MOST) : [];
}

class Houses {
  list = $state.raw<House[]>(stored());

  /** Keeps a house; one of the same name is replaced. Whether there was room for it. */
  keep(house: House): boolean {
    if (houseOf(house) === null) return false;
    const others = this.list.filter((other) => other.name !== house.name);
    if (others.length >= MOST || !write("houses", [...others, house])) return false;
    this.list = [...others, house];
    return true;
  }

  forget(name: string): void {
    this.list = this.list.filter((house) => house.name !== name);
    write("houses", this.list);
  }

  find(name: string): House | undefined {
    return this.list.find((house) => house.name === name);
  }
}

export const houses = new Houses();
