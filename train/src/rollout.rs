//! Self-play: the policy of now plays deals, and an estimator makes rows of its decisions.
//!
//! An *episode* is one deal, or one session of several. Each has a seed of its own for its cards,
//! its seating and its random choices, and rows are concatenated in the order of the episodes: which
//! worker plays which changes nothing. The network answers one decision at a time: most of an
//! observation is zero, which sparse inference exploits better than a batch would.

mod mix;
mod worker;

pub use mix::Mix;

use crate::estimator::{TargetEstimator, Targets};
use crate::policies::Policies;
use crate::workers::Workers;
use newmarket_env::seed::Seed;
use worker::Worker;

/// Episodes that a worker takes at a time.
const CHUNK: usize = 16;

/// What was played.
#[derive(Clone, Debug, Default)]
pub struct Rollout {
    /// The policy's decisions with their targets.
    pub targets: Targets,
    /// Deals that were played.
    pub deals: u64,
    /// Decisions that were taken in them by anybody.
    pub decisions: u64,
}

/// Plays at least `deals` deals.
pub fn roll_out(
    mix: &Mix,
    policies: &Policies<'_>,
    estimator: &dyn TargetEstimator,
    seed: Seed,
    deals: usize,
    workers: &Workers,
) -> Rollout {
    let episodes = mix.episodes(seed, deals);
    let chunks: Vec<&[(Seed, usize)]> = episodes.chunks(CHUNK).collect();
    let parts = workers.map(chunks.len(), |i| {
        let mut worker = Worker::new(policies, estimator);
        for (episode, table) in chunks[i] {
            worker.play_episode(*episode, *table, mix.table(*table));
        }
        worker.rollout
    });
    let mut all = Rollout::default();
    for part in parts {
        all.targets.rows.append(part.targets.rows);
        all.targets.playout_decisions += part.targets.playout_decisions;
        all.deals += part.deals;
        all.decisions += part.decisions;
    }
    all
}
