//! Self-play: the policy of now plays deals, and an estimator makes rows of its decisions.
//!
//! An *episode* is one deal, or one session of several. Each has a seed of its own for its cards,
//! its seating and its random choices. Episodes are played in pieces of several, and rows are
//! concatenated in the order of the episodes: which worker plays which piece changes nothing. The network answers one decision at a time: most of an
//! observation is zero, which sparse inference exploits better than a batch would.

mod mix;
mod worker;

pub use mix::Mix;

use crate::estimator::{TargetEstimator, Targets};
use crate::policies::Policies;
use crate::workers::Workers;
use newmarket_env::seed::Seed;
use worker::Worker;

/// Episodes of a piece.
const PIECE: usize = 16;

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

impl Rollout {
    /// All pieces as one.
    #[must_use]
    pub fn joined(pieces: Vec<Self>) -> Self {
        let mut all = Self::default();
        for piece in pieces {
            all.targets.rows.append(piece.targets.rows);
            all.targets.playout_decisions += piece.targets.playout_decisions;
            all.deals += piece.deals;
            all.decisions += piece.decisions;
        }
        all
    }
}

/// The episodes of each piece.
pub(crate) fn pieces(
    episodes: &[(Seed, usize)],
) -> impl ExactSizeIterator<Item = &[(Seed, usize)]> {
    episodes.chunks(PIECE)
}

/// Plays one piece.
pub(crate) fn play(
    mix: &Mix,
    policies: &Policies<'_>,
    estimator: &dyn TargetEstimator,
    episodes: &[(Seed, usize)],
) -> Rollout {
    let mut worker = Worker::new(policies, estimator);
    for (episode, table) in episodes {
        worker.play_episode(*episode, mix.table(*table));
    }
    worker.rollout
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
    let pieces: Vec<_> = pieces(&episodes).collect();
    let play = |piece: usize| play(mix, policies, estimator, pieces[piece]);
    Rollout::joined(workers.map(pieces.len(), play))
}
