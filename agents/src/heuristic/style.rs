//! A heuristic put together part by part, so that one part can be changed and all else kept.

use alloc::boxed::Box;
use alloc::vec::Vec;

use newmarket_env::{Action, Phase, Rng, Suit, View, seed};

use super::lead::{self, Criterion};
use super::stakes::{self, Ante};
use super::{poker, suits};
use crate::player::Agent;

/// Which suit is led among equals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TieBreak {
    /// The first of them, from clubs.
    First,
    /// A random one of them. Every lead draws one number, whether there is a tie or not.
    Random,
}

/// A player made of parts. It plays poker as all heuristics do.
#[derive(Clone, Debug)]
pub struct Style {
    /// The criteria of a lead, in order of weight.
    pub lead: Vec<Criterion>,
    /// Which suit is led among equals.
    pub ties: TieBreak,
    /// How a free ante is split.
    pub ante: Ante,
    /// What is done about the dead hand, see [`stakes`].
    pub dead_hand: fn(&View) -> Action,
}

impl Style {
    /// Leads by these criteria; antes and the dead hand as heuristics do.
    pub fn leading(lead: impl Into<Vec<Criterion>>, ties: TieBreak) -> Self {
        Self { lead: lead.into(), ties, ante: Ante::USUAL, dead_hand: stakes::dead_hand }
    }

    /// What it does; a [`Style`] need not change to act.
    pub fn choose(&self, view: &View, rng: &mut Rng) -> Action {
        match view.phase() {
            Phase::Lead => self.lead(view, rng),
            Phase::Ante => self.ante.chip(view),
            Phase::SetApart => view.pick_of_best_five(),
            Phase::Bet => poker::bet(view),
            _ => (self.dead_hand)(view),
        }
    }

    fn lead(&self, view: &View, rng: &mut Rng) -> Action {
        let mut best = lead::best(view, &self.lead, suits(view));
        if best == 0 {
            return Action::PASS;
        }
        if self.ties == TieBreak::Random {
            for _ in 0..seed::below(rng, best.count_ones()) {
                best &= best - 1;
            }
        }
        Action::lead(Suit::from_index(best.trailing_zeros() as usize & 3))
    }
}

impl Agent for Style {
    fn name(&self) -> &'static str {
        "style"
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.choose(view, rng)
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}
