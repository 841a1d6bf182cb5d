/** A deal as a code: somebody else who opens the link has the same rules, cards and chips. */

import type { Setup } from "../engine/client";

/** What a code says; the level is chosen by the person who opens it. */
export type Shared = Omit<Setup, "level">;

/** The link of a deal's code in this page. */
export function linkOf(code: string): string {
  const page = typeof location === "undefined" ? "" : location.href.replace(/#.*$/s, "");
  return `${page}#/deal/${code}`;
}

/** A new seed, by chance. */
export function newSeed(): string {
  return String(crypto.getRandomValues(new BigUint64Array(1))[0]);
}
