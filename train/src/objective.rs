//! Objectives of the policy head.
//!
//! An objective is a value in a file of its own:
//!
//! - [`Clipped`]: the clipped surrogate of PPO, with an entropy bonus; for every estimator;
//! - [`Regression`]: regression of the logits on advantages; for estimators that try all actions.
//!
//! To add an objective, add a file here, a variant of [`Objective`], and one of [`PolicyLoss`].

mod clipped;
mod regression;

pub use clipped::{Clipped, ClippedLoss};
pub use regression::Regression;

use crate::trajectory::RolloutRows;
use burn::tensor::Tensor;
use serde::{Deserialize, Serialize};

/// An objective and its configuration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Objective {
    /// The clipped surrogate of PPO.
    Clipped(Clipped),
    /// Regression on advantages.
    Regression(Regression),
}

impl Objective {
    /// The loss at this point of a run.
    pub fn at(&self, progress: f64) -> PolicyLoss {
        match self {
            Self::Clipped(clipped) => PolicyLoss::Clipped(clipped.at(progress)),
            Self::Regression(regression) => PolicyLoss::Regression(*regression),
        }
    }

    /// Units of the table per nat of the policy, if logits are proportional to gains.
    pub(crate) fn temperature(&self) -> Option<f64> {
        match self {
            Self::Clipped(_) => None,
            Self::Regression(regression) => Some(regression.temperature),
        }
    }

    pub(crate) fn faults(&self) -> Vec<String> {
        match self {
            Self::Clipped(clipped) => clipped.faults(),
            Self::Regression(regression) => regression.faults(),
        }
    }
}

/// An objective at one progress of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PolicyLoss {
    /// See [`Clipped`].
    Clipped(ClippedLoss),
    /// See [`Regression`].
    Regression(Regression),
}

/// The policy on the rows of a shard, and the rollout's targets of their legal actions. Every column is
/// `[rows, places]`. In places without an action, log-probabilities are [`crate::loss::MASKED`] and all
/// else is 0.
pub(crate) struct PolicyBatch<'a> {
    /// The current log-probabilities.
    pub log_probs: &'a Tensor<2>,
    /// The current probability over that of the rollout.
    pub ratio: &'a Tensor<2>,
    /// 1 where there is an action.
    pub counts: Tensor<2>,
    /// The weight of each action; the sum of a row is 1.
    pub weights: Tensor<2>,
    /// See [`PolicyLoss::advantages`].
    pub advantages: Tensor<2>,
    /// See [`PolicyLoss::class_weights`]. `[rows, 1]`
    pub class_weights: Option<Tensor<2>>,
}

impl PolicyLoss {
    /// The advantages in the unit of the objective. `[actions]`
    pub fn advantages<O>(&self, rows: &RolloutRows<O>) -> Vec<f32> {
        match self {
            Self::Clipped(_) => rows.standard_advantages(),
            Self::Regression(regression) => regression.advantages(rows),
        }
    }

    /// The weight of each row, if the objective weighs rows. `[rows]`
    pub fn class_weights<O>(&self, rows: &RolloutRows<O>) -> Option<Vec<f32>> {
        match self {
            Self::Clipped(_) => None,
            Self::Regression(regression) => Some(rows.class_weights(regression.max_class_weight)),
        }
    }

    /// The loss, summed over the rows. `[1]`
    pub(crate) fn sum(&self, batch: &PolicyBatch<'_>) -> Tensor<1> {
        match self {
            Self::Clipped(clipped) => clipped.sum(batch),
            Self::Regression(_) => regression::sum(batch),
        }
    }
}
