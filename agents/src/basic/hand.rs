//! What `basic` does about the dead hand: a card of at most five questions for each game.
//!
//! `newmarket study dead-hand --rules GAME --player basic --deals 40000 --seed 5` found the cards, and says what
//! each gains on other deals.

use alloc::vec::Vec;

use newmarket_env::{Action, CardSet, Exchange, Phase, Rules, View};

use super::Bound::{self, AtLeast, AtMost};

/// What a card looks at: the own hand, the pack, and the chips on the layout.
pub struct HandNotes {
    hand: CardSet,
    pack: CardSet,
    /// Of each cell, whether the hand claims it on its own, and its chips.
    cells: Vec<(bool, i32)>,
}

impl HandNotes {
    /// What the viewer can note.
    pub fn of(view: &View) -> Self {
        let (hand, layout) = (view.hand(), view.layout());
        let own =
            |cell: usize| view.claims().of_cell(cell).iter().any(|&set| hand.is_superset(set));
        let cells = (0..view.game().cells()).map(|cell| (own(cell), layout[cell])).collect();
        Self { hand, pack: view.game().pack(), cells }
    }

    /// How many cards of the hand have the next one of their suit in this set.
    fn followed_in(&self, cards: CardSet) -> i32 {
        let followed = |next| cards.contains(next);
        self.hand.iter().filter(|card| card.above().is_some_and(followed)).count() as i32
    }

    fn chips(&self, own: bool) -> i32 {
        self.cells.iter().filter(|cell| cell.0 == own).map(|cell| cell.1).sum()
    }
}

/// What is counted of a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HandCount {
    /// Cells that the hand claims on its own.
    Boodles,
    /// Cards that no other of the pack follows: top cards, and those below a card that is not in the pack.
    Stops,
    /// Both; a card that is both counts twice.
    BoodlesAndStops,
    /// Cards of the lowest two ranks.
    LowCards,
    /// Cards of which the next one of the suit is in the hand, too.
    Joined,
    /// Cards.
    Cards,
    /// Chips on the cells that the hand claims on its own.
    OwnChips,
    /// Chips on the other cells.
    OtherChips,
}

impl HandCount {
    /// How many there are.
    pub fn of(self, notes: &HandNotes) -> i32 {
        let HandNotes { hand, pack, cells } = notes;
        match self {
            Self::Boodles => cells.iter().filter(|(own, _)| *own).count() as i32,
            Self::Stops => hand.len() as i32 - notes.followed_in(*pack),
            Self::BoodlesAndStops => Self::Boodles.of(notes) + Self::Stops.of(notes),
            Self::LowCards => hand.iter().filter(|card| card.rank().index() < 2).count() as i32,
            Self::Joined => notes.followed_in(*hand),
            Self::Cards => hand.len() as i32,
            Self::OwnChips => notes.chips(true),
            Self::OtherChips => notes.chips(false),
        }
    }
}

/// What to do about the dead hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    /// Leave it; pass in an auction.
    Leave,
    Take,
    /// Put it up for auction.
    Auction,
    /// Bid up to so many chips.
    UpTo(i32),
}

/// The first question with a yes decides; without one, the last answer does.
struct Card {
    questions: &'static [(HandCount, Bound, Answer)],
    otherwise: Answer,
}

use Answer::{Auction, Leave, Take, UpTo};
use HandCount::{Boodles, BoodlesAndStops, Joined, LowCards, OtherChips, OwnChips, Stops};

const NEWMARKET_BUY: Card =
    Card { questions: &[(BoodlesAndStops, AtMost(0), Take)], otherwise: Leave };

const MICHIGAN_WIDOW: Card = Card {
    questions: &[(BoodlesAndStops, AtLeast(3), Leave), (OwnChips, AtMost(8), Take)],
    otherwise: Leave,
};

const MICHIGAN_ONE_SUIT: Card =
    Card { questions: &[(Boodles, AtLeast(1), Leave), (Stops, AtMost(1), Take)], otherwise: Leave };

const CHICAGO: Card = Card {
    questions: &[
        (OwnChips, AtLeast(9), Leave),
        (Boodles, AtMost(0), Take),
        (Stops, AtMost(0), Take),
    ],
    otherwise: Leave,
};

/// Of the dealer, then of bidders.
const MICHIGAN_AUCTION: [Card; 2] = [
    Card {
        questions: &[(OwnChips, AtLeast(9), Auction), (BoodlesAndStops, AtMost(1), Take)],
        otherwise: Auction,
    },
    Card {
        questions: &[
            (Boodles, AtLeast(1), Leave),
            (Stops, AtMost(0), UpTo(6)),
            (Joined, AtLeast(3), Leave),
            (OtherChips, AtMost(24), Leave),
        ],
        otherwise: UpTo(6),
    },
];

/// Of the dealer, then of bidders.
const THREE_IN_ONE: [Card; 2] = [
    Card {
        questions: &[(OwnChips, AtLeast(5), Auction), (BoodlesAndStops, AtMost(2), Take)],
        otherwise: Auction,
    },
    Card {
        questions: &[
            (Stops, AtLeast(2), Leave),
            (OwnChips, AtLeast(1), Leave),
            (Joined, AtMost(3), UpTo(10)),
            (LowCards, AtMost(1), Leave),
        ],
        otherwise: UpTo(10),
    },
];

/// The card of the game that these rules are, or that they extend, for the decision that is due; nothing if
/// they offer the dead hand in another way. In `four-horses` the card that was found is what heuristics do.
fn card_of(view: &View) -> Option<&'static Card> {
    let rules: &Rules = view.game().rules();
    let bids = usize::from(view.phase() == Phase::Auction);
    Some(match (rules.base, rules.exchange) {
        ("newmarket-buy", Exchange::Dealer { fee: 4 }) => &NEWMARKET_BUY,
        ("michigan-widow", Exchange::Dealer { fee: 0 }) => &MICHIGAN_WIDOW,
        ("michigan-one-suit", Exchange::Dealer { fee: 4 }) => &MICHIGAN_ONE_SUIT,
        ("chicago", Exchange::Dealer { fee: 0 }) => &CHICAGO,
        ("michigan-auction", Exchange::DealerOrAuction { .. }) => &MICHIGAN_AUCTION[bids],
        ("three-in-one", Exchange::DealerOrAuction { .. }) => &THREE_IN_ONE[bids],
        _ => return None,
    })
}

/// What the card says; nothing if there is none, or if what it says cannot be paid.
pub(super) fn dead_hand(view: &View) -> Option<Action> {
    let (card, notes) = (card_of(view)?, HandNotes::of(view));
    let decides = card.questions.iter().find(|(count, bound, _)| bound.holds(count.of(&notes)));
    let action = match decides.map_or(card.otherwise, |(.., answer)| *answer) {
        Leave if view.phase() == Phase::Auction => Action::PASS,
        Leave => Action::KEEP,
        Take => Action::EXCHANGE,
        Auction => Action::AUCTION,
        UpTo(most) if view.bid() < most => Action::BID,
        UpTo(_) => Action::PASS,
    };
    Some(action).filter(|&action| view.legal().contains(action))
}
