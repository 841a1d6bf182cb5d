/** Titles of the games, and how each differs from the others: `docs/RULES.md`, section 8. */

import type { House } from "./rules";

interface About {
  title: string;
  sentence: string;
}

const GAMES: Record<string, About> = {
  newmarket: {
    title: "Newmarket",
    sentence: "Stake four chips as you like. After a stop the next lead is in another suit, and the first one out takes the kitty.",
  },
  "newmarket-buy": {
    title: "Newmarket with a buy",
    sentence: "Newmarket, but the dealer may pay four chips to swap hands with the dead hand, unseen.",
  },
  "hoyle-1885": {
    title: "Hoyle, 1885",
    sentence: "No eight of diamonds and no kitty. The dealer stakes double, and the chips left at the end are drawn by lot.",
  },
  "bazaar-1875": {
    title: "The Bazaar, 1875",
    sentence: "The oldest rules here. There is no dead hand: a sequence runs until its top or a card that has gone.",
  },
  "newmarket-2011": {
    title: "Newmarket, 2011",
    sentence: "A light game: boodles and the kitty, any suit may be led, and nobody pays for the cards left in hand.",
  },
  "south-london": {
    title: "South London",
    sentence: "The kings leave the pack for the layout. The queens claim what lies on them, and each queen is a stop.",
  },
  michigan: {
    title: "Michigan",
    sentence: "The American classic. Aces are high, stakes are fixed, and the player of a stop leads any suit.",
  },
  "michigan-free-stakes": {
    title: "Michigan, free stakes",
    sentence: "Michigan with six chips each, to stake on the four boodles as you please.",
  },
  "michigan-widow": {
    title: "Michigan with a widow",
    sentence: "The dealer may take the dead hand free. Who cannot change suit passes the lead to the left.",
  },
  "michigan-auction": {
    title: "Michigan with an auction",
    sentence: "The dealer takes the dead hand, leaves it, or sells it to the highest bidder.",
  },
  "michigan-one-suit": {
    title: "Michigan in one suit",
    sentence: "All four boodles are hearts, from the ace to the jack. The dealer may buy the dead hand for four chips.",
  },
  "four-horses": {
    title: "Four Horses",
    sentence: "Twelve chips each, and the lowest club opens. The dead hand is offered round, and leads change colour.",
  },
  saratoga: {
    title: "Saratoga",
    sentence: "The old game with equal stakes: a chip on every boodle, two from the dealer, and no eight of diamonds.",
  },
  chicago: {
    title: "Chicago",
    sentence: "All four boodles are spades. There is a kitty, and the dealer may swap hands with the dead hand free.",
  },
  "three-in-one": {
    title: "Three in One",
    sentence: "Boodles, a round of poker and a stops game with one hand of cards. Also Michigan Rummy, or Tripoley.",
  },
};

/** The title of a named game or a house. */
export function title(house: House): string {
  return house.name ?? GAMES[house.base]?.title ?? house.base;
}

/** A named game in one or two sentences. */
export function sentence(base: string): string {
  return GAMES[base]?.sentence ?? "";
}
