/** House rules by questions: what people ask before they play at another table, each with the usual answers. */

import type { House, Rules } from "../game/rules";
import { title } from "../game/titles";
import { chips } from "../game/words";
import type { Value } from "./fields";
import { baseValue, changed, same, valueOf } from "./house";

export interface Question {
  id: string;
  ask: string;
  /** An answer in words, and the values that it means. */
  answers: [label: string, values: Record<string, Value>][];
}

const each = (count: number) => ({ layout_ante: { fixed: { each: count, dealer: count } } });
const free = (count: number) => ({ layout_ante: { free: { chips: count, dealer_chips: count } } });

export const QUESTIONS: readonly Question[] = [
  {
    id: "stakes",
    ask: "What does everybody stake?",
    answers: [
      ["1 on each boodle", each(1)],
      ["2 on each boodle", each(2)],
      ["4 as they like", free(4)],
      ["6 as they like", free(6)],
      ["12 as they like", free(12)],
    ],
  },
  {
    id: "kitty",
    ask: "Is there a kitty for the first one out?",
    answers: [
      ["no", { kitty_ante: 0, kitty_to_winner: false }],
      ["a chip each", { kitty_ante: 1, kitty_to_winner: true }],
      ["2 chips each", { kitty_ante: 2, kitty_to_winner: true }],
    ],
  },
  {
    id: "cards",
    ask: "What do the others pay for a card that is left?",
    answers: [
      ["nothing", { per_card: 0 }],
      ["1 chip", { per_card: 1 }],
      ["2 chips", { per_card: 2 }],
    ],
  },
  {
    id: "lead",
    ask: "What may be led after a stop?",
    answers: [
      ["any suit", { change_suit: "free" }],
      ["another suit, if there is one", { change_suit: "else_same" }],
      ["another suit, or pass", { change_suit: "else_pass" }],
      ["the other colour", { change_suit: "other_colour" }],
    ],
  },
  {
    id: "dead",
    ask: "May somebody take the dead hand?",
    answers: [
      ["nobody", { exchange: "none" }],
      ["the dealer, free", { exchange: { dealer_exchange: { fee: 0 } } }],
      ["the dealer, for 4", { exchange: { dealer_exchange: { fee: 4 } } }],
      ["the highest bidder", { exchange: { dealer_exchange_or_auction: { max_bid: 20 } } }],
      ["each in turn", { exchange: { offer_chain: { price: 1 } } }],
    ],
  },
  {
    id: "deals",
    ask: "How many deals is a session?",
    answers: [1, 5, 10, 20].map((deals) => [`${deals}`, { "session.deals": deals }]),
  },
];

/** The answers that a house can give; that of its base is always among them. */
export function answersOf({ answers }: Question, house: House): Question["answers"] {
  const base = { base: house.base };
  const [[, first] = ["", {}]] = answers;
  const own = Object.fromEntries(Object.keys(first).map((key) => [key, baseValue(house, key)]));
  const possible = answers.filter(([, values]) => says(values, base, null) || canBe(withValues(house, values)));
  const known = possible.some(([, values]) => says(values, base, null));
  return known ? possible : [[`as in ${title(base)}`, own], ...possible];
}

/** Whether stakes fit the other rules: where poker is played they are fixed, and whoever has all chips can pay them. */
function canBe(house: House): boolean {
  const [ante, stages, cells, bankroll] = ["layout_ante", "stages", "cells", "session.bankroll"].map((key) => valueOf(house, key));
  const stake = parts(ante);
  if (stake === null) return true;
  if (stake.tag === "free" && Array.isArray(stages) && stages.includes("poker")) return false;
  const start = (bankroll as { chips?: { start?: number } } | null | undefined)?.chips?.start ?? Infinity;
  const on = stake.tag === "fixed" && Array.isArray(cells) ? cells.length : 1;
  return Number(valueOf(house, "kitty_ante")) + on * Math.max(...Object.values(stake.all)) <= start;
}

/** Whether a house has these values. */
function says(values: Record<string, Value>, house: House, rules: Rules | null): boolean {
  return Object.entries(values).every(([key, value]) => same(valueOf(house, key, rules), value));
}

/** The answer that a house gives; `null` if it is none of them. */
export function answerOf(question: Question, house: House, rules: Rules | null): string | null {
  return answersOf(question, house).find(([, values]) => says(values, house, rules))?.[0] ?? null;
}

/** The house with an answer. */
export function answered(question: Question, house: House, label: string): House {
  const values = answersOf(question, house).find(([other]) => other === label)?.[1] ?? {};
  // What somebody may take must be dealt.
  const none = valueOf(house, "dead_hand.position") === "none" && (values.exchange ?? "none") !== "none";
  return withValues(house, { ...values, ...(none ? { "dead_hand.position": "last" } : {}) });
}

function withValues(house: House, values: Record<string, Value>): House {
  return Object.entries(values).reduce((next, [key, value]) => changed(next, key, value), house);
}

/** The other side of a pair that was changed on one side alone. */
export interface Other {
  /** The field that was changed. */
  at: string;
  text: string;
  key: string;
  value: Value;
}

const PAIRS: Record<string, [mine: string, dealer: string]> = { fixed: ["each", "dealer"], free: ["chips", "dealer_chips"] };

function parts(value: Value): { tag: string; all: Record<string, number> } | null {
  const [[tag, all] = []] = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return tag !== undefined && tag in PAIRS ? { tag, all: all as Record<string, number> } : null;
}

/** What to ask after a change of one value, if it has another side that stays as it was. */
export function otherSide(house: House, rules: Rules | null, key: string, value: Value): Other | null {
  if (key === "kitty_ante" && Number(value) > 0 && valueOf(house, "kitty_to_winner", rules) === false) {
    return { text: "Nobody takes the kitty so far. Does the first one out take it?", at: key, key: "kitty_to_winner", value: true };
  }
  const [before, now] = [parts(valueOf(house, key, rules)), parts(value)];
  if (key !== "layout_ante" || before === null || now === null || before.tag !== now.tag) return null;
  const [mine = "", dealer = ""] = PAIRS[now.tag] ?? [];
  const [players, dealers] = [now.all[mine] ?? 0, now.all[dealer] ?? 0];
  const moved = [mine, dealer].filter((part) => before.all[part] !== now.all[part]);
  if (moved.length !== 1 || players === dealers) return null;
  const [who, stays, count] = moved[0] === mine ? ["The dealer still stakes", dealers, players] : ["The others still stake", players, dealers];
  return { text: `${who} ${chips(stays)}. ${chips(count)} as well?`, at: key, key, value: { [now.tag]: { [mine]: count, [dealer]: count } } };
}
