//! Estimators of targets: the return of each action of a decision, in chips.
//!
//! An estimator is a value with a configuration, in a file of its own:
//!
//! - [`Gae`]: generalised advantage estimation on the outcome of the sampled action;
//! - [`PolicyRollouts`]: the policy itself rolls out every action;
//! - [`Determinized`]: a heuristic plays out every action in sampled determinizations.
//!
//! A worker of the rollout reports events to its estimator, and the estimator adds rows. To add an
//! estimator, add a file that implements [`TargetEstimator`] and [`EstimateTargets`], and a variant of
//! [`crate::config::Algorithm`], by which a configuration names it.

mod determinized;
mod gae;
mod policy_rollouts;

pub use determinized::Determinized;
pub use gae::{Gae, gae};
pub use policy_rollouts::PolicyRollouts;

use crate::deal::SeatedDeal;
use crate::policies::Policies;
use crate::sampling::sample;
use crate::trajectory::{PolicyDecision, RolloutRows};
use newmarket_env::seed::{Rng, Seed, unit};
use newmarket_env::{ActionMask, Observation, Phase, State};

/// An estimator of targets, as a configuration has it.
pub trait TargetEstimator: Sync {
    /// The estimator of one worker, which plays episodes in order with `policies`.
    fn worker<'a>(&self, policies: &'a Policies<'a>) -> Box<dyn EstimateTargets + 'a>;
}

/// A decision with more than one legal action.
#[derive(Clone, Copy)]
pub struct DueDecision<'a> {
    /// The deal, with its cards and opponents.
    pub(crate) deal: &'a SeatedDeal<'a>,
    /// The state of the deal.
    pub(crate) state: &'a State,
    /// The seat to act.
    pub(crate) seat: usize,
    /// The legal actions.
    pub(crate) legal: ActionMask,
}

/// The rows of an estimator.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// The policy's decisions with their targets.
    pub rows: RolloutRows<Observation>,
    /// Decisions in playouts.
    pub playout_decisions: u64,
}

/// The estimator of one worker. The worker calls it in the order of events.
pub trait EstimateTargets {
    /// An episode begins; `seed` is for the estimator alone.
    fn begin_episode(&mut self, seed: Seed) {
        let _ = seed;
    }

    /// A reward of a seat, in chips: a change of its stack, or the prize of a session.
    fn pay(&mut self, seat: usize, chips: f32) {
        let _ = (seat, chips);
    }

    /// Chooses for the policy: returns the index of an action among the legal ones. `logits` `[actions]`,
    /// `log_probs` `[legal actions]`.
    fn act(
        &mut self,
        turn: &DueDecision<'_>,
        logits: &[f32],
        log_probs: &[f32],
        rng: &mut Rng,
    ) -> usize {
        let _ = (turn, logits);
        sample(log_probs, rng)
    }

    /// The policy takes the legal action of index `taken`. Adds a row, now or when returns are complete.
    fn decide(
        &mut self,
        turn: &DueDecision<'_>,
        decision: PolicyDecision<Observation>,
        taken: usize,
        rng: &mut Rng,
        targets: &mut Targets,
    );

    /// All returns are complete: the episode is over.
    fn settle(&mut self, targets: &mut Targets) {
        let _ = targets;
    }
}

/// Draws whether all actions of a decision are tried, by the share of its kind.
fn is_tried(turn: &DueDecision<'_>, ante_share: f64, decision_share: f64, rng: &mut Rng) -> bool {
    let ante = turn.state.phase() == Phase::Ante;
    unit(rng) < if ante { ante_share } else { decision_share }
}

/// Faults of the two shares of estimators that try all actions.
fn share_faults(ante_share: f64, decision_share: f64) -> impl Iterator<Item = String> {
    let shares = [("ante_share", ante_share), ("decision_share", decision_share)];
    shares.into_iter().filter_map(|(name, share)| out_of_unit(name, share))
}

/// The fault of a number that is not between 0 and 1.
fn out_of_unit(name: &str, value: f64) -> Option<String> {
    let fits = (0.0..=1.0).contains(&value);
    (!fits).then(|| format!("`{name}` is {value}, a number from 0 to 1 is needed"))
}

/// The fault of a number of samples for one decision.
fn not_a_sample(name: &str, count: usize) -> Option<String> {
    /// All samples of one decision must fit into memory.
    const MOST: usize = 10_000;
    (!(1..=MOST).contains(&count)).then(|| format!("`{name}` is {count}, 1 to {MOST} are allowed"))
}
