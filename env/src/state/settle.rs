//! The end of a deal (`docs/RULES.md`, section 7).

use super::{NOBODY, Outcome, Phase, State};
use crate::game::Game;

impl State {
    /// Pays the winner, who has played the last card of a hand, and ends the deal.
    pub(crate) fn settle(&mut self, game: &Game, winner: usize) {
        let rules = game.rules();
        if rules.kitty_to_winner {
            self.public.stacks[winner] += self.public.kitty;
            self.public.kitty = 0;
        }
        if rules.per_card > 0 {
            let mut won = 0;
            for seat in 0..game.players() {
                let owed = rules.per_card * self.hands[seat].len() as i32;
                let paid =
                    if self.public.credit { owed } else { owed.min(self.public.stacks[seat]) };
                self.public.stacks[seat] -= paid;
                won += paid;
            }
            self.public.stacks[winner] += won;
        }
        self.end(game, Outcome::Out(winner));
    }

    pub(super) fn end(&mut self, game: &Game, outcome: Outcome) {
        self.public.spill(game);
        self.public.outcome = outcome;
        self.public.phase = Phase::Over;
        self.public.actor = NOBODY;
        self.may_lead = 0;
    }
}
