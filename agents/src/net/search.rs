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
use super::{ActionSelection, NetAgent, NetBatch, Plays, PolicyTrials};
use crate::player::Agent;
#[cfg(feature = "std")]
use crate::search::chunks::collect;

/// A player that tries each of its leads in the same sampled determinizations, weighted by the
/// likelihood of earlier decisions ([`PolicyTrials::weigh_leads`]). In each of them all seats play on to
/// the end of the deal by the network, which sees what each seat could see there. A lead that falls
/// clearly behind is tried no more, so most decisions need few of the worlds. The network alone takes
/// all other decisions. Outside a thread pool the worlds are shared among all threads; the outcome is
/// the same on any number of threads.
pub struct NetSearch {
    name: String,
    worlds: u32,
    net: Arc<QuantisedNet>,
    /// How it chooses all but leads, and how all seats play on in sampled determinizations.
    plays: Plays,
    player: NetAgent,
}

/// Worlds of one chunk of a round, for one thread: enough to resample worlds from many candidates, and
/// to play deals in step.
const WORLDS_PER_CHUNK: u32 = 32;
/// Worlds of the first rounds. After each round the leads that are behind drop out.
const WORLDS_PER_ROUND: u32 = 64;

impl NetSearch {
    /// A player with this network that tries a lead in at most `worlds` worlds.
    pub fn new(name: &str, net: Arc<QuantisedNet>, worlds: u32) -> Self {
        let player = NetAgent::new(name, net.clone(), ActionSelection::Greedy);
        Self { name: name.into(), worlds: worlds.max(1), net, plays: Plays::LIKELIEST, player }
    }

    /// The same with a network that chooses like this.
    #[must_use]
    pub fn playing(self, plays: Plays) -> Self {
        let player = NetAgent::new(&self.name, self.net.clone(), plays.into());
        Self { plays, player, ..self }
    }

    fn lead(&self, view: &View, rng: &mut Rng) -> Action {
        let choices: Vec<Vec<Action>> = view.legal().iter().map(|lead| vec![lead]).collect();
        let mut race = SequentialElimination::new(self.trials().priors(view, &choices));
        let mut tried = 0;
        while tried < self.worlds && race.runners().len() > 1 {
            // Later rounds are longer: fewer leads drop out, and more threads have work.
            let now = (tried / 2).max(WORLDS_PER_ROUND).min(self.worlds - tried);
            tried += now;
            let runners: Vec<_> = race.runners().iter().map(|&i| choices[i].clone()).collect();
            self.round(view, &runners, now, rng, &mut |gains| race.add(gains));
            race.drop_out();
        }
        choices[race.best()][0]
    }

    /// Tries these plans in `worlds` worlds. Each chunk of worlds has a separate random stream, so that the
    /// gains and their order are the same on any number of threads.
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

    /// The same on one thread, in less code: a module for a web page has to be small.
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
        let policy = NetBatch::new(self.net.clone()).playing(self.plays);
        PolicyTrials::new(Box::new(policy)).weigh_leads()
    }
}

/// The sizes of the chunks of this many worlds.
fn chunk_sizes(worlds: u32) -> impl Iterator<Item = u32> {
    (0..worlds)
        .step_by(WORLDS_PER_CHUNK as usize)
        .map(move |first| WORLDS_PER_CHUNK.min(worlds - first))
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
        Box::new(Self::new(&self.name, self.net.clone(), self.worlds).playing(self.plays))
    }
}
