//! A network that looks ahead: every lead is tried in sampled determinizations.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use newmarket_env::{Action, Phase, Rng, Seed, View};
use newmarket_net::QuantisedNet;
use rand_core::Rng as _;

use super::elimination::SequentialElimination;
use super::{Choice, NetAgent, NetBatch, PolicyTrials};
use crate::player::Agent;
#[cfg(feature = "std")]
use crate::search::chunks::collect;

/// A player that tries each of its leads in the same sampled determinizations, which take account of
/// what was said before the play and of leads ([`PolicyTrials::hear_leads`]). In each of them everybody
/// plays on to the end of the deal as the network would, seeing only what they could see there. A lead
/// that falls clearly behind is tried no more, so most decisions need few of the worlds. All other
/// decisions are the network's own. A thread that is not busy with another table shares worlds with all
/// that there are; the outcome is the same on any number of threads.
///
/// Stopping where the lead comes back to the player, with the value head's estimate for the rest,
/// is faster and gained nothing: the head does not distinguish well enough between leads.
pub struct NetSearch {
    name: String,
    worlds: u32,
    net: Arc<QuantisedNet>,
    player: NetAgent,
}

/// Worlds of one chunk of a round, a millisecond or two of work for a thread: enough for a world to be drawn
/// from many, and for playouts in step.
const WORLDS_PER_CHUNK: u32 = 32;
/// Worlds of the first rounds. After each round the leads that are behind drop out.
const WORLDS_PER_ROUND: u32 = 64;

impl NetSearch {
    /// A player with this network that tries a lead in at most `worlds` worlds.
    pub fn new(name: &str, net: Arc<QuantisedNet>, worlds: u32) -> Self {
        let player = NetAgent::new(name, net.clone(), Choice::Greedy);
        Self { name: name.into(), worlds: worlds.max(1), net, player }
    }

    fn lead(&self, view: &View, rng: &mut Rng) -> Action {
        let choices: Vec<Vec<Action>> = view.legal().iter().map(|lead| vec![lead]).collect();
        let mut contest = SequentialElimination::new(self.trials().priors(view, &choices));
        let mut tried = 0;
        while tried < self.worlds && contest.runners().len() > 1 {
            // Later rounds are longer: there is less to look for, and more threads have work.
            let now = (tried / 2).max(WORLDS_PER_ROUND).min(self.worlds - tried);
            tried += now;
            let runners: Vec<_> = contest.runners().iter().map(|&i| choices[i].clone()).collect();
            self.round(view, &runners, now, rng, &mut |gains| contest.add(gains));
            contest.drop_out();
        }
        choices[contest.best()][0]
    }

    /// Tries these plans in so many worlds: chunks of them, each by random numbers of its own, so that the gains and
    /// their order are the same on any number of threads.
    #[cfg(feature = "std")]
    fn round(
        &self,
        view: &View,
        plans: &[Vec<Action>],
        worlds: u32,
        rng: &mut Rng,
        each: &mut dyn FnMut(&[i32]),
    ) {
        let chunks: Vec<(u32, Seed)> =
            chunk_sizes(worlds).map(|worlds| (worlds, Seed::new(rng.next_u64()))).collect();
        let round = collect(0..chunks.len() as u64, |nth| {
            let (worlds, seed) = chunks[nth as usize];
            let rng = &mut seed.rng();
            let mut gained = Vec::new();
            let mut each = |gains: &[i32]| gained.extend_from_slice(gains);
            self.trials().gains_by_world(view, plans, worlds, rng, &mut each);
            gained
        });
        round.concat().chunks_exact(plans.len()).for_each(each);
    }

    /// The same on one thread, in less code: modules for pages have to be small.
    #[cfg(not(feature = "std"))]
    fn round(
        &self,
        view: &View,
        plans: &[Vec<Action>],
        worlds: u32,
        rng: &mut Rng,
        each: &mut dyn FnMut(&[i32]),
    ) {
        let mut trials = self.trials();
        for worlds in chunk_sizes(worlds) {
            trials.gains_by_world(view, plans, worlds, &mut Seed::new(rng.next_u64()).rng(), each);
        }
    }

    fn trials(&self) -> PolicyTrials {
        PolicyTrials::new(Box::new(NetBatch::new(self.net.clone()))).hear_leads()
    }
}

/// The sizes of the chunks of so many worlds.
fn chunk_sizes(worlds: u32) -> impl Iterator<Item = u32> {
    (0..worlds).step_by(WORLDS_PER_CHUNK as usize).map(move |at| WORLDS_PER_CHUNK.min(worlds - at))
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
