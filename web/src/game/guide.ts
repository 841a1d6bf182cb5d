/** The guided deal: each rule is told when it first happens. */

import type { Setup } from "../engine/client";
import type { DealEvent } from "./events";
import type { Rules } from "./rules";
import type { Turn } from "./turn";
import { kindOf } from "./choices";
import type { Waiting } from "./stage.svelte";
import { cellName, does } from "./words";

/** A first deal, against easy opponents; it is the same for everybody. */
export function guidedSetup(base: string): Setup {
  return { house: { base }, players: 4, level: "easy", seat: 0, seed: "7", guided: true };
}

/** What there is to see at this moment. */
export interface Moment {
  rules: Rules;
  names: readonly string[];
  event: DealEvent | null;
  turn: Turn | null;
  waiting: Waiting | null;
}

export interface Lesson {
  id: string;
  title: string;
  text: string;
}

interface Rule {
  id: string;
  title: string;
  /** What is told, if this is the moment; `null` if it is not. */
  text: (moment: Moment) => string | null;
}

const NEXT: Record<Rules["change_suit"], string> = {
  free: "any suit",
  else_same: "another suit, if you have one",
  else_pass: "another suit; without one the lead passes to the left",
  other_colour: "a suit of the other colour",
};

const when = (is: boolean, text: string): string | null => (is ? text : null);

/** In the order in which they are told where several fit one moment. */
const RULES: readonly Rule[] = [
  {
    id: "ante",
    title: "Your stake",
    text: ({ turn, rules }) =>
      when(
        turn?.ante !== undefined,
        `The cards in the middle are the boodles. Put ${turn?.ante} chips on them: a tap on a boodle stakes one. Whoever plays the same card later takes all that lies there.${rules.kitty_ante > 0 ? " One chip more has gone into the kitty, for the first player without cards." : ""}`,
      ),
  },
  {
    id: "deal",
    title: "The cards",
    text: ({ event, rules }) =>
      when(
        event?.e === "deal",
        `These are your cards.${rules.dead_hand.position === "none" ? "" : " One hand belongs to nobody: the dead hand. Its cards will stop the play, and nobody knows which they are."}`,
      ),
  },
  {
    id: "collect",
    title: "Boodles",
    text: ({ waiting, event }) =>
      when(waiting?.event.e === "collect" || event?.e === "collect", "First the boodles: whoever holds the same card takes the chips on it. Tap yours."),
  },
  {
    id: "set-apart",
    title: "Poker",
    text: ({ turn }) =>
      when(turn?.setApart !== undefined, "Choose five cards for a round of poker: pairs, straights, flushes. They come back to your hand afterwards. The hint knows the best five."),
  },
  {
    id: "bet",
    title: "Bets",
    text: ({ turn }) => when(turn !== null && kindOf(turn) === "poker", "Bets go into the pot. The best five cards of those who stay take it; if you fold you lose nothing more."),
  },
  {
    id: "dead-hand",
    title: "The dead hand",
    text: ({ turn }) => when(turn !== null && kindOf(turn) === "dead-hand", "You may take the dead hand for your own, unseen. Your cards then are the dead ones, and only you know them."),
  },
  {
    id: "lead",
    title: "Your lead",
    text: ({ turn }) =>
      when(turn !== null && kindOf(turn) === "lead", "You lead: choose a suit. Its lowest card is played, and then whoever has the next higher card goes on. Good leads come back to you."),
  },
  {
    id: "mine",
    title: "Mine!",
    text: ({ waiting }) => when(waiting?.event.e === "play", "The sequence has come to you: the next card is yours. Tap it. That is one card fewer in your hand."),
  },
  {
    id: "only",
    title: "Your lead",
    text: ({ waiting }) => when(waiting?.event.e === "lead", "You lead, and there is only one card that you may lead. Tap it."),
  },
  {
    id: "claim",
    title: "A boodle",
    text: ({ event, rules, names }) =>
      event?.e === "claim" ? `${does(names[event.seat] ?? "", "take")} the chips on ${cellName(rules, event.cell)}: the same card was played.` : null,
  },
  {
    id: "dead",
    title: "A stop",
    text: ({ event, rules, names }) =>
      event?.e === "stop" && event.why === "dead"
        ? `The next card is in the dead hand, so the sequence stops. ${does(names[event.seat] ?? "", "lead")} next: ${NEXT[rules.change_suit]}. Remember the dead card: it is marked ×.`
        : null,
  },
  {
    id: "top",
    title: "A stop",
    text: ({ event, rules }) =>
      when(event?.e === "stop" && event.why !== "dead", `Nothing can follow on this card: a stop. Whoever played it leads next: ${NEXT[rules.change_suit]}.`),
  },
  {
    id: "settle",
    title: "The end",
    text: ({ event, rules }) =>
      when(
        event?.e === "settle" || event?.e === "no_winner",
        `The deal is over.${rules.kitty_to_winner ? " The first player without cards takes the kitty." : ""}${rules.per_card > 0 ? " The others pay for each card that they still hold." : ""} Chips that nobody took stay for the next deal. That is the whole game: now you play on without me.`,
      ),
  },
];

/** What is told at this moment, of what has not been told yet. */
export function lessonOf(moment: Moment, told: ReadonlySet<string>): Lesson | null {
  for (const { id, title, text } of RULES) {
    const words = told.has(id) ? null : text(moment);
    if (words !== null) return { id, title, text: words };
  }
  return null;
}
