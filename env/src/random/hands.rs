//! Hands at random, without the order of the pack.
//!
//! The sizes of the hands follow from the rules and the dealer; the order of the cards does not
//! matter. So a hand is drawn as a set, card by card from what is left of the pack, about ten cards
//! from one draw of the generator, and the last hand is what is then left.

use alloc::vec::Vec;

use crate::card::Card;
use crate::card_set::CardSet;
use crate::game::{DEAD, Hands};
use crate::rules::MAX_PLAYERS;
use crate::seed::{Bounds, Draw, Rng};

/// The share of a draw that is thrown away is at most the product of its bounds over 2⁶⁴.
const MOST: u64 = 1 << 58;

/// Cards that one draw gives to a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Portion {
    hand: u8,
    cards: u8,
    bounds: Bounds,
}

/// How hands are drawn when everybody is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Dealing {
    pack: [Card; 64],
    cards: usize,
    portions: Vec<Portion>,
    /// The owner of the cards that are left.
    last: u8,
}

impl Dealing {
    /// From the owner of each place of the pack.
    pub(crate) fn new(pack: CardSet, owners: &[u8]) -> Self {
        let mut cards = [Card::from_bit(0); 64];
        for (place, card) in cards.iter_mut().zip(pack) {
            *place = card;
        }
        let last = owners.iter().copied().max().unwrap_or(DEAD);
        let mut portions = Vec::new();
        let mut left = owners.len() as u64;
        for hand in 0..last {
            let mut wanted = owners.iter().map(|&owner| usize::from(owner == hand)).sum::<usize>();
            while wanted > 0 {
                let mut bounds = Vec::new();
                let mut product = 1;
                while bounds.len() < wanted && product * left < MOST {
                    product *= left;
                    bounds.push(left);
                    left -= 1;
                }
                wanted -= bounds.len();
                portions.push(Portion {
                    hand,
                    cards: bounds.len() as u8,
                    bounds: Bounds::new(&bounds),
                });
            }
        }
        Self { pack: cards, cards: owners.len(), portions, last }
    }

    /// Draws all hands, every way to deal them equally likely.
    pub(crate) fn hands(&self, rng: &mut Rng) -> Hands {
        let mut pack = self.pack;
        let mut left = self.cards;
        let mut dealt = [CardSet::EMPTY; MAX_PLAYERS + 1];
        for portion in &self.portions {
            let mut draw = Draw::new(rng, &portion.bounds);
            let mut hand = CardSet::EMPTY;
            for _ in 0..portion.cards {
                let at = draw.below(left as u64) as usize;
                left -= 1;
                hand.insert(pack[at & 63]);
                pack[at & 63] = pack[left & 63];
            }
            dealt[portion.hand as usize] |= hand;
        }
        dealt[self.last as usize] = pack[..left].iter().copied().collect();
        let mut hands = Hands { dead: dealt[MAX_PLAYERS], ..Hands::default() };
        hands.seats.copy_from_slice(&dealt[..MAX_PLAYERS]);
        hands
    }
}
