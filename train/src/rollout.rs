//! Self-play: the current policy plays deals, and an estimator makes rows of its decisions.
//!
//! An *episode* is one deal, or one session of several. It has its own seed for cards, seating and random
//! choices. A shard is several episodes, and rows are joined in the order of the episodes, so the worker of
//! a shard does not matter. The network answers one decision at a time: observations are sparse, which
//! sparse inference exploits better than a batch.

mod mix;
mod worker;

pub use mix::Mix;

use crate::estimator::{TargetEstimator, Targets};
use crate::policies::Policies;
use crate::workers::Workers;
use newmarket_env::seed::Seed;
use worker::Worker;

/// Episodes of a shard.
const EPISODES: usize = 16;

/// The result of a rollout.
#[derive(Clone, Debug, Default)]
pub struct Rollout {
    /// The policy's decisions with their targets.
    pub targets: Targets,
    /// Deals played.
    pub deals: u64,
    /// Decisions of all players in these deals.
    pub decisions: u64,
}

impl Rollout {
    /// Joins all shards.
    #[must_use]
    pub fn joined(shards: Vec<Self>) -> Self {
        let mut all = Self::default();
        for shard in shards {
            all.targets.rows.append(shard.targets.rows);
            all.targets.playout_decisions += shard.targets.playout_decisions;
            all.deals += shard.deals;
            all.decisions += shard.decisions;
        }
        all
    }
}

/// The episodes of each shard.
pub(crate) fn shards(
    episodes: &[(Seed, usize)],
) -> impl ExactSizeIterator<Item = &[(Seed, usize)]> {
    episodes.chunks(EPISODES)
}

/// Plays one shard.
pub(crate) fn play(
    mix: &Mix,
    policies: &Policies<'_>,
    estimator: &dyn TargetEstimator,
    episodes: &[(Seed, usize)],
) -> Rollout {
    let mut worker = Worker::new(policies, estimator);
    for (episode, table) in episodes {
        worker.play_episode(*episode, mix.table(*table), *table);
    }
    worker.rollout
}

/// Plays about `deals` deals.
pub fn roll_out(
    mix: &Mix,
    policies: &Policies<'_>,
    estimator: &dyn TargetEstimator,
    seed: Seed,
    deals: usize,
    workers: &Workers,
) -> Rollout {
    let episodes = mix.episodes(seed, deals);
    let shards: Vec<_> = shards(&episodes).collect();
    let play = |shard: usize| play(mix, policies, estimator, shards[shard]);
    Rollout::joined(workers.map(shards.len(), play))
}
