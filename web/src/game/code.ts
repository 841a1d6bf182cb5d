/** A deal as a code: somebody else who opens the link has the same rules, cards and chips. */

import type { Setup } from "../engine/client";

/** What a code says; the level is chosen by the person who opens it. */
export type Shared = Omit<Setup, "level">;

/** Names of a computer or of its own network: numbers, and names that nobody has registered. */
const NEAR = /^(\[.*\]|[\d.]+|[^.]*|.+\.local(host)?)$/;

/**
 * The page that a link opens: this one, or the public one where others cannot reach this one, or only with what its
 * address keeps to the network.
 */
export function pageOf(here: string, everybody: string): string {
  const { hostname } = new URL(here);
  return everybody !== "" && NEAR.test(hostname) ? everybody : here.replace(/#.*$/s, "");
}

/** The link of a deal's code. */
export function linkOf(code: string): string {
  const page = typeof location === "undefined" ? "" : pageOf(location.href, PUBLIC_PAGE);
  return `${page}#/deal/${code}`;
}
