//! The stages between the dead hand and the play.
//!
//! A stage that asks nobody is over at once. One that takes decisions sets its phase and calls
//! [`State::after_stage`] when it is over.

use super::State;
use crate::game::Game;
use crate::rules::Stage;

impl State {
    pub(super) fn after_dead_hand(&mut self, game: &Game) {
        self.run_stages(game, &game.rules().stages);
    }

    pub(super) fn after_stage(&mut self, game: &Game, over: Stage) {
        let stages = &game.rules().stages;
        let next = stages.iter().position(|&stage| stage == over).map_or(0, |nth| nth + 1);
        self.run_stages(game, &stages[next..]);
    }

    fn run_stages(&mut self, game: &Game, stages: &[Stage]) {
        for stage in stages {
            match stage {
                Stage::Collect => self.collect(game),
                Stage::Poker => return self.begin_poker(),
            }
        }
        self.begin_play(game);
    }
}
