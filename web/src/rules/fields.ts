/** The keys of a rules file as fields of a form: `docs/RULES.md`, section 12. */

/** A value as JSON has it. */
export type Value = unknown;

/** One of a few values. */
export interface Options {
  kind: "options";
  options: [Value, string][];
}

/** A whole number; `optional` if the key may be left out, which then means `none`. */
export interface Whole {
  kind: "whole";
  least: number;
  most: number;
  none?: string;
}

/** One of several forms, each a plain value or a table of further values under its tag. */
export interface Forms {
  kind: "forms";
  forms: { tag: string; label: string; parts?: [key: string, label: string, Options | Whole][] }[];
}

export type Kind = Options | Whole | Forms | { kind: "range" } | { kind: "cards" } | { kind: "cells" };

export interface Field {
  /** As faults name it: with a dot inside a table. */
  key: string;
  label: string;
  help: string;
  kind: Kind;
}

export interface Group {
  title: string;
  fields: Field[];
}

const options = (...list: [Value, string][]): Options => ({ kind: "options", options: list });
const whole = (least: number, most: number): Whole => ({ kind: "whole", least, most });

export const GROUPS: Group[] = [
  {
    title: "Table and session",
    fields: [
      { key: "players", label: "Players", help: "The least and the most, from 2 to 8.", kind: { kind: "range" } },
      { key: "session.deals", label: "Deals in a session", help: "The chips carry over from deal to deal.", kind: whole(1, 1_000_000) },
      {
        key: "session.first_dealer",
        label: "First dealer",
        help: "Who deals first.",
        kind: options(
          ["cut", "cut for the highest card"],
          ["first_jack", "the first jack that is turned up"],
          ...Array.from({ length: 8 }, (_, seat): [number, string] => [seat, `seat ${seat}`]),
        ),
      },
      {
        key: "session.bankroll",
        label: "Chips",
        help: "A score that may fall below zero, or real chips.",
        kind: {
          kind: "forms",
          forms: [
            { tag: "credit", label: "a score from zero" },
            {
              tag: "chips",
              label: "chips",
              parts: [
                ["start", "each begins with", whole(1, 1_000_000)],
                [
                  "on_bust",
                  "who cannot ante",
                  options(["end_session", "ends the session"], ["eliminate", "is out"], ["rebuy", "buys more"]),
                ],
              ],
            },
          ],
        },
      },
      {
        key: "session.leftover",
        label: "Chips left at the end",
        help: "What becomes of the chips that still lie on the table after the last deal.",
        kind: options(["stay", "nobody gets them"], ["lot", "drawn by lot"], ["richest", "to the richest seat"]),
      },
    ],
  },
  {
    title: "Pack",
    fields: [
      { key: "aces", label: "Aces", help: "", kind: options(["low", "low"], ["high", "high"]) },
      { key: "ranks", label: "Ranks", help: "Only the lowest so many ranks are in the pack.", kind: whole(1, 13) },
      { key: "suits", label: "Suits", help: "Only the first so many of clubs, diamonds, hearts, spades.", kind: whole(1, 4) },
      { key: "removed", label: "Cards taken out", help: "As in 8D KC, in any order.", kind: { kind: "cards" } },
    ],
  },
  {
    title: "Layout and stakes",
    fields: [
      {
        key: "cells",
        label: "Cells",
        help: "Up to eight places for chips. A cell is a card, or has a name, and says which cards claim it.",
        kind: { kind: "cells" },
      },
      { key: "kitty_ante", label: "Chips into the kitty", help: "From every player, each deal.", kind: whole(0, 1000) },
      {
        key: "layout_ante",
        label: "Chips on the layout",
        help: "Fixed on every cell, or a number of chips to split.",
        kind: {
          kind: "forms",
          forms: [
            {
              tag: "fixed",
              label: "on every cell",
              parts: [["each", "each player", whole(0, 1000)], ["dealer", "the dealer", whole(0, 1000)]],
            },
            {
              tag: "free",
              label: "split freely",
              parts: [["chips", "each player", whole(0, 1000)], ["dealer_chips", "the dealer", whole(0, 1000)]],
            },
          ],
        },
      },
      {
        key: "cell_cap",
        label: "Most chips on a cell",
        help: "Chips above it move to other cells, then to the kitty.",
        kind: { ...whole(1, 1_000_000), none: "no limit" },
      },
      {
        key: "timing",
        label: "Antes",
        help: "Before the deal, or after a look at one's cards.",
        kind: options(["before_deal", "before the deal"], ["after_look", "after a look at the hand"]),
      },
    ],
  },
  {
    title: "Dead hand",
    fields: [
      {
        key: "dead_hand.position",
        label: "Place in the round",
        help: "When the dead hand gets its card.",
        kind: options(
          ["none", "there is none"],
          ["first", "before the eldest"],
          ["before_dealer", "just before the dealer"],
          ["last", "after the dealer"],
        ),
      },
      {
        key: "dead_hand.remainder",
        label: "Odd cards",
        help: "The cards that do not make a full round.",
        kind: options(["rotation", "are dealt on in turn"], ["dead_hand", "go to the dead hand"]),
      },
      {
        key: "exchange",
        label: "Who may take it",
        help: "It is taken unseen, for one's own hand.",
        kind: {
          kind: "forms",
          forms: [
            { tag: "none", label: "nobody" },
            { tag: "dealer_exchange", label: "the dealer", parts: [["fee", "for a fee of", whole(0, 1000)]] },
            {
              tag: "dealer_exchange_or_auction",
              label: "the dealer, or an auction",
              parts: [["max_bid", "bids up to", whole(1, 1000)]],
            },
            {
              tag: "offer_chain",
              label: "eldest free, then each in turn",
              parts: [["price", "for a price of", whole(0, 1000)]],
            },
          ],
        },
      },
    ],
  },
  {
    title: "Play",
    fields: [
      {
        key: "stages",
        label: "Stages before the play",
        help: "Pay cards go to their holders; poker is played for the pot.",
        kind: options(
          [[], "none"],
          [["collect"], "pay cards"],
          [["poker"], "poker"],
          [["collect", "poker"], "pay cards, then poker"],
          [["poker", "collect"], "poker, then pay cards"],
        ),
      },
      {
        key: "first_lead",
        label: "First lead",
        help: "",
        kind: options(
          ["eldest", "eldest, any suit"],
          [{ lowest_of: "clubs" }, "the lowest club"],
          [{ lowest_of: "diamonds" }, "the lowest diamond"],
          [{ lowest_of: "hearts" }, "the lowest heart"],
          [{ lowest_of: "spades" }, "the lowest spade"],
          ["poker_winner", "the winner of the poker"],
        ),
      },
      {
        key: "change_suit",
        label: "Next lead",
        help: "What whoever stopped a sequence may lead.",
        kind: options(
          ["free", "any suit"],
          ["else_same", "another suit, or the same if they must"],
          ["else_pass", "another suit, or the lead passes"],
          ["other_colour", "the lowest card of the other colour"],
        ),
      },
    ],
  },
  {
    title: "Settlement",
    fields: [
      {
        key: "kitty_to_winner",
        label: "The kitty",
        help: "Who goes out first may take it.",
        kind: options([true, "goes to the winner"], [false, "stays"]),
      },
      { key: "per_card", label: "Chips for a card", help: "What the others pay the winner for each card left.", kind: whole(0, 1000) },
    ],
  },
];

export const FIELDS: Field[] = GROUPS.flatMap((group) => group.fields);

/** The field beside which a fault of a key is shown, if there is one. */
export function fieldOf(key: string): Field | undefined {
  const begins = (field: Field) => key === field.key || /^[.[]/.test(key.slice(field.key.length));
  return FIELDS.find((field) => key.startsWith(field.key) && begins(field));
}
