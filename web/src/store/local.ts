/** Small values in `localStorage`. A browser that keeps nothing does no harm. */

const PREFIX = "newmarket.";

/** A value that was kept under a name; `null` if there is none, or none that can be read. */
export function read(name: string): unknown {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? null : (JSON.parse(text) as unknown);
  } catch {
    return null;
  }
}

/** Keeps a value; whether there was room for it. */
export function write(name: string, value: unknown): boolean {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Forgets the value of this name and all below it, whose names go on with a dot; without a name, all values. */
export function forget(name = ""): void {
  try {
    const below = name === "" ? PREFIX : `${PREFIX}${name}.`;
    const keys = Object.keys(localStorage).filter((key) => key === PREFIX + name || key.startsWith(below));
    for (const key of keys) localStorage.removeItem(key);
  } catch {
    // There is nothing to forget.
  }
}

/** The names of all values that begin so, in no order. */
export function names(beginning: string): string[] {
  try {
    const all = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX + beginning));
    return all.map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}
