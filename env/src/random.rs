//! Random choices and random hands, for playouts, tests and measurements.

use alloc::vec::Vec;

use crate::action::{Action, ActionMask};
use crate::card::Card;
use crate::card_set::CardSet;
use crate::game::{DEAD, Game, Hands};
use crate::rules::MAX_PLAYERS;
use crate::seats::Seats;
use crate::seed::{self, Bounds, Draw, Rng};

/// One of the legal actions, each as likely as the others.
///
/// # Panics
/// If no action is legal.
#[inline]
pub fn choice(legal: ActionMask, rng: &mut Rng) -> Action {
    legal.pick(|choices| seed::below(rng, choices)).expect("a decision has a choice")
}

/// Hands at random, every way to deal the pack equally likely. To draw many, keep a [`Sampler`].
pub fn hands(game: &Game, dealer: usize, seats_in: Seats, rng: &mut Rng) -> Hands {
    Sampler::new(game, dealer, seats_in).hands(rng)
}

/// Draws hands for a deal, every way to deal the pack equally likely.
///
/// A seed always gives the same hands, but not those of [`Game::shuffle_and_deal`]: a hand is drawn as a
/// set, about ten cards with one number of the generator. If a seat is out of the deal, the pack is
/// shuffled and dealt instead.
#[derive(Clone, Debug)]
pub struct Sampler<'g> {
    game: &'g Game,
    dealer: usize,
    seats_in: Seats,
    /// The pack, if every seat is in.
    pack: [Card; 64],
    /// Which cards one draw gives to a hand; empty if a seat is out.
    portions: Vec<Portion>,
    /// The hand that gets the cards that are left.
    last: u8,
}

/// Cards that one draw gives to a hand.
#[derive(Clone, Copy, Debug)]
struct Portion {
    hand: u8,
    cards: u8,
    bounds: Bounds,
}

/// The largest product of the bounds of a draw: the share of draws that are rejected is at most this
/// over 2⁶⁴.
const MAX_PRODUCT: u64 = 1 << 58;

impl<'g> Sampler<'g> {
    /// For deals of this dealer to these seats.
    pub fn new(game: &'g Game, dealer: usize, seats_in: Seats) -> Self {
        let mut pack = [Card::from_bit(0); 64];
        for (place, card) in pack.iter_mut().zip(game.pack()) {
            *place = card;
        }
        let mut sampler = Self { game, dealer, seats_in, pack, portions: Vec::new(), last: DEAD };
        if seats_in == Seats::first(game.players()) {
            sampler.divide();
        }
        sampler
    }

    /// Divides the hands into portions.
    fn divide(&mut self) {
        let (sizes, dead) = self.game.hand_sizes(self.dealer, self.seats_in);
        let players = self.game.players();
        self.last = if dead > 0 { DEAD } else { players as u8 - 1 };
        let mut left = self.game.pack().len() as u64;
        for hand in 0..self.last {
            let mut wanted = usize::from(sizes[usize::from(hand)]);
            while wanted > 0 {
                let mut bounds = Vec::new();
                let mut product = 1;
                while bounds.len() < wanted && product * left < MAX_PRODUCT {
                    product *= left;
                    bounds.push(left);
                    left -= 1;
                }
                wanted -= bounds.len();
                let (cards, bounds) = (bounds.len() as u8, Bounds::new(&bounds));
                self.portions.push(Portion { hand, cards, bounds });
            }
        }
    }

    /// Draws all hands.
    pub fn hands(&self, rng: &mut Rng) -> Hands {
        if self.portions.is_empty() {
            return self.game.shuffle_and_deal(rng, self.dealer, self.seats_in);
        }
        let mut pack = self.pack;
        let mut left = self.game.pack().len();
        let mut dealt = [CardSet::EMPTY; MAX_PLAYERS + 1];
        for portion in &self.portions {
            let mut draw = Draw::new(rng, &portion.bounds);
            let mut hand = CardSet::EMPTY;
            for _ in 0..portion.cards {
                let place = draw.below(left as u64) as usize;
                left -= 1;
                hand.insert(pack[place & 63]);
                pack[place & 63] = pack[left & 63];
            }
            dealt[usize::from(portion.hand)] |= hand;
        }
        dealt[usize::from(self.last)] = pack[..left].iter().copied().collect();
        let mut hands = Hands { dead: dealt[MAX_PLAYERS], ..Hands::default() };
        hands.seats.copy_from_slice(&dealt[..MAX_PLAYERS]);
        hands
    }
}
