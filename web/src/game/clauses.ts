/** The rules of thumb of docs/strategy.md: the lists of `basic`, from its strategy file, in words; and which of them decides. */

import type { Choice, Strategy } from "../engine/client";
import known from "../../assets/strategy.json";
import { ranksOf, rankOf, suitOf } from "./cards";
import type { Card } from "./events";
import { type Rules, cellNames } from "./rules";
import { sameChoice } from "./turn";
import { stakes } from "./words";

/** Chips of a free ante by the names of cells. */
type Split = Record<string, number>;
type Lists = Partial<Record<"lead" | "dead_hand" | "bid", string[]>> & {
  ante?: { when: string } & Partial<Record<"eldest" | "dealer" | "others", Split>>;
};

const BASIC = known as unknown as Lists & { games: Record<string, Lists>; facts: Record<"suit" | "table", Record<string, string>> };

/** A list of `basic` for a game: its own, or the one for all games. */
export function listOf(base: string, key: "lead" | "dead_hand" | "bid"): readonly string[] {
  return BASIC.games[base]?.[key] ?? BASIC[key] ?? [];
}

function number(sign: string, count: number): string {
  if ((sign === ">=" && count === 1) || (sign === ">" && count === 0)) return "any";
  if (count === 0) return sign === "<=" || sign === "=" ? "none" : `${sign} 0`;
  return { ">=": `${count} or more`, "<=": `at most ${count}`, "=": `${count}` }[sign] ?? `${sign} ${count}`;
}

/** A condition such as `chips >= 4`: "chips that your cards of the suit take: 4 or more". Others stay as the file has them. */
export function conditionWords(condition: string, scope: "suit" | "table"): string {
  const [, names = "", sign = "", count = ""] = /^([a-z +]+?) (>=|<=|>|<|=) (\d+)$/.exec(condition) ?? [];
  const meanings = names.split(" + ").map((name) => (scope === "suit" ? BASIC.facts.suit[name] : undefined) ?? BASIC.facts.table[name]);
  if (names === "" || meanings.includes(undefined)) return condition;
  return `${meanings.join(", and ")}: ${number(sign, Number(count))}`;
}

const WHO = { eldest: "eldest", dealer: "the dealer", others: "the others" } as const;

const ANSWERS: Record<string, string> = { keep: "keep your hand", take: "take the dead hand", auction: "put it up for auction", pass: "pass" };

/** A line about the dead hand, or a bid for it: "cells that your hand claims: none – take the dead hand". */
export function lineWords(line: string): string {
  const [answer = "", condition] = line.split(": ").reverse();
  const then = ANSWERS[answer] ?? `bid ${answer}`;
  return condition === undefined ? `otherwise ${then}` : `${conditionWords(condition, "table")} – ${then}`;
}

/** The antes of `basic` in a game where it has a split of its own: "eldest: 4 on the ace of spades". */
export function antesOf(base: string, rules: Rules): string[] {
  const ante = BASIC.games[base]?.ante;
  return (["eldest", "dealer", "others"] as const).flatMap((who) => {
    const split = ante?.[who];
    return split ? [`${WHO[who]}: ${stakes(rules, cellNames(rules).map((name) => split[name] ?? 0))}`] : [];
  });
}

/** Lines that decide; those that leave the decision to the base are for other tables. */
export function linesOf(base: string, key: "dead_hand" | "bid"): readonly string[] {
  return listOf(base, key).filter((line) => !line.endsWith(": base"));
}

/** What a strategy would do now. */
type Ask = (strategy: Strategy) => Promise<Choice>;

const FIRST = { format: 1, base: "first" };

/** The condition of `basic` that leaves this choice alone, in words; `null` where its lists choose otherwise, or leave several. */
export async function cited(ask: Ask, rules: Rules, base: string, hand: readonly Card[], choice: Choice): Promise<string | null> {
  if (choice.e === "lead") return citedLead(ask, rules, base, hand, choice);
  if (choice.e === "keep" || choice.e === "exchange" || choice.e === "auction") return citedLine(ask, base, choice);
  if (choice.e === "bid" || choice.e === "pass") return citedBid(ask, base, choice);
  if (choice.e === "ante") return citedAnte(ask, rules, base, choice);
  return null;
}

async function citedLead(ask: Ask, rules: Rules, base: string, hand: readonly Card[], choice: Extract<Choice, { e: "lead" }>): Promise<string | null> {
  const clauses = listOf(base, "lead");
  /** The place of the lowest card of a suit, and how many there are. */
  const shape = (suit: string): string => {
    const places = hand.filter((card) => suitOf(card) === suit).map((card) => ranksOf(rules).indexOf(rankOf(card)) + 1);
    return `card = ${Math.min(...places)} and cards = ${places.length}`;
  };
  const mine = shape(suitOf(choice.card));
  // It must be a name of the suit.
  if ([...new Set(hand.map(suitOf))].filter((suit) => shape(suit) === mine).length > 1) return null;
  // It strikes out this suit, if another is left beside it.
  const other = `not (${mine})`;
  for (const [nth, clause] of clauses.entries()) {
    const left = await ask({ ...FIRST, lead: [...clauses.slice(0, nth + 1), other] });
    if (sameChoice(left, choice)) return conditionWords(clause, "suit");
  }
  return null;
}

async function citedBid(ask: Ask, base: string, choice: Choice): Promise<string | null> {
  for (const line of listOf(base, "bid")) {
    const [, condition] = line.split(": ").reverse();
    const holds = condition === undefined || (await ask({ ...FIRST, bid: [`${condition}: up to 1000`, "pass"] })).e === "bid";
    if (holds) return (await ask({ ...FIRST, bid: [line] })).e === choice.e ? lineWords(line) : null;
  }
  return null;
}

/** An ante of `basic`: a split of its own, or an even one. */
async function citedAnte(ask: Ask, rules: Rules, base: string, choice: Extract<Choice, { e: "ante" }>): Promise<string | null> {
  const ante = BASIC.games[base]?.ante;
  const basic = await ask({ format: 1, base: "usual", ...(ante ? { ante } : {}) });
  if (!sameChoice(basic, choice)) return null;
  const names = cellNames(rules);
  for (const who of ["eldest", "dealer", "others"] as const) {
    const split = ante?.[who];
    if (split && names.every((name, nth) => (split[name] ?? 0) === choice.layout[nth])) return `${WHO[who]}: ${stakes(rules, choice.layout)}`;
  }
  return "evenly over the layout";
}

async function citedLine(ask: Ask, base: string, choice: Choice): Promise<string | null> {
  const [answer] = Object.entries({ keep: "keep", take: "exchange", auction: "auction" }).find(([, e]) => e === choice.e) ?? [""];
  for (const line of listOf(base, "dead_hand")) {
    const [said = "", condition] = line.split(": ").reverse();
    const holds = condition === undefined || (await ask({ ...FIRST, dead_hand: [`${condition}: take`, "keep"] })).e === "exchange";
    if (holds) return said === answer ? lineWords(line) : null;
  }
  return null;
}
