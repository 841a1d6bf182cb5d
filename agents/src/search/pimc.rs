//! Perfect-information Monte Carlo: every choice, tried in the same sampled determinizations.
//!
//! The player draws complete deals that are consistent with its view, each equally likely. It plays
//! every choice out in each of them with all cards face up, and takes the choice with the best mean. Long, Sturtevant, Buro and Furtak (2010), *Understanding the
//! Success of Perfect Information Monte Carlo Sampling in Game Tree Search*, explain why this is
//! strong where hidden cards come to light quickly, as they do here.

use alloc::boxed::Box;
use alloc::string::String;

use newmarket_env::{Action, Phase, Rng, View};

use super::evaluator::lead_totals;
use super::plans::{Ante, first_best, plans, totals};
use super::{Budget, Playout};
use crate::player::Agent;

/// A player that searches sampled determinizations.
pub struct Pimc {
    name: String,
    budget: Budget,
    playout: Playout,
    ante: Ante,
}

impl Pimc {
    /// A player of this name with this budget of worlds a decision, and this playout.
    pub fn new(name: &str, budget: Budget, playout: Playout) -> Self {
        Self { name: name.into(), budget, playout, ante: Ante::default() }
    }

    fn lead(&mut self, view: &View, rng: &mut Rng) -> Action {
        let totals = lead_totals(view, self.budget, self.playout, rng);
        view.legal().nth(first_best(&totals)).expect("it is one of them")
    }

    fn before_play(&mut self, view: &View, rng: &mut Rng) -> Action {
        let plans = plans(view);
        let totals = totals(view, &plans, self.budget, self.playout, rng);
        self.ante.plan(view, plans, first_best(&totals))
    }
}

impl Agent for Pimc {
    fn name(&self) -> &str {
        &self.name
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        if let Some(chip) = self.ante.planned(view) {
            return chip;
        }
        match view.phase() {
            Phase::Lead => self.lead(view, rng),
            Phase::SetApart => view.pick_of_best_five(),
            _ => self.before_play(view, rng),
        }
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(Self::new(&self.name, self.budget, self.playout))
    }
}
