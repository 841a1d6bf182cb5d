/** Why a choice is a good one, in words, from what the seat may know. As in the terminal: `src/play/hint.rs`. */

import type { Choice } from "../engine/client";
import { cardName, suitOf } from "./cards";
import { setsOf } from "./cells";
import type { Card } from "./events";
import { above, below, knownDead, stopAfter } from "./known";
import { pokerHand } from "./poker";
import { cellNames } from "./rules";
import { potOf, turnOrder } from "./view";
import type { TableView } from "./view";
import { WHY, cellName, chips, list } from "./words";

/** Reasons for a choice; none where there is nothing to say that the seat can see. */
export function reasons(view: TableView, hand: readonly Card[], choice: Choice): string[] {
  switch (choice.e) {
    case "lead":
      return leadReasons(view, hand, choice.card);
    case "ante":
      return anteReasons(view, hand, choice.layout);
    case "keep":
    case "exchange":
    case "auction":
    case "bid":
    case "pass":
      return deadHandReasons(view, hand);
    case "check":
    case "bet":
    case "call":
    case "raise":
    case "fold":
      return betReasons(view);
    default:
      return [];
  }
}

function leadReasons(view: TableView, hand: readonly Card[], low: Card): string[] {
  const { rules } = view;
  const mine = hand.filter((card) => suitOf(card) === suitOf(low));
  let last = low;
  for (let next = above(rules, last); next !== null && mine.includes(next); next = above(rules, last)) last = next;
  const found: string[] = [];
  const stop = stopAfter(view, last);
  if (stop) found.push(`you keep the lead, as the ${cardName(last)} stops (${WHY[stop]})`);

  const own = new Set([...mine, ...view.played.filter(({ seat }) => seat === view.me).map(({ card }) => card)]);
  const [takes, nearer]: [string[], string[]] = [[], []];
  rules.cells.forEach((cell, nth) => {
    const count = view.layout[nth] ?? 0;
    // A set of cards is complete with the last card of it that is still in hand.
    const set = setsOf(cell).find((cards) => cards.every((card) => own.has(card)) && cards.some((card) => mine.includes(card)));
    const card = set?.findLast((card) => mine.includes(card));
    if (count === 0 || card === undefined || rules.stages.includes("collect")) return;
    const words = `${chips(count)} on ${cellName(rules, cellNames(rules)[nth] ?? "")}`;
    (mine.indexOf(card) <= mine.indexOf(last) ? takes : nearer).push(words);
  });
  if (takes.length > 0) found.push(`it takes ${list(takes)}`);
  if (nearer.length > 0) found.push(`it brings you nearer to ${list(nearer)}`);

  const under = below(rules, low);
  const gone = under !== null && (view.played.some(({ card }) => card === under) || knownDead(view).has(under) || rules.removed.includes(under));
  if (under === null) found.push("nobody can lead up to it");
  else if (gone) found.push(`nobody can lead up to it, as the ${cardName(under)} is gone`);
  return found;
}

/** The boodles in hand, after a look at it; before the deal, what eldest has of leading first. */
function anteReasons(view: TableView, hand: readonly Card[], layout: readonly number[]): string[] {
  const { rules, me } = view;
  if (rules.timing === "after_look") {
    const names = cellNames(rules);
    const own = rules.cells.flatMap((cell, nth) => (setsOf(cell).some((set) => set.every((card) => hand.includes(card))) ? [nth] : []));
    const held = own.filter((cell) => (layout[cell] ?? 0) > 0).map((cell) => cellName(rules, names[cell] ?? ""));
    if (held.length > 0) return [`your hand claims ${list(held)}`];
    return own.length === 0 ? ["your hand claims no boodle"] : [];
  }
  const found: string[] = [];
  if (rules.first_lead === "eldest" && turnOrder(view)[0] === me) {
    const lowest = rules.cells.flatMap((cell, nth) => ((layout[nth] ?? 0) > 0 ? setsOf(cell) : [])).find(([card, ...more]) => card !== undefined && more.length === 0 && below(rules, card) === null);
    if (lowest?.[0]) found.push(`you lead first, and nobody can lead up to the ${cardName(lowest[0])}`);
  }
  return [...found, "before the cards are dealt, it matters little where the chips go"];
}

/** The chips that the hand can claim, and those that the dead hand may bring. */
function deadHandReasons(view: TableView, hand: readonly Card[]): string[] {
  let [held, missing] = [0, 0];
  view.rules.cells.forEach((cell, nth) => {
    const sets = setsOf(cell);
    if (sets.some((set) => set.every((card) => hand.includes(card)))) held += view.layout[nth] ?? 0;
    else if (sets.length > 0) missing += view.layout[nth] ?? 0;
  });
  return [`your ${hand.length} cards can claim ${chips(held)}; ${missing} more lie on boodles whose cards you do not hold, and the dead hand has ${view.deadHand.size} cards`];
}

function betReasons(view: TableView): string[] {
  const me = view.me === null ? undefined : view.seats[view.me];
  if (!me?.apart?.length) return [];
  const owed = Math.max(...view.seats.map(({ bet }) => bet)) - me.bet;
  const pot = view.layout[potOf(view.rules)] ?? 0;
  return [`you hold ${pokerHand(me.apart)}${owed > 0 ? `; a call costs ${owed} for a pot of ${pot}` : ""}`];
}
