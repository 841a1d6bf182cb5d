/** The game that was chosen last in the lobby, kept in this browser. */

import type { House } from "../game/rules";
import { read, write } from "../store/local";

const NAME = "lobby";

interface Chosen {
  /** The key of a game. */
  game: string;
  players: number;
}

/** Games by a key of their own: a house may be called as a named game is. */
export function keyOf({ base, name }: House): string {
  return name === undefined ? base : `house ${name}`;
}

export function lastGame(): Chosen {
  const { game, players } = (read(NAME) ?? {}) as Record<string, unknown>;
  return {
    game: typeof game === "string" ? game : "newmarket",
    players: typeof players === "number" ? players : 4,
  };
}

export function keepGame(more: Partial<Chosen>): void {
  write(NAME, { ...lastGame(), ...more });
}
