//! Random play.

mod hands;
mod leads;
mod splits;

pub(crate) use hands::Dealing;
pub(crate) use splits::Splits;

use crate::action::{Action, Legal};
use crate::game::Game;
use crate::rules::ChangeSuit;
use crate::seed::{self, Rng};
use crate::standing::{Seats, Standing};
use crate::state::{Phase, State};

/// One of the legal actions, each as likely as the others.
///
/// # Panics
/// If there is none.
#[inline]
pub fn choice(legal: Legal, rng: &mut Rng) -> Action {
    let pick = seed::below(rng, legal.len() as u32) as usize;
    legal.nth(pick).expect("a decision has a choice")
}

/// h
pub fn hands(game: &Game, dealer: usize, rng: &mut Rng) -> crate::game::Hands {
    game.dealings[dealer].hands(rng)
}

/// A whole deal at random.
pub fn deal(game: &Game, standing: &Standing, rng: &mut Rng) -> State {
    let mut state = State::blank(standing);
    state.begin(game);
    state.play_out_at_random(game, rng);
    state
}

impl State {
    /// Plays the rest of the deal at random.
    pub fn play_out_at_random(&mut self, game: &Game, rng: &mut Rng) {
        let quick = matches!(game.rules().change_suit, ChangeSuit::Free | ChangeSuit::ElseSame)
            && game.sets().next().is_none();
        loop {
            match self.phase {
                Phase::Over => return,
                Phase::Deal => {
                    let hands = if self.seats_in == Seats::first(game.players()) {
                        game.dealings[self.dealer()].hands(rng)
                    } else {
                        game.shuffle_and_deal(rng, self.dealer(), self.seats_in())
                    };
                    self.deal(game, &hands);
                }
                Phase::Ante
                    if let Some(splits) = &game.splits[usize::from(self.actor == self.dealer)]
                        && self.chips_left == splits.chips
                        && self.cursor == 0 =>
                {
                    let split = splits.draw(rng);
                    self.place_chips(game, &split.chips, split.last);
                }
                Phase::Lead if quick => leads::play_out(self, game, rng),
                _ => self.apply_unchecked(game, choice(self.legal(game), rng)),
            }
        }
    }
}
