//! The end of a deal (rules, section 7).

use super::{NOBODY, Outcome, Phase, State};
use crate::game::Game;

impl State {
    /// The winner has played their last card.
    pub(crate) fn settle(&mut self, game: &Game, winner: usize) {
        let rules = game.rules();
        if rules.kitty_to_winner {
            self.stacks[winner] += self.kitty;
            self.kitty = 0;
        }
        if rules.per_card > 0 {
            let mut won = 0;
            for seat in 0..game.players() {
                let owed = rules.per_card * self.hands[seat].len() as i32;
                let paid = if self.credit { owed } else { owed.min(self.stacks[seat]) };
                self.stacks[seat] -= paid;
                won += paid;
            }
            self.stacks[winner] += won;
        }
        self.end(game, Outcome::Out(winner));
    }

    pub(super) fn end(&mut self, game: &Game, outcome: Outcome) {
        self.spill(game);
        self.outcome = outcome;
        self.phase = Phase::Over;
        self.actor = NOBODY;
        self.may_lead = 0;
    }
}
