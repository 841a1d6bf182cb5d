//! Plays from a lead to the end of the deal, every lead by one rule, in one loop.
//!
//! The next leader and the seat that goes out are computed without a branch, because the processor could
//! not predict them. The one branch that is left is the end.

use core::hint::select_unpredictable;

use super::{Ending, Next, OpenPlay, Position};
use crate::card::Suit;
use crate::card_set::CardSet;
use crate::rules::{ChangeSuit, MAX_PLAYERS};

/// A lead that is due, with all hands, for a rule of play.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// The seat that leads.
    pub leader: usize,
    /// The cards that the leader holds.
    pub hand: CardSet,
    /// The cards of all hands together.
    pub live: CardSet,
    /// All thirteen cards of each suit that may be led. The leader holds one of each.
    pub lanes: CardSet,
}

impl OpenPlay<'_> {
    /// Plays to the end of the deal. `rule` chooses every lead, which must be one of the suits that
    /// the turn allows.
    #[inline]
    pub fn play_out(&self, from: Position, rule: impl FnMut(&Turn) -> Suit) -> Ending {
        let free = match self.game.rules().change_suit {
            ChangeSuit::Free => true,
            ChangeSuit::ElseSame => false,
            ChangeSuit::ElsePass | ChangeSuit::OtherColour => return self.step_out(from, rule),
        };
        if !self.sets.is_empty() {
            return self.step_out(from, rule);
        }
        // Most tables have few players: looping over all eight seats would waste half the work.
        if self.game.players() <= 4 {
            self.run_out::<4>(from, free, rule)
        } else {
            self.run_out::<MAX_PLAYERS>(from, free, rule)
        }
    }

    /// The turn at a position.
    pub fn turn(&self, position: &Position) -> Turn {
        let leader = position.leader();
        let hand = self.hand(position, leader);
        Turn { leader, hand, live: position.live(), lanes: lanes(position.may_lead) }
    }

    /// Lead by lead, for any rules.
    fn step_out(&self, mut position: Position, mut rule: impl FnMut(&Turn) -> Suit) -> Ending {
        loop {
            match self.lead(&position, rule(&self.turn(&position))) {
                Next::Lead(next) => position = next,
                Next::Over(end) => return end,
            }
        }
    }

    /// For rules in which nobody passes a lead and no set of several cards claims a cell.
    #[expect(clippy::inline_always, reason = "the rule's few operations belong into the loop")]
    #[inline(always)]
    fn run_out<const SEATS: usize>(
        &self,
        mut position: Position,
        free: bool,
        mut rule: impl FnMut(&Turn) -> Suit,
    ) -> Ending {
        let hands: [u64; SEATS] = core::array::from_fn(|seat| self.hands[seat]);
        let mut leader = position.leader();
        let mut held = hands[leader] & position.live;
        let mut allowed = lanes(position.may_lead).bits();
        loop {
            let suit = rule(&Turn {
                leader,
                hand: CardSet::from_bits(held),
                live: CardSet::from_bits(position.live),
                lanes: CardSet::from_bits(allowed),
            });
            let lane = CardSet::suit(suit).bits();
            let first = held & lane & (held & lane).wrapping_neg();
            // Adding the first card carries to the bit above the last card of the run.
            let carried = position.live + first;
            let (left, next) = (position.live & carried, carried & !position.live);
            if hands.iter().any(|hand| hand & left == 0) {
                return self.out(&hands, &position, left);
            }
            position.live = left;
            let last = next >> 1;
            leader = 0;
            let mut hand = hands[0];
            for (seat, &other) in hands.iter().enumerate().skip(1) {
                let stops = other & last != 0;
                leader = select_unpredictable(stops, seat, leader);
                hand = select_unpredictable(stops, other, hand);
            }
            held = hand & left;
            let barred = if free { 0 } else { lane };
            let suits = filled(held);
            let others = suits & !barred;
            allowed = select_unpredictable(others != 0, others, suits);
        }
    }
}

/// The whole lanes that have a card.
const fn filled(cards: u64) -> u64 {
    // Adding all-ones to a lane carries into its empty bit 13 exactly if the lane is not empty.
    let all = CardSet::ALL.bits();
    let full = ((cards & all) + all) & 0x2000_2000_2000_2000;
    full - (full >> 13)
}

/// The lanes of the suits whose bits are set.
fn lanes(suits: u8) -> CardSet {
    let suits = Suit::ALL.into_iter().filter(|suit| suits >> suit.index() & 1 == 1);
    suits.fold(CardSet::EMPTY, |lanes, suit| lanes | CardSet::suit(suit))
}

#[cfg(test)]
mod tests {
    use super::super::NO_CARD;
    use super::*;
    use crate::card::Card;

    #[test]
    fn lanes_are_filled() {
        let cards = CardSet::of(Card::ALL[12]) | CardSet::of(Card::ALL[39]);
        assert_eq!(filled(cards.bits() | NO_CARD), lanes(0b1001).bits());
        assert_eq!(filled(0), 0);
        assert_eq!(filled(CardSet::ALL.bits()), CardSet::ALL.bits());
    }
}
