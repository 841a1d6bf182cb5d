//! Objectives of the policy head.
//!
//! An objective is a value in a file of its own:
//!
//! - [`Clipped`]: the clipped surrogate of PPO, with an entropy bonus; for every estimator;
//! - [`Regression`]: regression of the logits on advantages; for estimators that try all actions.
//!
//! To add an objective, here or in another crate, implement [`Objective`] for a value and name it. A
//! configuration then has it by this name (`train/examples/2_mmd.rs`).

mod clipped;
mod regression;

pub use burn::tensor::Tensor;
pub use clipped::Clipped;
pub use regression::Regression;

use crate::trajectory::RowColumns;
use std::fmt::Debug;

/// An objective, as a configuration has it.
///
/// An implementation is marked `#[typetag::serde(name = "…")]` and can be read and written by serde: its fields
/// are the keys of the table that `kind = "…"` begins. It has no state of its own, so there is nothing to save.
#[typetag::serde(tag = "kind")]
pub trait Objective: Debug + Send + Sync {
    /// What it is, in a few words.
    fn about(&self) -> String;

    /// The loss, summed over the rows of a shard: the smaller the better. `[1]`
    fn loss(&self, batch: &PolicyBatch<'_>) -> Tensor<1>;

    /// The advantages in the unit of the objective. `[actions]`
    fn advantages(&self, rows: &RowColumns) -> Vec<f32> {
        rows.standard_advantages()
    }

    /// The weight of each row, if the objective weighs rows. `[rows]`
    fn row_weights(&self, rows: &RowColumns) -> Option<Vec<f32>> {
        let _ = rows;
        None
    }

    /// The weight of an entropy bonus at a progress of the run, 0 to 1; `None`: there is no bonus.
    fn entropy_weight(&self, progress: f64) -> Option<f32> {
        let _ = progress;
        None
    }

    /// The weight of actions outside a clip range, summed over the rows, for the record; `None`: nothing is
    /// clipped. `[1]`
    fn clipped(&self, batch: &PolicyBatch<'_>) -> Option<Tensor<1>> {
        let _ = batch;
        None
    }

    /// Units of the table per nat of the policy, if logits are proportional to gains. The objective then needs an
    /// estimator that tries all actions.
    fn temperature(&self) -> Option<f64> {
        None
    }

    /// The objective whose schedules begin as those of this one are at this progress; `None`: it has no schedule.
    fn beginning_at(&self, progress: f64) -> Option<Box<dyn Objective>> {
        let _ = progress;
        None
    }

    /// Faults of its values, one phrase each.
    fn faults(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The policy on the rows of a shard, and the rollout's targets of their legal actions. Every column is
/// `[rows, places]`. In places without an action, log-probabilities are [`crate::loss::MASKED`] and all
/// else is 0.
pub struct PolicyBatch<'a> {
    /// The progress of the run, 0 to 1.
    pub progress: f64,
    /// The current log-probabilities.
    pub log_probs: &'a Tensor<2>,
    /// The current log-probability less that of the rollout, at most ±20.
    pub log_ratio: &'a Tensor<2>,
    /// The current probability over that of the rollout.
    pub ratio: &'a Tensor<2>,
    /// 1 where there is an action.
    pub counts: Tensor<2>,
    /// The weight of each action; the sum of a row is 1.
    pub weights: Tensor<2>,
    /// See [`Objective::advantages`].
    pub advantages: Tensor<2>,
    /// See [`Objective::row_weights`]. `[rows, 1]`
    pub row_weights: Option<Tensor<2>>,
}
