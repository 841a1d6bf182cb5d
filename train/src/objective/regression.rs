//! Regression of the logits on advantages.
//!
//! The policy that is aimed at is the softmax of advantages over a temperature. The loss is half the
//! squared distance of the logits from advantages over the temperature, both less their means over
//! the legal actions. An action that the policy has given up learns as fast as one that it takes
//! (Hennes et al. 2020, *Neural Replicator Dynamics*), and logits can be read as chips. It needs an
//! advantage of every legal action.

use super::PolicyBatch;
use crate::row_sums::{row_sums, spread};
use crate::trajectory::RolloutRows;
use burn::tensor::Tensor;
use serde::{Deserialize, Serialize};

/// Regression on advantages.
///
/// It took a third of the rows that the clipped objective took with the same determinized search
/// (`train/NOTEBOOK.md`, 13), and copes with the noise of policy rollouts (34).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Regression {
    /// Chips that are one nat of the policy. 600 updates with 0.3 gained +1.74 ± 0.10 over `longest`,
    /// 150 with 0.5 +1.60 ± 0.10 (13).
    pub temperature: f64,
    /// The most that a row counts for the kind of its decision, relative to a kind with the mean
    /// square advantage of all, so that a kind without stakes does not count without limit. The
    /// weights themselves took the loss in `four-horses` from −0.13 to −0.06 (23, 27); other
    /// limits than 100 have not been tried.
    #[serde(default = "max_class_weight")]
    pub max_class_weight: f64,
}

/// The value of runs whose configuration does not name it.
fn max_class_weight() -> f64 {
    100.0
}

impl Regression {
    /// With this temperature; all else has its default.
    pub fn new(temperature: f64) -> Self {
        Self { temperature, max_class_weight: max_class_weight() }
    }

    pub(super) fn faults(&self) -> Vec<String> {
        let fields = [
            ("temperature", self.temperature, f64::MIN_POSITIVE),
            ("max_class_weight", self.max_class_weight, 1.0),
        ];
        let wrong = fields.into_iter().filter(|(_, x, least)| !(x >= least && x.is_finite()));
        let needed = |least: f64| if least < 1.0 { "a positive number" } else { "at least 1" };
        wrong
            .map(|(name, x, least)| format!("`{name}` is {x}, {} is needed", needed(least)))
            .collect()
    }

    /// Advantages over the temperature. `[actions]`
    pub(super) fn advantages<O>(&self, rows: &RolloutRows<O>) -> Vec<f32> {
        let temperature = self.temperature as f32;
        rows.advantages.iter().map(|a| a / temperature).collect()
    }
}

/// Half the squared distance of the log-probabilities from the advantages, each row of both less its
/// mean over the legal actions and multiplied by its class weight.
pub(super) fn sum(batch: &PolicyBatch<'_>) -> Tensor<1> {
    let counts = &batch.counts;
    let distance = (batch.log_probs.clone() - batch.advantages.clone()) * counts.clone();
    let mean = row_sums(distance.clone()) / row_sums(counts.clone());
    let squares = ((distance - spread(mean, counts.dims()[1])) * counts.clone()).square();
    let squares = match &batch.class_weights {
        Some(weights) => squares * weights.clone(),
        None => squares,
    };
    squares.sum().mul_scalar(0.5)
}
