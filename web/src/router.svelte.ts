/** Which page is shown: what stands behind the `#` of the address. */

export const PAGES = ["play", "replay", "rules", "statistics", "help"] as const;
export type Page = (typeof PAGES)[number] | "lobby" | "deal";

export interface Route {
  page: Page;
  /** The code of a shared deal. */
  code: string | null;
}

/** The page of an address; the lobby for one that there is not. */
export function routeOf(hash: string): Route {
  const [, first = "", rest = null] = /^#\/([^/]*)(?:\/(.*))?$/s.exec(hash) ?? [];
  if (first === "deal") return { page: "deal", code: rest ?? "" };
  const page = PAGES.find((name) => name === first);
  return { page: page ?? "lobby", code: null };
}

class Router {
  #route = $state.raw(routeOf(typeof location === "undefined" ? "" : location.hash));

  get route(): Route {
    return this.#route;
  }

  /** Goes to a page; `replace` leaves no trace of the one before. */
  go(page: Exclude<Page, "deal">, replace = false): void {
    const hash = page === "lobby" ? "#/" : `#/${page}`;
    if (replace) location.replace(hash);
    else location.hash = hash;
    this.follow();
  }

  /** Follows the address, which the person may have changed. */
  follow(): void {
    const { page, code } = routeOf(location.hash);
    if (page !== this.#route.page || code !== this.#route.code) this.#route = { page, code };
  }
}

export const router = new Router();
