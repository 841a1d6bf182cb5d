//! A network that looks ahead: every lead is tried in sampled determinizations.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use newmarket_env::{Action, Phase, Rng, View};
use newmarket_net::QuantisedNet;

use super::elimination::SequentialElimination;
use super::{Choice, NetAgent, NetBatch, PolicyTrials};
use crate::player::{Agent, BatchPolicy};

/// A player that tries each of its leads in the same sampled determinizations, which take account of
/// what was said before the play and of leads ([`PolicyTrials::hear_leads`]). In each of them everybody
/// plays on to the end of the deal as the network would, seeing only what they could see there. A lead
/// that falls clearly behind is tried no more, so most decisions need few of the worlds. All other
/// decisions are the network's own.
///
/// Stopping where the lead comes back to the player, with the value head's estimate for the rest,
/// is faster and gained nothing: the head does not distinguish well enough between leads.
pub struct NetSearch {
    name: String,
    worlds: u32,
    net: Arc<QuantisedNet>,
    player: NetAgent,
    trials: PolicyTrials,
}

/// Worlds that are played in one batch, before the leads that are behind drop out.
const WORLDS_PER_ROUND: u32 = 64;

impl NetSearch {
    /// A player with this network that tries a lead in at most `worlds` worlds.
    pub fn new(name: &str, net: Arc<QuantisedNet>, worlds: u32) -> Self {
        let player = NetAgent::new(name, net.clone(), Choice::Greedy);
        let policy: Box<dyn BatchPolicy> = Box::new(NetBatch::new(net.clone()));
        let trials = PolicyTrials::new(policy).hear_leads();
        Self { name: name.into(), worlds: worlds.max(1), net, player, trials }
    }

    fn lead(&mut self, view: &View, rng: &mut Rng) -> Action {
        let choices: Vec<Vec<Action>> = view.legal().iter().map(|lead| vec![lead]).collect();
        let mut contest = SequentialElimination::new(self.trials.priors(view, &choices));
        let mut left = self.worlds;
        while left > 0 && contest.runners().len() > 1 {
            let now = left.min(WORLDS_PER_ROUND);
            left -= now;
            let runners: Vec<_> = contest.runners().iter().map(|&i| choices[i].clone()).collect();
            self.trials.gains_by_world(view, &runners, now, rng, &mut |gains| contest.add(gains));
            contest.drop_out();
        }
        choices[contest.best()][0]
    }
}

impl Agent for NetSearch {
    fn name(&self) -> &str {
        &self.name
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        match view.phase() {
            Phase::Lead => self.lead(view, rng),
            _ => self.player.act(view, rng),
        }
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(Self::new(&self.name, self.net.clone(), self.worlds))
    }
}
