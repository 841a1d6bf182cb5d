//! The options of the rules: one table that reading, writing, house rules at random, the list of keys
//! in `docs/RULES.md` and the editor of the page share.

use serde_json::{Value, json};

use super::named::Table;
use super::{
    Bankroll, ChangeSuit, DeadHand, Exchange, FirstDealer, FirstLead, LayoutAnte, Leftover, OnBust,
    Remainder, Spec, Stage, Timing,
};
use crate::card::{Aces, Suit};

/// One option: one key of a rules file.
pub(super) struct RuleOption {
    /// The key. A dot separates the name of a table and the key in the table.
    pub(super) key: &'static str,
    /// The section of `docs/RULES.md` that explains the option.
    pub(super) section: &'static str,
    /// The heading under which an editor shows the option.
    pub(super) group: &'static str,
    /// The name of the option for people.
    pub(super) label: &'static str,
    /// One sentence for people, or nothing.
    pub(super) help: &'static str,
    /// When the option has an effect, for people; nothing if always.
    pub(super) when: &'static str,
    /// Which values the option has, and where a [`Spec`] keeps the value.
    pub(super) kind: Kind,
    /// Values that do not fit other options.
    pub(super) conflicts: &'static [Conflict],
    /// The other keys that decide whether the value fits. Where one of them cannot be read, faults
    /// of the combination are not reported.
    pub(super) depends_on: &'static [&'static str],
}

/// A value that does not fit other options.
pub(super) struct Conflict {
    /// Whether these rules have the conflict.
    pub(super) is_in: fn(&Spec) -> bool,
    /// The problem of the [fault](super::Fault).
    pub(super) problem: &'static str,
    /// What is accepted instead.
    pub(super) expected: &'static str,
}

