//! Random play, quickly: for playouts, tests and measurements.
//!
//! Every choice is uniform among what is legal, as if [`choice`] were asked again and again. It is
//! faster because no state in between is needed: a hand is drawn as a set, a free ante as one
//! split with the chances that its chips one by one have, and the leads run in one loop. The same
//! seed gives the same deal, though not the one that [`Game::shuffle`] and [`choice`] give.

mod hands;
mod leads;
mod splits;

use alloc::vec::Vec;

use crate::action::{Action, ActionMask};
use crate::card_set::CardSet;
use crate::deal_start::Seats;
use crate::game::{Game, Hands};
use crate::rules::Rules;
use crate::seed::{self, Rng};
use crate::state::{Phase, State};

use hands::Dealing;
use splits::{Split, Splits};

/// What is drawn from, worked out once a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sampler {
    /// By dealer, when everybody is in.
    dealings: Vec<Dealing>,
    /// Of the antes of other seats and of the dealer.
    splits: [Option<Splits>; 2],
}

impl Sampler {
    /// From the owner of each place of the pack, by dealer.
    pub(crate) fn new(rules: &Rules, pack: CardSet, owners: &[[u8; 52]]) -> Self {
        let dealings = owners.iter().map(|owners| Dealing::new(pack, &owners[..pack.len()]));
        Self {
            dealings: dealings.collect(),
            splits: [false, true].map(|deals| Splits::new(rules, deals)),
        }
    }
}

/// One of the legal actions, each as likely as the others.
///
/// # Panics
/// If no action is legal.
#[inline]
pub fn choice(legal: ActionMask, rng: &mut Rng) -> Action {
    legal.pick(|choices| seed::below(rng, choices)).expect("a decision has a choice")
}

/// Hands at random, every way to deal the pack equally likely.
pub fn hands(game: &Game, dealer: usize, seats_in: Seats, rng: &mut Rng) -> Hands {
    if seats_in == Seats::first(game.players()) {
        game.sampler().dealings[dealer].hands(rng)
    } else {
        game.shuffle_and_deal(rng, dealer, seats_in)
    }
}

impl State {
    /// Plays the deal at random to its end: antes, cards, every decision, settlement.
    pub fn play_out_at_random(&mut self, game: &Game, rng: &mut Rng) {
        loop {
            match self.public.phase {
                Phase::Over => return,
                Phase::Deal => {
                    let hands = hands(game, self.dealer(), self.public.seats_in, rng);
                    self.deal(game, &hands);
                }
                Phase::Ante if let Some(splits) = self.splits(game) => {
                    let Split { chips, last } = splits.draw(rng);
                    self.place_chips(game, chips, *last);
                }
                Phase::Lead if leads::can_play_out(self, game) => leads::play_out(self, game, rng),
                _ => self.apply_unchecked(game, choice(self.legal(game), rng)),
            }
        }
    }

    /// The splits of the actor's whole ante, if they are known and none of it is placed.
    fn splits<'g>(&self, game: &'g Game) -> Option<&'g Splits> {
        let deals = self.public.actor == self.public.dealer;
        let splits = game.sampler().splits[usize::from(deals)].as_ref()?;
        (self.public.chips_left == splits.chips && self.public.cursor == 0).then_some(splits)
    }
}
