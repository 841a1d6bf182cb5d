/** What of a browser the page needs to keep things, for tests: several tabs of one browser. */

import { vi } from "vitest";

/** A storage as a browser has it, with room for so many characters. */
export class Store implements Storage {
  readonly #values = new Map<string, string>();
  room: number;
  constructor(room = 5_000_000) {
    this.room = room;
    // As in a browser, `Object.keys` lists what is stored.
    return new Proxy(this, {
      ownKeys: () => [...this.#values.keys()],
      getOwnPropertyDescriptor: (_, key) =>
        this.#values.has(String(key)) ? { enumerable: true, configurable: true } : undefined,
      get: (target, key) => {
        const value = Reflect.get(target, key, target) as unknown;
        return typeof value === "function" ? value.bind(target) : value;
      },
      set: (target, key, value) => Reflect.set(target, key, value, target),
    });
  }
  get length(): number {
    return this.#values.size;
  }
  key(nth: number): string | null {
    return [...this.#values.keys()][nth] ?? null;
  }
  getItem(key: string): string | null {
    return this.#values.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    const others = [...this.#values].filter(([name]) => name !== key);
    const used = others.reduce((sum, [name, text]) => sum + name.length + text.length, 0);
    if (used + key.length + value.length > this.room) throw new DOMException("no room", "QuotaExceededError");
    this.#values.set(key, value);
  }
  removeItem(key: string): void {
    this.#values.delete(key);
  }
  clear(): void {
    this.#values.clear();
  }
}

/** Locks that all tabs share. */
class Locks {
  readonly #held = new Set<string>();
  async query(): Promise<{ held: { name: string }[] }> {
    return { held: [...this.#held].map((name) => ({ name })) };
  }
  async request(
    name: string,
    how: { ifAvailable?: boolean; signal?: AbortSignal },
    hold: (lock: object | null) => unknown,
  ): Promise<unknown> {
    while (this.#held.has(name)) {
      if (how.ifAvailable) return hold(null);
      how.signal?.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    this.#held.add(name);
    try {
      return await hold({ name });
    } finally {
      this.#held.delete(name);
    }
  }
}

/** A browser: `tab` makes a tab the one in which what follows runs, with modules of its own. */
export class Browser {
  readonly store = new Store();
  readonly #locks = new Locks();

  tab(session = new Store()): Store {
    vi.resetModules();
    vi.stubGlobal("localStorage", this.store);
    vi.stubGlobal("sessionStorage", session);
    vi.stubGlobal("navigator", { locks: this.#locks });
    const location = { hash: "", href: "https://example.org/", replace: (hash: string) => (location.hash = hash) };
    vi.stubGlobal("location", location);
    return session;
  }
}
