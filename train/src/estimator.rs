//! Estimators of targets: how good each action of a decision was, in chips.
//!
//! An estimator is a value with a configuration of its own, in a file of its own:
//!
//! - [`Gae`]: generalised advantage estimation on what came of the sampled action;
//! - [`PolicyRollouts`]: every action is rolled out by the policy itself;
//! - [`Determinized`]: every action is played out by a heuristic in sampled determinizations.
//!
//! A worker of the rollout tells its estimator what happens, and the estimator adds rows. Another
//! estimator is one more file here, which implements [`TargetEstimator`] and [`EstimateTargets`], and a
//! variant of [`crate::config::Algorithm`] by which a configuration names it.

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

/// A kind of targets.
pub trait TargetEstimator: Sync {
    /// The estimator of one worker, which plays one episode after the other with `policies`.
    fn worker<'a>(&self, policies: &'a Policies<'a>) -> Box<dyn EstimateTargets + 'a>;
}

/// A decision with more than one legal action.
#[derive(Clone, Copy)]
pub struct DueDecision<'a> {
    /// The deal, with its cards and who sits where.
    pub(crate) deal: &'a SeatedDeal<'a>,
    /// Where it stands.
    pub(crate) state: &'a State,
    /// Who is to act.
    pub(crate) seat: usize,
    /// What may be done.
    pub(crate) legal: ActionMask,
}

/// What an estimator has added.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// The policy's decisions.
    pub rows: RolloutRows<Observation>,
    /// Decisions that were taken in playouts.
    pub playout_decisions: u64,
}

/// The estimator of one worker. The worker calls it in the order in which things happen.
pub trait EstimateTargets {
    /// An episode begins; `seed` is for the estimator alone.
    fn begin_episode(&mut self, seed: Seed) {
        let _ = seed;
    }

    /// A reward of a seat, in chips: chips come or go, or it has won a session.
    fn pay(&mut self, seat: usize, chips: f32) {
        let _ = (seat, chips);
    }

    /// Chooses for the policy: the place of an action among the legal ones. `logits` are those of
    /// all actions, `log_probs` `[legal actions]`.
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

    /// The policy takes the legal action of this place: adds a row, now or when returns are complete.
    fn decide(
        &mut self,
        turn: &DueDecision<'_>,
        decision: PolicyDecision<Observation>,
        taken: usize,
        rng: &mut Rng,
        targets: &mut Targets,
    );

    /// All returns are complete: the deal, or the session that counts as a whole, is over.
    fn settle(&mut self, targets: &mut Targets) {
        let _ = targets;
    }
}

/// Draws whether a decision is among the share of its kind that is tried.
fn is_tried(turn: &DueDecision<'_>, ante_share: f64, decision_share: f64, rng: &mut Rng) -> bool {
    let ante = turn.state.phase() == Phase::Ante;
    unit(rng) < if ante { ante_share } else { decision_share }
}

/// What is wrong with the numbers that estimators of all actions have in common.
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
    /// Far more than pays, and few enough that all of one decision fit into memory.
    const MOST: usize = 10_000;
    (!(1..=MOST).contains(&count)).then(|| format!("`{name}` is {count}, 1 to {MOST} are allowed"))
}
