//! A player that is a policy network.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Deref;

use newmarket_env::{Action, ActionMask, Game, Observation, Phase, Rng, View, seed};
use newmarket_net::{QuantisedNet, QuantisedScratch, argmax, masked_softmax, sample};

use super::level::{Level, Levels};
use crate::player::{Agent, BatchPolicy};

/// How a network chooses among the legal actions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ActionSelection {
    /// The likeliest action, the first among equals.
    Greedy,
    /// An action drawn from its probabilities.
    Sampled,
    /// An action drawn from the softmax of the logits divided by this temperature; above 1 the network
    /// errs more.
    Tempered(f32),
    /// As [`ActionSelection::Tempered`], with a temperature for each game: in every game the network
    /// loses as many antes a deal.
    Level(Level),
}

/// A player by a policy network, one forward pass a decision. For poker it sets the best five cards
/// apart: no other five win the pot more often, and they cost nothing later.
#[derive(Clone)]
pub struct NetAgent {
    name: String,
    net: Arc<QuantisedNet>,
    choice: ActionSelection,
    /// The temperatures of a level, by game; all copies share them.
    levels: Levels,
    scratch: QuantisedScratch,
}

impl NetAgent {
    /// A player with this network; the name is what it was loaded by.
    pub fn new(name: &str, net: Arc<QuantisedNet>, choice: ActionSelection) -> Self {
        let scratch = net.scratch();
        Self { name: name.into(), net, choice, levels: Levels::default(), scratch }
    }

    /// The temperature at which the player draws its actions in this game; `None` if it takes the
    /// likeliest. The temperature of a level is found on first use by playing some thousand deals, which
    /// takes tenths of a second.
    pub fn temperature_in(&self, game: &Game) -> Option<f32> {
        match self.choice {
            ActionSelection::Greedy => None,
            ActionSelection::Sampled => Some(1.0),
            ActionSelection::Tempered(by) => Some(by),
            ActionSelection::Level(level) => Some(self.levels.temperature(&self.net, game, level)),
        }
    }

    /// The network's logits. `[actions]`
    pub(super) fn logits(&mut self, observation: &Observation) -> &[f32] {
        self.net.logits(observation, &mut self.scratch)
    }

    /// The choice among these actions, by their logits alone.
    fn choose(&mut self, view: &View, among: ActionMask, rng: &mut Rng) -> Action {
        let legal = among.bits();
        let temperature = self.temperature_in(view.game());
        let logits = self.logits(&Observation::of(view));
        let index = match temperature {
            None => argmax(logits, legal),
            Some(by) => sample(&tempered(logits, by), legal, seed::unit(rng)).0,
        };
        Action::from_index(index)
    }
}

impl Agent for NetAgent {
    fn name(&self) -> &str {
        &self.name
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        if view.phase() == Phase::SetApart {
            return view.pick_of_best_five();
        }
        self.choose(view, view.legal(), rng)
    }

    fn act_among(&mut self, view: &View, among: ActionMask, rng: &mut Rng) -> Option<Action> {
        Some(self.choose(view, among, rng))
    }

    fn chooses_among(&self) -> bool {
        true
    }
    fn probabilities(&mut self, view: &View) -> Option<Vec<f64>> {
        if view.phase() == Phase::SetApart {
            return None;
        }
        let by = self.temperature_in(view.game())?;
        let logits = self.logits(&Observation::of(view));
        let mut chances = [0.0; Action::COUNT];
        masked_softmax(&tempered(logits, by), view.legal().bits(), &mut chances);
        Some(view.legal().iter().map(|action| f64::from(chances[action.index()])).collect())
    }

    fn batch(&self) -> Option<Box<dyn BatchPolicy>> {
        let policy = || Box::new(NetBatch::new(self.net.clone())) as Box<dyn BatchPolicy>;
        (self.choice == ActionSelection::Greedy).then(policy)
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

/// A network that answers for many decisions at once; it is shared or borrowed.
pub struct NetBatch<N> {
    net: N,
    scratch: QuantisedScratch,
}

impl<N: Deref<Target = QuantisedNet>> NetBatch<N> {
    /// A batch policy with working memory for this network.
    pub fn new(net: N) -> Self {
        let scratch = net.scratch();
        Self { net, scratch }
    }
}

impl<N: Deref<Target = QuantisedNet> + Send + Sync> BatchPolicy for NetBatch<N> {
    fn logits(&mut self, observations: &[Observation], answer: &mut dyn FnMut(usize, &[f32])) {
        self.net.logits_each(observations, &mut self.scratch, answer);
    }
}

/// The logits divided by a temperature.
fn tempered(logits: &[f32], by: f32) -> [f32; Action::COUNT] {
    core::array::from_fn(|action| logits[action] / by)
}