/// The values of an option.
pub(super) enum Kind {
    /// A whole number.
    Whole {
        /// The least value.
        least: i32,
        /// The greatest value.
        most: i32,
        /// Set if the key may be left out: what that means, for people. The number is then 0.
        left_out: Option<&'static str>,
        get: fn(&Spec) -> i32,
        set: fn(&mut Spec, i32),
    },
    /// One of several forms.
    Forms { forms: &'static [Form], get: fn(&Spec) -> Setting, set: fn(&mut Spec, Setting) },
    /// [`Spec::players`].
    Players,
    /// [`Spec::removed`].
    Removed,
    /// [`Spec::cells`].
    Cells,
    /// [`Spec::stages`].
    Stages,
    /// A short way to write [`Spec::stages`] on a base that has both.
    ClaimWhen,
}

/// The index of a form, and the values of its parts.
pub(super) type Setting = [i32; 3];

/// One form of a value.
pub(super) struct Form {
    pub(super) written: Written,
    /// What the form means, for people.
    pub(super) label: &'static str,
}

/// How rules files write a form.
pub(super) enum Written {
    /// A word, as `"cut"`.
    Word(&'static str),
    /// `true` or `false`.
    Truth(bool),
    /// A number.
    Number(i32),
    /// A table of one key and a word, as `{ lowest_of = "clubs" }`.
    Pair(&'static str, &'static str),
    /// A table of one key and a table of parts, as `{ offer_chain = { price = 1 } }`.
    Table(&'static str, &'static [Part]),
}

/// One part of a form.
pub(super) struct Part {
    pub(super) key: &'static str,
    /// The name of the part for people.
    pub(super) label: &'static str,
    pub(super) values: PartValues,
    /// The value that an editor begins with.
    pub(super) usual: i32,
    /// Whether the part may be left out. It then has the usual value.
    pub(super) optional: bool,
}

/// The values of a part.
pub(super) enum PartValues {
    /// A whole number, least and greatest.
    Whole(i32, i32),
    /// One of these words. The value is the index of the word.
    Words(&'static [Form]),
}

/// The greatest number of chips in a rules file, far above the stakes of any table.
const MOST_CHIPS: i32 = 1000;

const SESSION: &str = "Table and session";
const PACK: &str = "Pack";
const STAKES: &str = "Layout and stakes";
const DEAD_HAND: &str = "Dead hand";
const PLAY: &str = "Play";
const SETTLEMENT: &str = "Settlement";

/// An option without anything that only some options have.
const PLAIN: RuleOption = RuleOption {
    key: "",
    section: "",
    group: "",
    label: "",
    help: "",
    when: "",
    kind: Kind::Players,
    conflicts: &[],
    depends_on: &[],
};

/// A field of a [`Spec`] that holds a whole number.
macro_rules! whole {
    ($field:ident $(. $inner:ident)?: $type:ty, $least:literal to $most:expr) => {
        Kind::Whole {
            least: $least,
            most: $most,
            left_out: None,
            get: |spec| spec.$field$(.$inner)? as i32,
            set: |spec, number| spec.$field$(.$inner)? = number as $type,
        }
    };
}

/// A field of a [`Spec`] that holds an enum without fields: each variant with its word and what it
/// means. The variants come in the order in which the enum declares them.
macro_rules! words {
    ($field:ident $(. $inner:ident)?: $type:ident, $($variant:ident $word:literal $label:literal),+ $(,)?) => {
        Kind::Forms {
            forms: &[$(word($word, $label)),+],
            get: |spec| [spec.$field$(.$inner)? as i32, 0, 0],
            set: |spec, [form, ..]| {
                spec.$field$(.$inner)? = [$($type::$variant),+][form as usize];
            },
        }
    };
}

/// All options, in the order of a complete rules file. `base` and `name` are keys, too, but no options.
pub(super) static OPTIONS: [RuleOption; 23] = [
    RuleOption {
        key: "players",
        section: "8",
        group: SESSION,
        label: "Players",
        help: "The least and the most, from 2 to 8.",
        kind: Kind::Players,
        depends_on: &["stages", "aces", "ranks", "suits", "removed", "dead_hand"],
        ..PLAIN
    },
    RuleOption {
        key: "aces",
        section: "1",
        group: PACK,
        label: "Aces",
        kind: words!(aces: Aces, Low "low" "low", High "high" "high"),
        ..PLAIN
    },
    RuleOption {
        key: "ranks",
        section: "4",
        group: PACK,
        label: "Ranks",
        help: "Only this many of the lowest ranks are in the pack.",
        kind: whole!(ranks: usize, 1 to 13),
        ..PLAIN
    },
    RuleOption {
        key: "suits",
        section: "4",
        group: PACK,
        label: "Suits",
        help: "Only this many suits are in the pack, in the order clubs, diamonds, hearts, spades.",
        kind: whole!(suits: usize, 1 to 4),
        ..PLAIN
    },
    RuleOption {
        key: "removed",
        section: "4",
        group: PACK,
        label: "Cards taken out",
        help: "For example 8D KC, in any order.",
        kind: Kind::Removed,
        ..PLAIN
    },
    RuleOption {
        key: "cells",
        section: "6.6",
        group: STAKES,
        label: "Cells",
        help: "Up to eight places for chips. A cell is a card, or has a name and the cards that claim it.",
        kind: Kind::Cells,
        depends_on: &["stages", "aces", "ranks", "suits", "removed"],
        ..PLAIN
    },
    RuleOption {
        key: "kitty_ante",
        section: "3",
        group: STAKES,
        label: "Chips into the kitty",
        help: "Every player pays them before each deal.",
        kind: whole!(kitty_ante: i32, 0 to MOST_CHIPS),
        ..PLAIN
    },
    RuleOption {
        key: "layout_ante",
        section: "3",
        group: STAKES,
        label: "Chips on the layout",
        help: "Fixed on every cell, or a number of chips to split.",
        kind: Kind::Forms {
            forms: &[
                table(
                    "fixed",
                    "on every cell",
                    &[chips("each", "each player", 0), chips("dealer", "the dealer", 0)],
                ),
                table(
                    "free",
                    "split freely",
                    &[chips("chips", "each player", 0), chips("dealer_chips", "the dealer", 0)],
                ),
            ],
            get: |spec| match spec.layout_ante {
                LayoutAnte::Fixed { each, dealer } => [0, each, dealer],
                LayoutAnte::Free { chips, dealer_chips } => [1, chips, dealer_chips],
            },
            set: |spec, [form, chips, dealers]| {
                spec.layout_ante = match form {
                    0 => LayoutAnte::Fixed { each: chips, dealer: dealers },
                    _ => LayoutAnte::Free { chips, dealer_chips: dealers },
                };
            },
        },
        conflicts: &[
            Conflict {
                is_in: |spec| spec.has_free_ante() && spec.has(Stage::Poker),
                problem: "is free, which does not go with a pot",
                expected: "{ fixed = { each, dealer } }",
            },
            Conflict {
                is_in: |spec| {
                    let most = spec.layout_stake(true).max(spec.layout_stake(false));
                    spec.has_free_ante() && spec.cells.is_empty() && most > 0
                },
                problem: "has no cell to go to",
                expected: "cells, or no chips",
            },
        ],
        depends_on: &["cells", "stages"],
        ..PLAIN
    },
    RuleOption {
        key: "cell_cap",
        section: "3",
        group: STAKES,
        label: "Most chips on a cell",
        help: "Chips above it move to other cells, then to the kitty.",
        when: "in games without stages",
        kind: Kind::Whole {
            least: 1,
            most: MOST_CHIPS * MOST_CHIPS,
            left_out: Some("no limit"),
            get: |spec| spec.cell_cap.unwrap_or(0),
            set: |spec, cap| spec.cell_cap = Some(cap),
        },
        conflicts: &[Conflict {
            is_in: |spec| spec.cell_cap.is_some() && !spec.stages.is_empty(),
            problem: "does not go with `stages`",
            expected: "it left out",
        }],
        depends_on: &["stages"],
    },
    RuleOption {
        key: "timing",
        section: "2",
        group: STAKES,
        label: "Antes",
        help: "When the players place their antes.",
        kind: words!(
            timing: Timing,
            BeforeDeal "before_deal" "before the deal",
            AfterLook "after_look" "after a look at the hand",
        ),
        ..PLAIN
    },
    RuleOption {
        key: "dead_hand.position",
        section: "4",
        group: DEAD_HAND,
        label: "Place in the round",
        help: "When the dead hand gets its card.",
        kind: words!(
            dead_hand: DeadHand,
            None "none" "there is none",
            First "first" "before eldest",
            BeforeDealer "before_dealer" "just before the dealer",
            Last "last" "after the dealer",
        ),
        ..PLAIN
    },
    RuleOption {
        key: "dead_hand.remainder",
        section: "4",
        group: DEAD_HAND,
        label: "Odd cards",
        help: "The cards that do not make a full round.",
        when: "in games with a dead hand",
        kind: words!(
            remainder: Remainder,
            Rotation "rotation" "are dealt on in turn",
            DeadHand "dead_hand" "go to the dead hand",
        ),
        conflicts: &[Conflict {
            is_in: |spec| spec.remainder == Remainder::DeadHand && !spec.has_dead_hand(),
            problem: "is \"dead_hand\" without one",
            expected: "\"rotation\", or a dead hand (`dead_hand.position`)",
        }],
        ..PLAIN
    },
    RuleOption {
        key: "exchange",
        section: "5",
        group: DEAD_HAND,
        label: "Who may take it",
        help: "A player takes it unseen, in exchange for their own hand.",
        when: "in games with a dead hand",
        kind: Kind::Forms {
            forms: &[
                word("none", "nobody"),
                table("dealer_exchange", "the dealer", &[chips("fee", "for a fee of", 0)]),
                table(
                    "dealer_exchange_or_auction",
                    "the dealer, or an auction",
                    &[Part { usual: 20, optional: true, ..chips("max_bid", "bids up to", 1) }],
                ),
                table(
                    "offer_chain",
                    "eldest free, then each in turn",
                    &[chips("price", "for a price of", 0)],
                ),
            ],
            get: |spec| match spec.exchange {
                Exchange::None => [0, 0, 0],
                Exchange::Dealer { fee } => [1, fee, 0],
                Exchange::DealerOrAuction { max_bid } => [2, max_bid, 0],
                Exchange::OfferChain { price } => [3, price, 0],
            },
            set: |spec, [form, chips, _]| {
                spec.exchange = match form {
                    0 => Exchange::None,
                    1 => Exchange::Dealer { fee: chips },
                    2 => Exchange::DealerOrAuction { max_bid: chips },
                    _ => Exchange::OfferChain { price: chips },
                };
            },
        },
        conflicts: &[
            Conflict {
                is_in: |spec| spec.exchange != Exchange::None && !spec.has_dead_hand(),
                problem: "needs a dead hand",
                expected: "\"none\", or a dead hand (`dead_hand.position`)",
            },
            Conflict {
                is_in: |spec| match spec.exchange {
                    Exchange::Dealer { fee: price } | Exchange::OfferChain { price } => {
                        price > 0 && spec.cells.is_empty() && !spec.has_kitty()
                    }
                    _ => false,
                },
                problem: "has nobody to pay",
                expected: "a kitty, cells, or no price",
            },
        ],
        depends_on: &["dead_hand", "cells", "kitty_ante", "kitty_to_winner"],
    },
    RuleOption {
        key: "first_lead",
        section: "6.1",
        group: PLAY,
        label: "First lead",
        kind: Kind::Forms {
            forms: &[
                word("eldest", "eldest, any suit"),
                form(Written::Pair("lowest_of", "clubs"), "the lowest club"),
                form(Written::Pair("lowest_of", "diamonds"), "the lowest diamond"),
                form(Written::Pair("lowest_of", "hearts"), "the lowest heart"),
                form(Written::Pair("lowest_of", "spades"), "the lowest spade"),
                word("poker_winner", "the winner of the poker"),
            ],
            get: |spec| match spec.first_lead {
                FirstLead::Eldest => [0, 0, 0],
                FirstLead::LowestOf(suit) => [1 + suit as i32, 0, 0],
                FirstLead::PokerWinner => [5, 0, 0],
            },
            set: |spec, [form, ..]| {
                spec.first_lead = match form {
                    0 => FirstLead::Eldest,
                    5 => FirstLead::PokerWinner,
                    suit => FirstLead::LowestOf(Suit::from_index(suit as usize - 1)),
                };
            },
        },
        conflicts: &[Conflict {
            is_in: |spec| spec.first_lead == FirstLead::PokerWinner && !spec.has(Stage::Poker),
            problem: "is \"poker_winner\" without the stage \"poker\"",
            expected: "that stage, or another first lead",
        }],
        depends_on: &["stages"],
        ..PLAIN
    },
    RuleOption {
        key: "change_suit",
        section: "6.7",
        group: PLAY,
        label: "Next lead",
        help: "What the player of a stop may lead.",
        kind: words!(
            change_suit: ChangeSuit,
            Free "free" "any suit",
            ElseSame "else_same" "another suit, or the same if they must",
            ElsePass "else_pass" "another suit, or the lead passes",
            OtherColour "other_colour" "the lowest card of the other colour",
        ),
        ..PLAIN
    },
    RuleOption {
        key: "kitty_to_winner",
        section: "7",
        group: SETTLEMENT,
        label: "The kitty",
        help: "The player who goes out may take it.",
        kind: Kind::Forms {
            forms: &[
                form(Written::Truth(true), "goes to the winner"),
                form(Written::Truth(false), "stays"),
            ],
            get: |spec| [i32::from(!spec.kitty_to_winner), 0, 0],
            set: |spec, [form, ..]| spec.kitty_to_winner = form == 0,
        },
        ..PLAIN
    },
    RuleOption {
        key: "per_card",
        section: "7",
        group: SETTLEMENT,
        label: "Chips for a card",
        help: "What the others pay the winner for each card left.",
        kind: whole!(per_card: i32, 0 to MOST_CHIPS),
        ..PLAIN
    },
    RuleOption {
        key: "stages",
        section: "8.1",
        group: PLAY,
        label: "Stages before the play",
        help: "Pay cards go to their holders; poker is played for the pot.",
        kind: Kind::Stages,
        conflicts: &[
            Conflict {
                is_in: |spec| {
                    let stages = &spec.stages;
                    (1..stages.len()).any(|nth| stages[..nth].contains(&stages[nth]))
                },
                problem: "has a stage twice",
                expected: "each stage once",
            },
            Conflict {
                is_in: |spec| spec.has(Stage::Poker) && spec.pot().is_none(),
                problem: "has \"poker\" without a pot",
                expected: "{ name = \"pot\", claimed_by = [] } among `cells`",
            },
        ],
        depends_on: &["cells"],
        ..PLAIN
    },
    RuleOption {
        key: "claim_when",
        section: "8.1",
        group: PLAY,
        label: "Pay cards are taken",
        when: "on the base `three-in-one`, instead of `stages`",
        kind: Kind::ClaimWhen,
        ..PLAIN
    },
    RuleOption {
        key: "session.deals",
        section: "7",
        group: SESSION,
        label: "Deals in a session",
        help: "The chips carry over from deal to deal.",
        kind: whole!(session.deals: u32, 1 to 1_000_000),
        depends_on: &["players"],
        ..PLAIN
    },
    RuleOption {
        key: "session.bankroll",
        section: "7",
        group: SESSION,
        label: "Chips",
        help: "A score that may fall below zero, or real chips.",
        kind: Kind::Forms {
            forms: BANKROLL,
            get: |spec| spec.session.bankroll.setting(),
            set: |spec, [form, start, on_bust]| {
                use OnBust::{Eliminate, EndSession, Rebuy};
                spec.session.bankroll = match form {
                    0 => Bankroll::Credit,
                    _ => Bankroll::Chips {
                        start,
                        on_bust: [EndSession, Eliminate, Rebuy][on_bust as usize],
                    },
                };
            },
        },
        depends_on: &["layout_ante", "cells", "kitty_ante"],
        ..PLAIN
    },
    RuleOption {
        key: "session.leftover",
        section: "7",
        group: SESSION,
        label: "Chips left at the end",
        help: "What becomes of the chips that still lie on the table after the last deal.",
        kind: words!(
            session.leftover: Leftover,
            Stay "stay" "nobody gets them",
            Lot "lot" "drawn by lot",
            Richest "richest" "to the richest seat",
        ),
        ..PLAIN
    },
    RuleOption {
        key: "session.first_dealer",
        section: "7",
        group: SESSION,
        label: "First dealer",
        help: "The seat that deals first.",
        kind: Kind::Forms {
            forms: &[
                word("cut", "cut for the highest card"),
                word("first_jack", "the first jack that is turned up"),
                form(Written::Number(0), "seat 0"),
                form(Written::Number(1), "seat 1"),
                form(Written::Number(2), "seat 2"),
                form(Written::Number(3), "seat 3"),
                form(Written::Number(4), "seat 4"),
                form(Written::Number(5), "seat 5"),
                form(Written::Number(6), "seat 6"),
                form(Written::Number(7), "seat 7"),
            ],
            get: |spec| match spec.session.first_dealer {
                FirstDealer::Cut => [0, 0, 0],
                FirstDealer::FirstJack => [1, 0, 0],
                FirstDealer::Seat(seat) => [2 + seat as i32, 0, 0],
            },
            set: |spec, [form, ..]| {
                spec.session.first_dealer = match form {
                    0 => FirstDealer::Cut,
                    1 => FirstDealer::FirstJack,
                    seat => FirstDealer::Seat(seat as usize - 2),
                };
            },
        },
        depends_on: &["players"],
        ..PLAIN
    },
];

/// The forms of `session.bankroll`.
pub(super) const BANKROLL: &[Form] = &[
    word("credit", "a score from zero"),
    table(
        "chips",
        "chips",
        &[
            Part {
                key: "start",
                label: "each begins with",
                values: PartValues::Whole(1, 1_000_000),
                usual: 40,
                optional: false,
            },
            Part {
                key: "on_bust",
                label: "a player who cannot ante",
                values: PartValues::Words(&[
                    word("end_session", "ends the session"),
                    word("eliminate", "is out"),
                    word("rebuy", "buys more"),
                ]),
                usual: 0,
                optional: false,
            },
        ],
    ),
];

/// The words of `stages`, in the order of [`Stage`].
pub(super) const STAGES: &[Form] = &[word("collect", "pay cards"), word("poker", "poker")];

/// The words of `claim_when`: with [`Stage::Collect`], and without.
pub(super) const CLAIM_WHEN: &[Form] =
    &[word("held", "by the holders, before the play"), word("played", "by playing the cards")];

const fn form(written: Written, label: &'static str) -> Form {
    Form { written, label }
}

const fn word(word: &'static str, label: &'static str) -> Form {
    form(Written::Word(word), label)
}

const fn table(key: &'static str, label: &'static str, parts: &'static [Part]) -> Form {
    form(Written::Table(key, parts), label)
}

/// A part that is a number of chips.
const fn chips(key: &'static str, label: &'static str, least: i32) -> Part {
    let values = PartValues::Whole(least, MOST_CHIPS);
    Part { key, label, values, usual: 1, optional: false }
}

impl RuleOption {
    /// The option of a key.
    pub(super) fn of(key: &str) -> &'static Self {
        OPTIONS.iter().find(|option| option.key == key).expect("the key is in the table")
    }
}

impl Form {
    pub(super) fn has_parts(&self) -> bool {
        matches!(self.written, Written::Table(..))
    }

    /// The form with these values of its parts, as rules files write it.
    pub(super) fn value(&self, [a, b]: [i32; 2]) -> Value {
        match self.written {
            Written::Word(word) => json!(word),
            Written::Truth(truth) => json!(truth),
            Written::Number(number) => json!(number),
            Written::Pair(key, word) => json!({ key: word }),
            Written::Table(key, parts) => {
                let values = parts.iter().zip([a, b]);
                let values: Table =
                    values.map(|(part, number)| (part.key.into(), part.value(number))).collect();
                json!({ key: values })
            }
        }
    }
}

impl Part {
    /// A value of the part, as rules files write it.
    pub(super) fn value(&self, number: i32) -> Value {
        match self.values {
            PartValues::Whole(..) => json!(number),
            PartValues::Words(words) => words[number as usize].value([0, 0]),
        }
    }
}
