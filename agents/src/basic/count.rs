//! What a player at the table can count.

use alloc::vec::Vec;

use newmarket_env::{CardSet, Suit, View};

/// All that `basic` looks at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notes {
    /// The cards in hand.
    pub hand: CardSet,
    /// The cards that nobody can play any more: played, or noted at a stop. Cards that are not in the
    /// pack are among them.
    pub gone: CardSet,
    /// The chips on the layout: cards that claim a cell together, less own ones that are
    /// played, and what the cell holds.
    pub boodles: Vec<(CardSet, i32)>,
}

impl Notes {
    /// What the viewer can note.
    pub fn of(view: &View) -> Self {
        let (layout, claims) = (view.layout(), view.claims());
        let played = view.played_by(view.seat());
        let boodles = (0..view.game().cells())
            .filter(|&cell| layout[cell] > 0)
            .flat_map(|cell| {
                claims.of_cell(cell).iter().map(move |&set| (set - played, layout[cell]))
            })
            .filter(|(set, _)| !set.is_empty())
            .collect();
        Self { hand: view.hand(), gone: view.gone(), boodles }
    }

    /// Places of the suit's cards that others may hold.
    fn others(&self, suit: Suit) -> u32 {
        u32::from((CardSet::suit(suit) - self.gone - self.hand).lane(suit))
    }

    /// Chips of the cells that these cards of the suit take part in, as far as `can_claim` says.
    fn chips(&self, suit: Suit, places: u32, can_claim: impl Fn(CardSet) -> bool) -> i32 {
        let cards = CardSet::lane_of(suit, places as u16);
        let paid = |set: CardSet| !(set & cards).is_empty() && can_claim(set);
        self.boodles.iter().filter(|(set, _)| paid(*set)).map(|(_, chips)| chips).sum()
    }

    /// Chips for own cards at these places.
    fn own_chips(&self, suit: Suit, places: u32) -> i32 {
        let own = places & u32::from(self.hand.lane(suit));
        self.chips(suit, own, |set| self.hand.is_superset(set))
    }
}

/// What can be counted of a suit. The *row* are own cards that follow each other from the lowest
/// one up, those that are played at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// Cards held.
    Held,
    /// Cards of the row.
    Row,
    /// Cards right above the row that others may hold; 0 where the row is sure to stop.
    Gap,
    /// Chips for own cards.
    Chips,
    /// Chips for own cards of the row.
    RowChips,
    /// Chips for cards that others may hold above the lowest own one.
    OthersChips,
    /// Cards that others may hold below the lowest own one.
    Below,
    /// Cards that others may hold between the lowest own one and the highest.
    Between,
    /// Cards that others may hold above the highest own one.
    Above,
    /// Cards that others may hold between the lowest own one and the first own one that takes chips; 99
    /// without such a card.
    BelowChips,
    /// Own cards above the row.
    Later,
    /// Own cards after which nobody can go on.
    Stops,
    /// The place of the lowest card: 1 for the lowest of the suit.
    Place,
}

impl Count {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Held,
        Self::Row,
        Self::Gap,
        Self::Chips,
        Self::RowChips,
        Self::OthersChips,
        Self::Below,
        Self::Between,
        Self::Above,
        Self::BelowChips,
        Self::Later,
        Self::Stops,
        Self::Place,
    ];

    /// How a person would put it.
    pub fn text(self) -> &'static str {
        match self {
            Self::Held => "cards of the suit in your hand",
            Self::Row => "cards that you play in a row from your lowest",
            Self::Gap => "cards right above that row that others may hold",
            Self::Chips => "chips that your cards of the suit take",
            Self::RowChips => "chips that the row from your lowest card takes",
            Self::OthersChips => "chips above your lowest card that others may take",
            Self::Below => "cards below your lowest that others may hold",
            Self::Between => "cards between your lowest and your highest that others may hold",
            Self::Above => "cards above your highest that others may hold",
            Self::BelowChips => "cards that others may hold before your first that takes chips",
            Self::Later => "cards that you keep above the row from your lowest",
            Self::Stops => "cards of yours after which nobody can go on",
            Self::Place => "place of your lowest card in the suit, counted from the bottom",
        }
    }

    /// The count for a suit; 0 for one that is not held.
    pub fn of(self, notes: &Notes, suit: Suit) -> i32 {
        if notes.hand.lane(suit) == 0 {
            return 0;
        }
        let ones = |places: u32| places.count_ones() as i32;
        let (hand, others) = (u32::from(notes.hand.lane(suit)), notes.others(suit));
        let (low, top) = (hand.trailing_zeros(), 32 - hand.leading_zeros());
        let next = low + (!(hand >> low)).trailing_zeros();
        // Places below this one.
        let below = |place: u32| (1_u32 << place) - 1;
        match self {
            Self::Held => ones(hand),
            Self::Row => (next - low) as i32,
            Self::Gap => (others >> next).trailing_ones() as i32,
            Self::Chips => notes.own_chips(suit, hand),
            Self::RowChips => notes.own_chips(suit, below(next)),
            Self::OthersChips => notes.chips(suit, others & !below(low), |_| true),
            Self::Below => ones(others & below(low)),
            Self::Between => ones(others & below(top) & !below(low)),
            Self::Above => ones(others & !below(top)),
            Self::BelowChips => {
                let takes = |place: &u32| notes.own_chips(suit, 1 << place) > 0;
                let first = (low..top).find(takes);
                first.map_or(99, |place| ones(others & below(place) & !below(low)))
            }
            Self::Later => ones(hand & !below(next)),
            Self::Stops => ones(hand & !(others >> 1) & !(hand >> 1)),
            Self::Place => low as i32 + 1,
        }
    }
}
