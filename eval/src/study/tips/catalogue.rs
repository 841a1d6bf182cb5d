//! The tips: what descriptions of the game advise, and how each is put to the test.
//!
//! The wording is ours. Where a tip can be read in two ways, each reading has a row.

use newmarket_agents::heuristic::lead::{self, Criterion};
use newmarket_agents::heuristic::stakes::{self, Cells};
use newmarket_env::rules::{LayoutAnte, Timing};
use newmarket_env::{Action, Card, CardSet, Exchange, Game, View};

/// A piece of advice from descriptions of the game.
#[derive(Clone, Copy, Debug)]
pub struct Tip {
    /// Its name in reports.
    pub name: &'static str,
    /// The advice in full.
    pub says: &'static str,
    /// How it was modelled: what whoever follows it does, and whoever does not.
    pub modelled: &'static str,
    /// What it says of the gain.
    pub claim: Claim,
    pub(super) change: Change,
}

/// What is said of the gain from a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Following it gains chips.
    Gains,
    /// Following it changes nothing.
    MakesNoDifference,
}

/// What differs between whoever follows a tip and whoever does not.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    /// Leads: by this, or not.
    Lead(Criterion),
    /// Leads, where the dead hand can be taken: by this, or not.
    LeadWhereBought(Criterion),
    /// Leads: not by this, or by it. The tip warns of a habit.
    Unlead(Criterion),
    /// Memory: `stopper` itself, or `stopper` that asks this.
    Memory(&'static [Criterion]),
    /// Stakes its ante in this way.
    Ante([Stakes; 2]),
    /// The same where antes are placed after a look at one's hand.
    AnteAfterLook([Stakes; 2]),
    /// The dead hand: this or that.
    DeadHand([fn(&View) -> Action; 2]),
}

/// Where a free ante goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stakes {
    /// The same number of chips on every cell.
    Even,
    /// All on the cell that is claimed most often at the table.
    Most,
    /// All on the cell that is claimed least often.
    Least,
    /// Evenly over all but that.
    AllButLeast,
    /// Evenly over the cells that this picks.
    Picked(fn(&View) -> Cells),
}

/// All tips, in the order of a report.
pub const TIPS: [Tip; 20] = [
    Tip {
        name: "longest suit",
        says: "With a fresh lead, lead low in the suit of which you hold most cards: you will play \
               several of them and keep control.",
        modelled: "leads the suit of which it holds most",
        claim: Claim::Gains,
        change: Change::Lead(lead::length),
    },
    Tip {
        name: "longest run",
        says: "The same, read as: lead where most of your own cards follow each other.",
        modelled: "leads the suit whose unbroken run from its lowest card is longest",
        claim: Claim::Gains,
        change: Change::Lead(lead::run),
    },
    Tip {
        name: "keep control",
        says: "The same, read by its aim: lead so that you lead again.",
        modelled: "leads a run that is sure to stop in its own hand",
        claim: Claim::Gains,
        change: Change::Lead(lead::keeps_lead),
    },
    Tip {
        name: "boodle's suit",
        says: "If you hold a boodle, get into its suit early, even at some cost in position.",
        modelled: "leads the suit of a boodle that it holds, the richest first",
        claim: Claim::Gains,
        change: Change::Lead(lead::boodle),
    },
    Tip {
        name: "low cards first",
        says: "Do not save low cards for long sequences later: be out early.",
        modelled: "leads the suit in which its lowest card is lowest",
        claim: Claim::Gains,
        change: Change::Lead(lead::low_card),
    },
    Tip {
        name: "do not hoard",
        says: "The same, read as a warning of the opposite habit.",
        modelled: "does as everybody does, against one who leads the suit in which its lowest card \
                   is highest",
        claim: Claim::Gains,
        change: Change::Unlead(lead::high_card),
    },
    Tip {
        name: "off-suit",
        says: "Lead away from your long suit to make your hand smaller and race for the kitty.",
        modelled: "leads the suit of which it holds fewest",
        claim: Claim::Gains,
        change: Change::Lead(lead::shortness),
    },
    Tip {
        name: "unopened suit",
        says: "After a stop, prefer a suit that has not been opened: the others know less of what is \
               missing there.",
        modelled: "after a stop, leads a suit of which no card has been played",
        claim: Claim::Gains,
        change: Change::Lead(lead::unopened),
    },
    Tip {
        name: "after a purchase",
        says: "Note whether somebody took the dead hand: stops are then fewer.",
        modelled: "once somebody else took the dead hand, leads the suit whose top card it holds, to which a \
                   sequence without stops must come",
        claim: Claim::Gains,
        change: Change::LeadWhereBought(lead::top_once_bought),
    },
    Tip {
        name: "the same unasked",
        says: "(No tip, but what the tip above is to be compared with.)",
        modelled: "leads the suit whose top card it holds, whether the dead hand \
                   was taken or not",
        claim: Claim::Gains,
        change: Change::LeadWhereBought(lead::top),
    },
    Tip {
        name: "note the stops",
        says: "Keep track of the cards at which play stopped: the next ones are in the dead hand.",
        modelled: "`stopper`, against one that has seen which cards were played but not noted the \
                   stops",
        claim: Claim::Gains,
        change: Change::Memory(&[
            lead::keeps_lead_not_noting_stops,
            lead::boodle,
            lead::out_of_reach_not_noting_stops,
            lead::length,
        ]),
    },
    Tip {
        name: "remember all cards",
        says: "Counting is the skill of the game.",
        modelled: "`stopper`, against one that remembers no card, neither played nor dead",
        claim: Claim::Gains,
        change: Change::Memory(&[
            lead::keeps_lead_from_own_cards,
            lead::boodle,
            lead::out_of_reach_from_own_cards,
            lead::length,
        ]),
    },
    Tip {
        name: "skip the seldom played",
        says: "See which boodle is seldom played at your table, and stake on the others.",
        modelled: "stakes evenly on all but the one claimed least often at this table (counted \
                   beforehand), against evenly on all",
        claim: Claim::Gains,
        change: Change::Ante([Stakes::AllButLeast, Stakes::Even]),
    },
    Tip {
        name: "stake on the most played",
        says: "The same to its end.",
        modelled: "stakes all on the one claimed most often at this table, against evenly on all",
        claim: Claim::Gains,
        change: Change::Ante([Stakes::Most, Stakes::Even]),
    },
    Tip {
        name: "nothing to know",
        says: "Before the deal nobody can tell which boodle is the best investment.",
        modelled: "stakes all on the one claimed most often at this table, against all on the one \
                   claimed least often; the tip says that it makes no difference",
        claim: Claim::MakesNoDifference,
        change: Change::Ante([Stakes::Most, Stakes::Least]),
    },
    Tip {
        name: "stake on your own",
        says: "Stake on boodles that you hold.",
        modelled: "where antes are placed after a look: stakes evenly on those it holds (on all if \
                   it holds none), against evenly on all",
        claim: Claim::Gains,
        change: Change::AnteAfterLook([Stakes::Picked(stakes::held), Stakes::Even]),
    },
    Tip {
        name: "stake on what you can start",
        says: "Stake on boodles that a sequence of yours could reach.",
        modelled: "where antes are placed after a look: stakes on the boodles below which it holds \
                   most cards of the suit, its own or not, against evenly on all",
        claim: Claim::Gains,
        change: Change::AnteAfterLook([Stakes::Picked(most_below), Stakes::Even]),
    },
    Tip {
        name: "of your own, those you can start",
        says: "The same among the boodles that you hold.",
        modelled: "where antes are placed after a look: stakes on the boodle it holds below which it \
                   holds most cards of the suit, against evenly on all that it holds",
        claim: Claim::Gains,
        change: Change::AnteAfterLook([
            Stakes::Picked(held_with_most_below),
            Stakes::Picked(stakes::held),
        ]),
    },
    Tip {
        name: "change a poor hand",
        says: "The right to take the dead hand is worth using.",
        modelled: "takes it with no boodle in hand, against never",
        claim: Claim::Gains,
        change: Change::DeadHand([take_without_boodle, stakes::keep]),
    },
    Tip {
        name: "change only a poor hand",
        says: "But not with every hand.",
        modelled: "takes the dead hand with no boodle in hand, against always",
        claim: Claim::Gains,
        change: Change::DeadHand([take_without_boodle, stakes::take]),
    },
];

