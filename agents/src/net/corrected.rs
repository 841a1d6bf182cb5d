//! A network whose leads are corrected by playouts of a rule.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use newmarket_env::rules::FirstLead;
use newmarket_env::{Action, ActionMask, Game, Observation, Phase, Rng, Seed, View};
use newmarket_net::QuantisedNet;

use super::{NetAgent, Plays};
use crate::player::Agent;
use crate::search::{Playout, gains_by_world};

/// A player that adds to the logit of each lead what the lead gains in sampled determinizations, each as
/// likely as any other, in which a rule plays the deal out with all cards face up. A forward pass judges
/// what a lead tells and hides; whether a run comes back has to be calculated. The network alone takes all
/// other decisions.
///
/// The random numbers of a lead follow from the observation alone: the player is a deterministic policy.
pub struct CorrectedNet {
    net: NetAgent,
    worlds: u32,
}

impl CorrectedNet {
    /// A player with this network that tries each lead in `worlds` worlds, at least one, and takes all other
    /// decisions as `plays` says.
    pub fn new(name: &str, net: Arc<QuantisedNet>, worlds: u32, plays: Plays) -> Self {
        let net = NetAgent::new(name, net, plays.into());
        Self { net, worlds: worlds.max(1) }
    }

    /// The lead among these with the greatest sum, the first among equals.
    fn lead(&mut self, view: &View, among: ActionMask) -> Action {
        let observation = Observation::of(view);
        let leads: Vec<Vec<Action>> = view.legal().iter().map(|lead| vec![lead]).collect();
        let mut gains = vec![0_i64; leads.len()];
        let rng = &mut seed_of(&observation).rng();
        gains_by_world(view, &leads, self.worlds, Playout::Stopper, rng, &mut |world| {
            gains.iter_mut().zip(world).for_each(|(sum, &gain)| *sum += i64::from(gain));
        });
        let logits = self.net.logits(&observation);
        let weight = correction_weight(view.game()) / self.worlds as f32;
        let sums = view.legal().iter().zip(gains);
        let sums = sums.map(|(lead, gain)| (lead, logits[lead.index()] + weight * gain as f32));
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
        self.net.name()
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        match view.phase() {
            Phase::Lead => self.lead(view, view.legal()),
            _ => self.net.act(view, rng),
        }
    }

    fn act_among(&mut self, view: &View, among: ActionMask, rng: &mut Rng) -> Option<Action> {
        match view.phase() {
            Phase::Lead => Some(self.lead(view, among)),
            _ => self.net.act_among(view, among, rng),
        }
    }

    fn chooses_among(&self) -> bool {
        true
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(Self { net: self.net.clone(), worlds: self.worlds })
    }
}
