/** Decisions as the page shows them: which kind, what each button says, which are alike. */

import type { Analysis, Choice } from "../engine/client";
import type { Rules } from "./rules";
import type { Turn } from "./session.svelte";
import { sameChoice } from "./turn";
import type { TableView } from "./view";
import { chips, choiceWords } from "./words";

export type Kind = "lead" | "ante" | "dead-hand" | "auction" | "set-apart" | "poker";

export const KINDS: Record<Choice["e"], Kind> = {
  ante: "ante",
  lead: "lead",
  keep: "dead-hand",
  exchange: "dead-hand",
  auction: "dead-hand",
  bid: "auction",
  pass: "auction",
  set_apart: "set-apart",
  check: "poker",
  bet: "poker",
  call: "poker",
  raise: "poker",
  fold: "poker",
};

/** What a kind of decision is called. */
export function kindWords(kind: Kind): string {
  return kind === "ante" ? "stakes" : kind.replace("-", " ");
}

export function kindOf(turn: Turn): Kind {
  if (turn.ante !== undefined) return "ante";
  if (turn.setApart !== undefined) return "set-apart";
  const [first] = turn.legal;
  return first ? KINDS[first.e] : "lead";
}

/** What taking the dead hand costs this seat. */
function price({ rules }: TableView, seat: number, eldest: number): number {
  const { exchange } = rules;
  if (exchange === "none") return 0;
  if ("dealer_exchange" in exchange) return exchange.dealer_exchange.fee;
  return "offer_chain" in exchange && seat !== eldest ? exchange.offer_chain.price : 0;
}

/** What a button says: with the chips that the decision costs. */
export function buttonWords(choice: Choice, view: TableView, seat: number, eldest: number): string {
  const most = Math.max(...view.seats.map(({ bet }) => bet));
  const owed = most - (view.seats[seat]?.bet ?? 0);
  switch (choice.e) {
    case "exchange": {
      const cost = price(view, seat, eldest);
      return cost > 0 ? `Take the dead hand for ${chips(cost)}` : "Take the dead hand";
    }
    case "auction":
      return "Auction it";
    case "bid":
      return `Bid ${(view.auction?.high ?? 0) + 1}`;
    case "bet":
      return "Bet 1";
    case "call":
      return `Call ${owed}`;
    case "raise":
      return `Raise: ${owed + 1}`;
    default:
      return choiceWords(choice, view.rules);
  }
}

/** What there is to decide, in a line. */
export function prompt(turn: Turn, view: TableView): string {
  switch (kindOf(turn)) {
    case "lead":
      return view.played.length === 0 ? "You lead first: choose a suit" : "Your lead: choose a suit";
    case "ante":
      return `Stake ${chips(turn.ante ?? 0)} on the layout`;
    case "dead-hand":
      return "Keep your hand, or take the dead hand?";
    case "auction":
      return view.auction?.high ? `The bid is ${view.auction.high}` : "The dead hand is up for auction";
    case "set-apart":
      return `Set ${turn.setApart} cards apart for poker`;
    case "poker":
      return "Poker for the pot";
  }
}

/** What matters at a table: the chips that a player puts on a card of the layout in a deal, at least one. */
export function unitOf({ layout_ante: ante, cells }: Pick<Rules, "layout_ante" | "cells">): number {
  const each = "fixed" in ante ? ante.fixed.each : ante.free.chips / cells.length;
  return Math.max(1, each);
}

export interface Grade {
  tone: "good" | "fine" | "costs";
  words: string;
}

/** What a choice costs against the best one, in words; `unit` is what matters at the table. */
export function grade(behind: number, unit: number): Grade {
  if (behind < 0.25 * unit) return { tone: "good", words: "good" };
  if (behind < 0.75 * unit) return { tone: "fine", words: "fine" };
  const count = Math.round(behind);
  return { tone: "costs", words: `costs ${count === 1 ? "a chip" : chips(count)}` };
}

export interface Valued {
  choice: Choice;
  chips: number;
  ci95: number;
  /** What it costs against the best one, and whether that can be told from chance. */
  behind: number;
  apart: boolean;
  /** Where its interval stands between the least and the most, from 0 to 1. */
  from: number;
  to: number;
  at: number;
}

/** The first choices of an analysis with their values, on a common scale; those in `always` are among them. */
export function valued({ actions }: Analysis, most: number, always: readonly Choice[]): { rows: Valued[]; least: number; top: number } {
  const wanted = new Set(actions.filter((it) => always.some((choice) => sameChoice(choice, it.do))));
  let room = most - wanted.size;
  const shown = actions.filter((it) => wanted.has(it) || room-- > 0);
  const least = Math.min(...shown.map(({ chips, ci95 }) => chips - ci95));
  const top = Math.max(...shown.map(({ chips, ci95 }) => chips + ci95));
  const place = (value: number) => (top > least ? 0.03 + (0.94 * (value - least)) / (top - least) : 0.5);
  const rows = shown.map(({ do: choice, chips, ci95, behind, behind_ci95: behindCi95 }) => ({
    choice,
    chips,
    ci95,
    behind,
    apart: behind > behindCi95,
    from: place(chips - ci95),
    to: place(chips + ci95),
    at: place(chips),
  }));
  return { rows, least, top };
}