/// Other advice of books, and why it is not tested.
pub const NOT_TESTED: [(&str, &str); 4] = [
    (
        "Five or six players (or three to five, or six to eight) are best.",
        "it says what is fun, not how to play, and the descriptions contradict each other; how \
         gains change with the number of players can be read from every row",
    ),
    ("Lead the lowest card.", "a rule, not a choice: a lead is always the lowest card of its suit"),
    (
        "Sort the hand by suit and rank, so that no card is missed.",
        "programs do not overlook cards",
    ),
    ("The game is mostly luck.", "not advice; the ladder says how far skill goes"),
];

impl Tip {
    /// The tip of this name.
    pub fn named(name: &str) -> Option<Self> {
        TIPS.into_iter().find(|tip| tip.name == name)
    }

    /// Whether a game has the choice that the tip is about.
    pub fn applies(&self, game: &Game) -> bool {
        let rules = game.rules();
        let splits = matches!(rules.layout_ante, LayoutAnte::Free { .. }) && game.cells() > 1;
        match self.change {
            Change::Lead(_) | Change::Unlead(_) | Change::Memory(_) => true,
            Change::Ante(_) => splits && rules.timing == Timing::BeforeDeal,
            Change::AnteAfterLook(_) => splits,
            Change::LeadWhereBought(_) | Change::DeadHand(_) => rules.exchange != Exchange::None,
        }
    }
}

/// Takes the dead hand with no boodle in hand, or else keeps.
pub(super) fn take_without_boodle(view: &View) -> Action {
    if stakes::held(view) == 0 { stakes::take(view) } else { stakes::keep(view) }
}

/// Cards that the viewer holds below this one, of its suit.
fn held_below(view: &View, card: Card) -> usize {
    (view.hand() & CardSet::below(card)).len()
}

fn most_below(view: &View) -> Cells {
    most_below_among(view, |_| true)
}

fn held_with_most_below(view: &View) -> Cells {
    most_below_among(view, |card| view.hand().contains(card))
}

fn most_below_among(view: &View, among: impl Fn(Card) -> bool) -> Cells {
    let cells = (0..view.game().cells()).filter_map(|cell| view.claims().card_of(cell));
    let most = cells.filter(|&card| among(card)).map(|card| held_below(view, card)).max();
    stakes::cells(view, |card| among(card) && Some(held_below(view, card)) == most)
}
