/** Why a sequence stopped, in a few words. */

import type { Why } from "../game/events";

export const STOPS: Record<Why, string> = {
  top: "Stop: the top of its suit",
  removed: "Stop: the next card is not in the pack",
  dead: "Stop: the next card is dead",
  played: "Stop: the next card has been played",
};
