//! Places for cards that the viewer has not seen.

use crate::card::Card;
use crate::card_set::CardSet;
use crate::rules::MAX_PLAYERS;
use crate::seed::{self, Rng};

/// Number of places of a card: the seats, then the dead hand.
pub const PLACES: usize = MAX_PLAYERS + 1;
/// The index of the dead hand among the places.
pub const DEAD: usize = MAX_PLAYERS;

/// A place with room for cards that the viewer has not seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// A seat, or [`DEAD`].
    pub(super) holder: usize,
    pub(super) room: usize,
    pub(super) possible: CardSet,
}

/// Takes a random card out of a list; the last entry of the list is meaningless afterwards.
pub(super) fn take(cards: &mut [Card], rng: &mut Rng) -> CardSet {
    let last = cards.len() - 1;
    let pick = seed::below(rng, cards.len() as u32) as usize;
    let card = cards[pick];
    cards[pick] = cards[last];
    CardSet::of(card)
}
