//! Estimators of targets: the return of each action of a decision, in chips.
//!
//! An estimator is a value with a configuration, in a file of its own:
//!
//! - [`Gae`]: generalised advantage estimation on the outcome of the sampled action;
//! - [`PolicyRollouts`]: the policy itself rolls out every action;
//! - [`Determinized`]: a heuristic plays out every action in sampled determinizations.
//!
//! A worker of the rollout reports events to its estimator, and the estimator adds rows. To add an estimator,
//! here or in another crate, implement [`TargetEstimator`] for a value and name it, and [`EstimateTargets`] for
//! its worker. A configuration then has it by this name.

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
use newmarket_env::{ActionMask, Decision, Game, Observation, Phase, State};
use std::fmt::Debug;

/// An estimator of targets, as a configuration has it.
///
/// An implementation is marked `#[typetag::serde(name = "…")]` and can be read and written by serde: its fields
/// are the keys of the table that `kind = "…"` begins. Shards of a rollout are functions of the plan and played
/// in any order, so a worker keeps nothing from shard to shard, and there is nothing to save. Other machines that
/// gather need the same version of a crate outside: [`crate::gather::BUILD`] does not cover it.
#[typetag::serde(tag = "kind")]
pub trait TargetEstimator: Debug + Send + Sync {
    /// What it does, in a few words.
    fn about(&self) -> String;

    /// The estimator of one worker, which plays episodes in order with `policies`.
    fn worker<'a>(&self, policies: &'a Policies<'a>) -> Box<dyn EstimateTargets + 'a>;

    /// Whether every legal action of a row has a target.
    fn tries_all_actions(&self) -> bool {
        false
    }

    /// Whether targets are the returns of a heuristic and not of the players at the table. A run against a fixed
    /// agent leaves such a phase early.
    fn plays_by_heuristic(&self) -> bool {
        false
    }

    /// Faults of its values, one phrase each.
    fn faults(&self) -> Vec<String> {
        Vec::new()
    }
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

impl<'a> DueDecision<'a> {
    /// The game of the deal.
    pub fn game(&self) -> &'a Game {
        self.deal.game
    }

    /// The state of the deal, hidden cards included.
    pub fn state(&self) -> &'a State {
        self.state
    }

    /// The seat to act.
    pub fn seat(&self) -> usize {
        self.seat
    }

    /// The legal actions.
    pub fn legal(&self) -> ActionMask {
        self.legal
    }

    /// The opponent in a seat, an index of [`Policies::opponents`]; `None`: the policy plays it.
    pub fn opponent(&self, seat: usize) -> Option<usize> {
        self.deal.opponents[seat]
    }

    /// Leads a copy of the state, in which an action was taken, to the next decision with more than one legal
    /// action; `None` when the deal is over.
    pub fn next(&self, state: &mut State) -> Option<Decision> {
        self.deal.next(state)
    }
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
