//! A player that minds one thing and plays on as another one does.

use std::sync::Arc;

use newmarket_agents::Agent;
use newmarket_agents::heuristic::lead::{self, Criterion};
use newmarket_agents::heuristic::stakes::Ante;
use newmarket_env::{Action, Phase, Rng, View};

/// The choice that is minded.
#[derive(Clone)]
pub(super) enum Minds {
    /// Leads a suit of which this is greatest; among several the one that the other player likes most.
    Lead(Criterion),
    /// Splits its ante in this way.
    Ante(Ante),
    /// Decides so on the dead hand.
    DeadHand(Arc<dyn Fn(&View) -> Action + Send + Sync>),
}

/// The player.
pub(super) struct Minding {
    minds: Minds,
    base: Box<dyn Agent>,
}

impl Minding {
    pub(super) fn new(minds: Minds, base: Box<dyn Agent>) -> Self {
        Self { minds, base }
    }

    /// The lead that the other player likes most among those of which the criterion is greatest.
    fn lead(&mut self, criterion: Criterion, view: &View, rng: &mut Rng) -> Action {
        let liked = self.base.act(view, rng);
        let legal: Vec<Action> = view.legal().iter().collect();
        let suits = legal.iter().filter_map(|action| action.suit());
        let all = suits.fold(0, |all, suit| all | 1 << suit.index());
        let best = lead::best(view, &[criterion], all);
        let is_best =
            |action: &Action| action.suit().is_some_and(|suit| best >> suit.index() & 1 == 1);
        if liked.suit().is_none() || is_best(&liked) {
            return liked;
        }
        let chances = self.base.probabilities(view).unwrap_or_default();
        let chance = |at: usize| chances.get(at).copied().unwrap_or(0.0);
        let such = (0..legal.len()).filter(|&at| is_best(&legal[at]));
        // The first of equals.
        such.reduce(|best, next| if chance(next) > chance(best) { next } else { best })
            .map_or(liked, |at| legal[at])
    }
}

impl Agent for Minding {
    fn name(&self) -> &str {
        self.base.name()
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        match (&self.minds, view.phase()) {
            (Minds::Lead(criterion), Phase::Lead) => self.lead(*criterion, view, rng),
            (Minds::Ante(ante), Phase::Ante) => ante.chip(view),
            (Minds::DeadHand(choose), Phase::DeadHand | Phase::Auction) => choose(view),
            _ => self.base.act(view, rng),
        }
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(Self { minds: self.minds.clone(), base: self.base.another() })
    }
}
