//! What the facts of a strategy are counted from: the view, and the cards that the player knows to be gone.

use alloc::vec::Vec;
use core::cell::OnceCell;

use newmarket_env::{CardSet, Suit, View};

/// What a player keeps in mind about cards that nobody can play any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory {
    /// The cards that were played.
    pub played: bool,
    /// The cards at which the play has stopped: they are dead.
    pub stops: bool,
    /// The cards that the player gave away for the dead hand.
    pub discard: bool,
}

impl Memory {
    /// Everything that can be known.
    pub const ALL: Self = Self { played: true, stops: true, discard: true };

    /// The cards that are known to be gone. Cards that are not in the pack are among them.
    fn gone(self, view: &View) -> CardSet {
        if self == Self::ALL {
            return view.gone();
        }
        let mut gone = !view.game().pack();
        if self.played {
            gone |= view.played();
        }
        if self.discard {
            gone |= view.own().discard;
        }
        if self.stops {
            gone |= view.record().dead | (view.known_dead() - view.own().discard);
        }
        gone
    }
}

/// A decision that is due, as a player sees and remembers it.
pub struct Notes<'v> {
    pub(super) view: &'v View<'v>,
    /// The cards that nobody can play any more, as far as the player remembers.
    pub(super) gone: CardSet,
    boodles: OnceCell<Vec<(CardSet, i32)>>,
}

impl<'v> Notes<'v> {
    /// The notes of a player with this memory.
    pub fn new(view: &'v View<'v>, memory: Memory) -> Self {
        Self { view, gone: memory.gone(view), boodles: OnceCell::new() }
    }

    /// The chips on the layout: cards that claim a cell together, less own ones that are played, and the
    /// chips of the cell.
    fn boodles(&self) -> &[(CardSet, i32)] {
        self.boodles.get_or_init(|| {
            let (view, layout) = (self.view, self.view.layout());
            let played = view.played_by(view.seat());
            (0..view.game().cells())
                .filter(|&cell| layout[cell] > 0)
                .flat_map(|cell| {
                    let sets = view.claims().of_cell(cell).iter();
                    sets.map(move |&set| (set - played, layout[cell]))
                })
                .filter(|(set, _)| !set.is_empty())
                .collect()
        })
    }

    /// The places of the suit's cards that others may hold, bit 0 for the lowest rank.
    pub(super) fn others(&self, suit: Suit) -> u32 {
        u32::from((CardSet::suit(suit) - self.gone - self.view.hand()).lane(suit))
    }

    /// Chips of the cells in which these cards of the suit take part, as far as `can_claim` says.
    pub(super) fn chips(
        &self,
        suit: Suit,
        places: u32,
        can_claim: impl Fn(CardSet) -> bool,
    ) -> i32 {
        let cards = CardSet::lane_of(suit, places as u16);
        let paid = |set: CardSet| !(set & cards).is_empty() && can_claim(set);
        self.boodles().iter().filter(|(set, _)| paid(*set)).map(|(_, chips)| chips).sum()
    }

    /// Chips for own cards at these places.
    pub(super) fn own_chips(&self, suit: Suit, places: u32) -> i32 {
        let hand = self.view.hand();
        let own = places & u32::from(hand.lane(suit));
        self.chips(suit, own, |set| hand.is_superset(set))
    }
}
