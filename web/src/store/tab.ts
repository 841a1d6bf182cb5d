/** Which session is this tab's: a session is played in one tab at a time. */

const NAME = "newmarket.session";

/** How long a tab that is loaded again waits until its own last page has let go of the session. */
const PATIENCE = 800;

let release: (() => void) | null = null;

/** The session that this tab had before it was loaded again. */
export function own(): string | null {
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}

/** Takes a session for this tab; whether no other tab has it. */
export async function take(id: string): Promise<boolean> {
  letGo();
  const mine = own() === id;
  const free = await lock(`${NAME}.${id}`, mine ? PATIENCE : 0);
  if (free) {
    try {
      sessionStorage.setItem(NAME, id);
    } catch {
      // It is not found again when the tab is loaded again, but among those that are kept.
    }
  }
  return free;
}

/** Sessions that are open in some tab of this browser. */
export async function taken(): Promise<Set<string>> {
  if (typeof navigator === "undefined" || !navigator.locks) return new Set();
  const { held = [] } = await navigator.locks.query();
  return new Set(held.map(({ name = "" }) => name.replace(`${NAME}.`, "")));
}

/** Lets go of the session of this tab: another one may take it. */
export function letGo(): void {
  release?.();
  release = null;
}

/** Holds a lock until it is let go; whether it could be had in this time. */
function lock(name: string, ms: number): Promise<boolean> {
  // A page that is not served securely has no locks.
  if (typeof navigator === "undefined" || !navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    const hold = (held: Lock | null): Promise<void> | undefined => {
      resolve(held !== null);
      if (held === null) return undefined;
      return new Promise((done) => {
        release = done;
      });
    };
    const how = ms > 0 ? { signal: AbortSignal.timeout(ms) } : { ifAvailable: true };
    navigator.locks.request(name, how, hold).catch(() => resolve(false));
  });
}
