//! A network whose leads are corrected by playouts of a rule.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;

use newmarket_env::rules::FirstLead;
use newmarket_env::{Action, ActionMask, Game, Observation, Phase, Rng, Seed, View};
use newmarket_net::{QuantisedNet, QuantisedScratch};

use super::{ActionSelection, NetAgent};
use crate::player::Agent;
use crate::search::{DeterminizedEvaluator, Playout};

/// A player that adds to the logit of each lead what the lead gains in sampled determinizations, each as
/// likely as any other, in which a rule plays the deal out with all cards face up. A forward pass judges
/// what a lead tells and hides; whether a run comes back has to be calculated. The network alone takes all
/// other decisions.
///
/// The random numbers of a lead follow from the observation alone: the player is a deterministic policy.
pub struct CorrectedNet {
    name: String,
    net: Arc<QuantisedNet>,
    scratch: QuantisedScratch,
    alone: NetAgent,
    evaluator: DeterminizedEvaluator,
    worlds: u32,
}

impl CorrectedNet {
    /// A player with this network that tries each lead in `worlds` worlds, at least one.
    pub fn new(name: &str, net: Arc<QuantisedNet>, worlds: u32) -> Self {
        Self {
            name: name.into(),
            scratch: net.scratch(),
            alone: NetAgent::new(name, net.clone(), ActionSelection::Greedy),
            net,
            evaluator: DeterminizedEvaluator::new(worlds, Playout::Stopper),
            worlds,
        }
    }

    /// The lead among these with the greatest sum, the first among equals.
    fn lead(&mut self, view: &View, among: ActionMask) -> Action {
        let observation = Observation::of(view);
        let gains = self.evaluator.gains(view, &mut seed_of(&observation).rng());
        let logits = self.net.logits(&observation, &mut self.scratch);
        let weight = correction_weight(view.game());
        let sums = view.legal().iter().zip(gains);
        let sums = sums.map(|(lead, gain)| (lead, logits[lead.index()] + weight * gain));
        let among = sums.filter(|(lead, _)| among.contains(*lead));
        among.reduce(|best, it| if it.1 > best.1 { it } else { best }).expect("a choice").0
    }
}

/// The seed of the random numbers at this observation.
fn seed_of(observation: &Observation) -> Seed {
    observation.as_bytes().iter().fold(Seed::new(0), |seed, &byte| seed.child(byte.into()))
}

/// Logits that a chip of the playouts is worth in a game. A network tells leads apart less well where cards left
/// cost nothing, so that little is paid, and in games with poker. Fitted to houses of training
/// (`train/NOTEBOOK.md`, 97).
pub fn correction_weight(game: &Game) -> f32 {
    let rules = game.rules();
    let weakly = rules.per_card == 0 || rules.first_lead == FirstLead::PokerWinner;
    if weakly { 4.0 } else { 1.5 }
}

impl Agent for CorrectedNet {
    fn name(&self) -> &str {
        &self.name
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        match view.phase() {
            Phase::Lead => self.lead(view, view.legal()),
            _ => self.alone.act(view, rng),
        }
    }

    fn act_among(&mut self, view: &View, among: ActionMask, rng: &mut Rng) -> Option<Action> {
        match view.phase() {
            Phase::Lead => Some(self.lead(view, among)),
            _ => self.alone.act_among(view, among, rng),
        }
    }

    fn chooses_among(&self) -> bool {
        true
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(Self::new(&self.name, self.net.clone(), self.worlds))
    }
}
