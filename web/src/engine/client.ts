/** The engine in its worker: requests in, promises out. */

export type { Card, Choice, Judged, Reply, Request, Table } from "newmarket-engine";

import type { Choice, Judged } from "newmarket-engine";

import type { House } from "../game/rules";

/** How strong the others play. */
export const LEVELS = ["easy", "medium", "hard", "champion"] as const;
export type Level = (typeof LEVELS)[number];

/** The player of a level, as the engine calls it. */
export function player(level: Level): string {
  return level === "champion" ? "net:player" : `net:${level}`;
}

/** A session that somebody wants to play. */
export interface Setup {
  house: House;
  players: number;
  level: Level;
  /** The seat of the person. */
  seat: number;
  /** A number of 64 bits as text. */
  seed: string;
  /** A deal in the middle of a session, as a link gives it. */
  from?: {
    deal: number;
    dealer: number;
    stacks: number[];
    layout: number[];
    kitty: number;
    seats_in?: boolean[];
    bought?: number[];
  };
}

/** Values of the choices of a decision. */
export interface Analysis {
  final: boolean;
  worlds: number;
  choices: number;
  all: boolean;
  actions: Judged[];
}

export type { Choice as Decision };
