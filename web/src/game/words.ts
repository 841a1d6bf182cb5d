/** Events and choices in plain English, for the log, the live region and the buttons. */

import type { Choice } from "newmarket-engine";

import { SUITS, cardName } from "./cards";
import type { DealEvent, HandName, Why } from "./events";
import type { Rules } from "./rules";
import type { Waiting } from "./stage.svelte";
import { cellNames } from "./rules";

/** As in the terminal: `NAMES` of `src/wording.rs`. */
const NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal"];

/** What seats are called: "You" and, clockwise from there, names in alphabetical order; without a person from the first seat on. */
export function seatNames(players: number, you: number | null): string[] {
  return Array.from({ length: players }, (_, seat) => {
    if (seat === you) return "You";
    return NAMES[you === null ? seat : (seat - you + players - 1) % players] ?? `Seat ${seat}`;
  });
}

/** Verbs whose form for others does not only have an "s" more. */
const VERBS: Record<string, string> = { are: "is", have: "has", pass: "passes" };

/** The seat with a verb: "You lead", "Ann leads". */
export function does(name: string, verb: string): string {
  if (name === "You") return `You ${verb}`;
  const [first = "", ...rest] = verb.split(" ");
  return [name, VERBS[first] ?? `${first}s`, ...rest].join(" ");
}

export function chips(count: number): string {
  return count === 1 ? "1 chip" : `${count} chips`;
}

/** "a, b and c". */
export function list(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}

