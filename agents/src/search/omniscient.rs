//! A player that sees all cards.
//!
//! Its gain over a fair player shows roughly the worth of knowing the cards. It is not a proven bound:
//! the leads of the others are modelled by fixed probabilities, see [`Expectimax`].

use newmarket_env::{Action, OpenPlay, Phase, Rng};

use super::Expectimax;
use super::plans::{Ante, after, plans};
use crate::player::OpenView;
use crate::usual;

/// Positions that are solved for a decision; nearly always all of them.
const MAX_POSITIONS: usize = 400_000;

/// A player that is shown all cards. Before the cards are dealt it plays by heuristics.
#[derive(Default)]
pub struct Omniscient {
    ante: Ante,
}

impl Omniscient {
    /// Its name.
    pub const NAME: &'static str = "omniscient";

    /// Tries every plan on the cards as they lie.
    fn before_play(&mut self, table: &OpenView, rng: &mut Rng) -> Action {
        let (game, seat, view) = (table.game(), table.seat(), table.view());
        let plans = plans(&view);
        let mut best = (0, f64::NEG_INFINITY);
        for (nth, plan) in plans.iter().enumerate() {
            let state = after(game, *table.state(), plan);
            let mut stack = f64::from(state.stacks()[seat]);
            if !state.is_over() {
                let (open, position) = OpenPlay::new(game, &state);
                let mut search = Expectimax::new(seat, MAX_POSITIONS / plans.len());
                stack += search.gain(&open, &position, rng);
            }
            if stack > best.1 {
                best = (nth, stack);
            }
        }
        self.ante.plan(&view, plans, best.0)
    }

    /// One of the legal actions of the seat that is to act.
    pub fn act(&mut self, table: &OpenView, rng: &mut Rng) -> Action {
        let view = table.view();
        if let Some(chip) = self.ante.planned(&view) {
            return chip;
        }
        match view.phase() {
            Phase::Lead => {
                let (open, position) = OpenPlay::new(table.game(), table.state());
                let mut search = Expectimax::new(table.seat(), MAX_POSITIONS);
                Action::lead(search.best(&open, &position, rng).0)
            }
            Phase::SetApart => view.pick_of_best_five(),
            _ if !view.is_dealt() => usual::before_play(&view),
            _ => self.before_play(table, rng),
        }
    }
}
