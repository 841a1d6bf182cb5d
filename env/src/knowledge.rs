//! What everybody at the table can conclude from the play, updated with each event.
//!
//! Each fact follows from one event; `inference` combines them. All facts are certain: a dead card is in
//! the dead hand in every deal that is consistent with the events, and a card that is ruled out for a
//! seat is in that seat's hand in no such deal.

use crate::card::{Card, Suit};
use crate::card_set::CardSet;
use crate::rules::{MAX_CELLS, MAX_PLAYERS};
use crate::seats::Seats;

/// Hard public facts about hidden cards.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize,
)]
pub struct Knowledge {
    /// Cards that a stop or a first lead has proven to be in the dead hand.
    pub dead: CardSet,
    /// Cards that each seat cannot hold, by its own leads and passes. Cards that no seat can hold, because
    /// they are played or dead, may be missing.
    pub ruled_out: [CardSet; MAX_PLAYERS],
    /// Cards that each seat has shown to hold. They stay here when they are played.
    pub held: [CardSet; MAX_PLAYERS],
    /// Cells that had chips when cells were collected, one bit each.
    pub judged: u8,
    /// The seats that took chips from each of these cells.
    pub collected: [Seats; MAX_CELLS],
}

impl Knowledge {
    /// No facts.
    pub(crate) const NONE: Self = Self {
        dead: CardSet::EMPTY,
        ruled_out: [CardSet::EMPTY; MAX_PLAYERS],
        held: [CardSet::EMPTY; MAX_PLAYERS],
        judged: 0,
        collected: [Seats::NONE; MAX_CELLS],
    };

    /// A seat led this card: it was the lowest that the seat held of the suit.
    pub(crate) fn led(&mut self, seat: usize, card: Card) {
        self.ruled_out[seat] |= CardSet::below(card);
    }

    /// A seat led this card as the lowest that it held of the colour.
    pub(crate) fn led_lowest_of_colour(&mut self, seat: usize, card: Card) {
        let lane = (1_u32 << card.rank().index()) as u16 - 1;
        for suit in card.suit().colour() {
            self.ruled_out[seat] |= CardSet::lane_of(suit, lane);
        }
    }

    /// A seat holds cards of this suit alone.
    pub(crate) fn only(&mut self, seat: usize, suit: Suit) {
        self.ruled_out[seat] |= !CardSet::suit(suit);
    }

    /// A seat holds no card of the other colour than this suit's.
    pub(crate) fn none_of_other_colour(&mut self, seat: usize, suit: Suit) {
        for other in suit.other_colour() {
            self.ruled_out[seat] |= CardSet::suit(other);
        }
    }

    /// A seat has shown that it holds these cards.
    pub(crate) fn holds(&mut self, seat: usize, cards: CardSet) {
        self.held[seat] |= cards;
    }

    /// These seats, and no others, took chips from a cell by what they hold.
    pub(crate) fn collected(&mut self, cell: usize, seats: Seats) {
        self.judged |= 1 << cell;
        self.collected[cell] = seats;
    }

    /// These cards are in the dead hand.
    pub(crate) fn dead(&mut self, cards: CardSet) {
        self.dead |= cards;
    }
}