/** A text of the engine with its cards spelled out: "A♠" as "the ace of spades". */
export function spelled(text: string): string {
  return text.replace(/([♣♦♥♠])\(/g, "$1 (").replace(/(10|[2-9AJQK])([♣♦♥♠])/g, (_, rank: string, sign: string) => {
    const suit = SUITS["♣♦♥♠".indexOf(sign)];
    return `the ${cardName(`${rank === "10" ? "T" : rank}${suit}`)}`;
  });
}

/** A cell by its name in events: a card in words, "the kitty", "the pot", "KQ". */
export function cellName(rules: Rules, name: string): string {
  if (name === "kitty") return "the kitty";
  const cell = rules.cells.find((other) => typeof other === "object" && "name" in other && other.name === name);
  if (!cell && /^[A2-9TJQK][CDHS]$/.test(name)) return `the ${cardName(name)}`;
  return name === "pot" ? "the pot" : name;
}

/** Where chips are put: "1 on each card", "3 on the queen of clubs and 1 on the ace of spades". */
export function stakes(rules: Rules, layout: readonly number[]): string {
  const names = cellNames(rules);
  if (layout.length > 1 && layout.every((count) => count === layout[0])) return `${layout[0]} on each boodle`;
  const staked = layout.flatMap((count, cell) =>
    count > 0 ? [`${count} on ${cellName(rules, names[cell] ?? "")}`] : [],
  );
  return list(staked);
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** "a flush", but "one pair". */
function article(hand: HandName): string {
  return /^(straight|flush|full)/.test(hand) ? `a ${hand}` : hand;
}

/** Why a sequence stopped, after "because" or a colon. */
const WHY: Record<Why, string> = {
  top: "it is the top of its suit",
  removed: "the next card is not in the pack",
  dead: "the next card is in the dead hand",
  played: "the next card has been played",
};

/** One event in a sentence. */
export function eventWords(event: DealEvent, rules: Rules, names: readonly string[]): string {
  const who = (seat: number) => names[seat] ?? `Seat ${seat}`;
  const cell = (name: string) => cellName(rules, name);
  switch (event.e) {
    case "rebuy":
      return `${does(who(event.seat), "buy")} ${chips(event.chips)}.`;
    case "ante": {
      const kitty = event.kitty > 0 ? [`${event.kitty} in the kitty`] : [];
      const staked = event.layout.some((count) => count > 0) ? [stakes(rules, event.layout)] : [];
      return `${does(who(event.seat), "stake")} ${list([...staked, ...kitty]) || "nothing"}.`;
    }
    case "spill":
      return `${chips(event.chips)} above the limit move from ${cell(event.from)} to ${cell(event.to)}.`;
    case "deal":
      return "The cards are dealt.";
    case "keep":
      return `${does(who(event.seat), "leave")} the dead hand.`;
    case "exchange": {
      const to = event.to?.startsWith("seat:") ? ` to ${who(Number(event.to.slice(5)))}` : "";
      return `${does(who(event.seat), "take")} the dead hand${event.paid > 0 ? ` for ${chips(event.paid)}${to}` : ""}.`;
    }
    case "auction":
      return `${does(who(event.seat), "put")} the dead hand up for auction.`;
    case "bid":
      return `${does(who(event.seat), "bid")} ${event.chips}.`;
    case "pass":
      return `${does(who(event.seat), "pass")}.`;
    case "collect":
      return `${does(who(event.seat), "collect")} ${chips(event.chips)} for ${cell(event.cell)}.`;
    case "set_apart":
      return `${does(who(event.seat), "set")} five cards apart.`;
    case "check":
    case "fold":
      return `${does(who(event.seat), event.e)}.`;
    case "bet":
    case "call":
    case "raise":
      return `${does(who(event.seat), event.e)}: ${chips(event.chips)} into the pot.`;
    case "showdown": {
      const [first = 0, ...others] = event.winners;
      const verb = others.length > 0 ? `${list(event.winners.map(who))} share` : does(who(first), "take");
      const hand = event.hands?.[String(first)];
      return `${verb} the pot of ${chips(total(event.paid))}${hand ? ` with ${article(hand)}` : ""}.`;
    }
    case "lead":
      return `${does(who(event.seat), "lead")} the ${cardName(event.card)}.`;
    case "play":
      return `${does(who(event.seat), "play")} the ${cardName(event.card)}.`;
    case "claim":
      return `${does(who(event.seat), "win")} ${chips(event.chips)} on ${cell(event.cell)}.`;
    case "stop":
      return `The ${cardName(event.card)} stops: ${WHY[event.why]}.`;
    case "pass_lead":
      return `${does(who(event.seat), "pass")} the lead.`;
    case "out":
      return `${does(who(event.seat), "are")} out of cards.`;
    case "no_winner":
      return "Nobody can lead: the deal has no winner.";
    case "settle": {
      const paid = total(event.paid);
      const parts = [
        ...(event.kitty > 0 ? [`${chips(event.kitty)} from the kitty`] : []),
        ...(paid > 0 ? [`${chips(paid)} for cards`] : []),
      ];
      return `${does(who(event.winner), "win")} the deal${parts.length > 0 ? `: ${list(parts)}` : ""}.`;
    }
    case "leftover":
      return `${chips(event.chips)} left on ${cell(event.from)} go to ${who(event.seat)}.`;
  }
}

/** A choice as a button says it. */
export function choiceWords(choice: Choice, rules: Rules): string {
  switch (choice.e) {
    case "lead":
      return `Lead the ${cardName(choice.card)}`;
    case "ante":
      return `Stake ${stakes(rules, choice.layout)}`;
    case "set_apart":
      return `Set apart ${list(choice.cards.map(cardName))}`;
    case "keep":
      return "Keep your hand";
    case "exchange":
      return "Take the dead hand";
    case "auction":
      return "Auction the dead hand";
    default:
      return choice.e[0]?.toUpperCase() + choice.e.slice(1);
  }
}

/** What waits for the person: "Play the 7 of hearts, and take 4 chips". */
export function waitingWords({ event, cells, chips: count }: Waiting, rules: Rules): string {
  if (event.e === "collect") return `Take ${chips(count)} for ${list(cells.map((cell) => cellName(rules, cell)))}`;
  return `${event.e === "lead" ? "Lead" : "Play"} the ${cardName(event.card)}${count > 0 ? `, and take ${chips(count)}` : ""}`;
}

/** A count of chips that may be owed: "12", "−3". */
export function amount(value: number): string {
  return value < 0 ? `−${-value}` : `${value}`;
}

/** A number with its sign: "+3", "−2", "0". */
export function signed(value: number, digits = 0): string {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return `${value < 0 ? "−" : "+"}${text}`;
}
