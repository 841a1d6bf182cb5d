/** The rules of a game in short, made from its options, so that house rules are told truly. As in the terminal: `src/play/help.rs`. */

import { cardName, rankSign, suitOf } from "./cards";
import { setsOf } from "./cells";
import type { Card } from "./events";
import { isPot, nameOf } from "./rules";
import type { Rules } from "./rules";
import { cellName, chips, list } from "./words";

/** The rules, a sentence or two each, in the order of a deal. */
export function rulesWords(rules: Rules): string[] {
  return [
    `${players(rules)} Aces are ${rules.aces}.${pack(rules)}`,
    ...stakes(rules),
    ...deadHand(rules),
    ...(rules.stages.includes("poker") ? [POKER, pokerEnd(rules)] : []),
    "You lead the lowest card that you hold of a suit. The player with the next higher card plays it, and so on, until nobody can: that is a stop.",
    ...firstLead(rules),
    NEXT_LEAD[rules.change_suit],
    claiming(rules),
    prize(rules),
    session(rules),
  ];
}

/** The sentences in which rules differ from others. */
export function differences(rules: Rules, from: Rules): string[] {
  const known = new Set(rulesWords(from));
  return rulesWords(rules).filter((words) => !known.has(words));
}

const POKER =
  "Poker: everybody sets five cards apart. Then there is one round of bets from the dealer’s left: check or bet 1; after a bet call, raise by 1 (three raises in all) or fold. A player who folds loses nothing later.";

function players({ players: [least, most] }: Rules): string {
  return least === most ? `For ${least} players.` : `For ${least} to ${most} players.`;
}

function pack({ removed, ranks, suits }: Rules): string {
  const out = removed.length > 0 ? ` Not in the pack: ${list(removed.map((card) => `the ${cardName(card)}`))}.` : "";
  const part = ranks < 13 || suits < 4 ? ` The pack has the lowest ${ranks} ranks of ${suits === 1 ? "one suit" : `${suits} suits`}.` : "";
  return `${part}${out}`;
}

function stakes(rules: Rules): string[] {
  const { layout_ante: ante, kitty_ante: kitty, cell_cap: cap } = rules;
  const when = rules.timing === "after_look" ? "After a look at their hand" : "Before the deal";
  const said: string[] = [];
  if ("free" in ante) {
    const { chips: each, dealer_chips: dealer } = ante.free;
    if (each + dealer > 0) said.push(`${when} everybody stakes ${chips(each)} on the boodles as they like${dealer === each ? "" : `, the dealer ${dealer}`}.`);
  } else {
    const { each, dealer } = ante.fixed;
    if (each + dealer > 0) said.push(`${when} everybody stakes ${chips(each)} on each boodle${dealer === each ? "" : `, the dealer ${dealer}`}.`);
  }
  if (kitty > 0) said.push(`Everybody pays ${chips(kitty)} into the kitty.`);
  else if (!rules.kitty_to_winner) said.push("There is no kitty.");
  if (cap !== undefined) said.push(`No boodle may hold more than ${cap} chips.`);
  return said;
}

function deadHand({ dead_hand: { position }, exchange }: Rules): string[] {
  if (position === "none") return ["All cards are dealt to the players: there is no dead hand."];
  const begin = "A dead hand is dealt, which is out of play";
  if (exchange === "none") return [`${begin}: nobody sees it before the deal is over.`];
  if ("dealer_exchange" in exchange) {
    const { fee } = exchange.dealer_exchange;
    return [`${begin}: the dealer may exchange hands with it, unseen, ${fee === 0 ? "free" : `for ${chips(fee)}`}.`];
  }
  if ("dealer_exchange_or_auction" in exchange) {
    return [`${begin}: the dealer may exchange hands with it, unseen, or sell it to the highest bidder (at most ${exchange.dealer_exchange_or_auction.max_bid}).`];
  }
  const { price } = exchange.offer_chain;
  return [`${begin}: it is offered round, unseen, free to the player on the dealer’s left, then for ${chips(price)}.`];
}

function pokerEnd({ first_lead: first }: Rules): string {
  const leads = first === "poker_winner" ? ", and its winner leads first" : "";
  return `The best five cards of the players who stay take the pot${leads}. All cards go back to the hands for the play.`;
}

function firstLead({ first_lead: first }: Rules): string[] {
  if (first === "eldest") return ["The player on the dealer’s left leads first."];
  return typeof first === "object" ? [`The holder of the lowest card of ${first.lowest_of} leads it first.`] : [];
}

const NEXT_LEAD: Record<Rules["change_suit"], string> = {
  free: "The player of the last card leads next, any suit.",
  else_same: "The player of the last card leads next: another suit, if the hand has one.",
  else_pass:
    "The player of the last card leads next, and must change suit, or pass the lead to the left. If nobody can lead, the deal has no winner.",
  other_colour:
    "The player of the last card leads next: the lowest card of the other colour. A player without one passes the lead to the left.",
};

function sets(all: Card[][]): string {
  const ranks = all.map((set) => set.map(rankSign).join(" "));
  const alike = new Set(ranks).size === 1 && all.every((set) => new Set(set.map(suitOf)).size === 1);
  if (all.length > 1 && alike) return `${ranks[0]} of one suit`;
  return all.map((set) => list(set.map((card) => `the ${cardName(card)}`))).join(", or ");
}

function claiming(rules: Rules): string {
  const held = rules.stages.includes("collect");
  const plain = rules.cells.filter((cell) => !isPot(cell) && setsOf(cell).length === 1 && setsOf(cell)[0]?.length === 1);
  const others = rules.cells.filter((cell) => !isPot(cell) && !plain.includes(cell));
  const who = held ? (rules.stages[0] === "collect" ? "First, the holder" : "After poker, the holder") : "The player";
  const names = plain.map((cell) => {
    const [[card = ""] = []] = setsOf(cell);
    const name = nameOf(cell);
    return name === card ? cellName(rules, name) : `${cellName(rules, name)} (by the ${cardName(card)})`;
  });
  const first = `${who} of a boodle takes the chips on it${names.length > 0 ? `: ${list(names)}` : ""}.`;
  const more = others.map((cell) => `${nameOf(cell)} is for ${held ? "the holder" : "the player"} of ${sets(setsOf(cell))}.`);
  return [first, ...more].join(" ");
}

/** In one sentence: house rules are told by the sentences that differ. */
function prize({ kitty_to_winner: kitty, per_card: card }: Rules): string {
  const parts = [...(kitty ? ["the kitty"] : []), ...(card > 0 ? [`${chips(card)} from each of the others for each card that they still hold`] : [])];
  const free = card > 0 ? "" : "; nobody pays for cards that are left";
  return `The first player without cards ends the deal and takes ${list(parts) || "nothing"}${free}.`;
}

const BUST = { end_session: "ends the session", eliminate: "is out", rebuy: "buys new chips" };
const LEFTOVER = { stay: "stay on the table", lot: "are drawn by lot", richest: "go to whoever has the most" };

function session({ session: { deals, bankroll, leftover } }: Rules): string {
  const money =
    bankroll === "credit"
      ? "chips are a score, which may go below zero"
      : `everybody starts with ${chips(bankroll.chips.start)}; a player who cannot pay the stake ${BUST[bankroll.chips.on_bust]}`;
  return `A session is ${deals === 1 ? "1 deal" : `${deals} deals`}: ${money}. Chips that nobody claims stay for the next deal; after the last one they ${LEFTOVER[leftover]}.`;
}
