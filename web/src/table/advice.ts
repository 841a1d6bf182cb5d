/** Whose choice a hint is. */

import { settings } from "../store/settings.svelte";

/** "The champion’s choice", or that of the strategy which gives the hints. */
export function adviceWords(the = "The"): string {
  return settings.adviser === null ? `${the} champion’s choice` : `${the} choice of ${settings.adviser.name}`;
}
