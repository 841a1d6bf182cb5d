//! A player that is a policy network.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
#[cfg(feature = "std")]
use alloc::vec::Vec;
use core::ops::Deref;

use newmarket_env::{Action, ActionMask, Game, Observation, Phase, Rng, View};
use newmarket_net::{QuantisedNet, QuantisedScratch};
#[cfg(feature = "std")]
use newmarket_net::{argmax, masked_softmax};

use super::level::{Level, Levels};
use super::plays::{PlayKind, Plays, pick};
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
    /// By kind of decision, the likeliest action or one that is drawn.
    ByKind(Plays),
    /// As [`ActionSelection::Tempered`], with a temperature for each game: in every game the network
    /// loses as many antes a deal.
    Level(Level),
}

impl ActionSelection {
    /// How a player chooses that makes no mistakes on purpose; `None` for all others.
    pub const fn plays(self) -> Option<Plays> {
        match self {
            Self::Greedy => Some(Plays::LIKELIEST),
            Self::ByKind(plays) => Some(plays),
            Self::Sampled | Self::Tempered(_) | Self::Level(_) => None,
        }
    }
}

impl From<Plays> for ActionSelection {
    fn from(plays: Plays) -> Self {
        if plays.draw() { Self::ByKind(plays) } else { Self::Greedy }
    }
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

    /// The temperature at which the player draws decisions of this kind in this game; `None` if it takes
    /// the likeliest action. The temperature of a level is found on first use by playing some thousand
    /// deals, which takes tenths of a second.
    pub fn temperature_in(&self, game: &Game, kind: PlayKind) -> Option<f32> {
        match self.choice {
            ActionSelection::Greedy => None,
            ActionSelection::Sampled => Some(1.0),
            ActionSelection::Tempered(by) => Some(by),
            ActionSelection::ByKind(plays) => plays.temperature(kind),
            ActionSelection::Level(level) => Some(self.levels.temperature(&self.net, game, level)),
        }
    }

    /// The network's logits. `[actions]`
    pub(super) fn logits(&mut self, observation: &Observation) -> &[f32] {
        self.net.logits(observation, &mut self.scratch)
    }

    /// The choice among these actions, by their logits alone.
    fn choose(&mut self, view: &View, among: ActionMask, rng: &mut Rng) -> Action {
        let temperature = self.temperature_in(view.game(), PlayKind::due(view));
        let logits = self.logits(&Observation::of(view));
        Action::from_index(pick(logits, among.bits(), temperature, rng))
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
    #[cfg(feature = "std")]
    fn probabilities(&mut self, view: &View) -> Option<Vec<f64>> {
        if view.phase() == Phase::SetApart {
            return None;
        }
        let temperature = self.temperature_in(view.game(), PlayKind::due(view));
        if temperature.is_none() && self.choice == ActionSelection::Greedy {
            return None;
        }
        let logits = self.logits(&Observation::of(view));
        let chances = chances(logits, view.legal(), temperature);
        Some(view.legal().iter().map(|action| f64::from(chances[action.index()])).collect())
    }

    fn batch(&self) -> Option<Box<dyn BatchPolicy>> {
        let plays = self.choice.plays()?;
        Some(Box::new(NetBatch::new(self.net.clone()).playing(plays)))
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

/// A network that answers for many decisions at once; it is shared or borrowed.
pub struct NetBatch<N> {
    net: N,
    plays: Plays,
    scratch: QuantisedScratch,
}

impl<N: Deref<Target = QuantisedNet>> NetBatch<N> {
    /// A batch policy with working memory for this network. Its player takes the likeliest action.
    pub fn new(net: N) -> Self {
        let scratch = net.scratch();
        Self { net, plays: Plays::LIKELIEST, scratch }
    }

    /// The same for a player that chooses like this.
    #[must_use]
    pub fn playing(self, plays: Plays) -> Self {
        Self { plays, ..self }
    }
}

impl<N: Deref<Target = QuantisedNet> + Send + Sync> BatchPolicy for NetBatch<N> {
    fn logits(&mut self, observations: &[Observation], answer: &mut dyn FnMut(usize, &[f32])) {
        self.net.logits_each(observations, &mut self.scratch, answer);
    }

    fn plays(&self) -> Plays {
        self.plays
    }
}

/// The probabilities of legal actions, 0 elsewhere. Without a temperature the likeliest action is certain.
#[cfg(feature = "std")]
pub(crate) fn chances(
    logits: &[f32],
    legal: ActionMask,
    temperature: Option<f32>,
) -> [f32; Action::COUNT] {
    let mut chances = [0.0; Action::COUNT];
    match temperature {
        None => chances[argmax(logits, legal.bits())] = 1.0,
        Some(by) => masked_softmax(&tempered(logits, by), legal.bits(), &mut chances),
    }
    chances
}

/// The logits divided by a temperature.
pub(super) fn tempered(logits: &[f32], by: f32) -> [f32; Action::COUNT] {
    core::array::from_fn(|action| logits[action] / by)
}
