//! Regression of the logits on advantages.
//!
//! The target policy is the softmax of advantages over a temperature. The loss is half the squared
//! distance of the logits from advantages over the temperature, both less their means over the legal
//! actions. An unlikely action learns as fast as a likely one (Hennes et al. 2020, *Neural Replicator
//! Dynamics*), and logits are proportional to gains in units of the
//! table ([`table_unit`](newmarket_agents::table_unit)), so that a difference counts alike where little is paid. Every legal action needs an advantage.

use super::{Objective, PolicyBatch};
use crate::row_sums::{row_sums, spread};
use crate::trajectory::RowColumns;
use burn::tensor::Tensor;
use serde::{Deserialize, Serialize};

/// Regression on advantages. `train/NOTEBOOK.md`, 13 and 34, compares it with the clipped objective.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Regression {
    /// Units of the table per nat of the policy.
    pub temperature: f64,
    /// The greatest weight of a row by the kind of its decision, relative to a kind with the mean square
    /// advantage of all rows. It bounds the weight of a kind with small stakes. At least 1.
    #[serde(default = "max_class_weight")]
    pub max_class_weight: f64,
}

/// The default.
fn max_class_weight() -> f64 {
    100.0
}

impl Regression {
    /// With this temperature, and defaults.
    pub fn new(temperature: f64) -> Self {
        Self { temperature, max_class_weight: max_class_weight() }
    }
}

#[typetag::serde(name = "regression")]
impl Objective for Regression {
    fn about(&self) -> String {
        "regression on advantages".into()
    }

    /// Half the squared distance of the log-probabilities from the advantages. The mean over the legal
    /// actions is subtracted from both, and each row is multiplied by its class weight.
    fn loss(&self, batch: &PolicyBatch<'_>) -> Tensor<1> {
        let counts = &batch.counts;
        let distance = (batch.log_probs.clone() - batch.advantages.clone()) * counts.clone();
        let mean = row_sums(distance.clone()) / row_sums(counts.clone());
        let squares = ((distance - spread(mean, counts.dims()[1])) * counts.clone()).square();
        let squares = match &batch.row_weights {
            Some(weights) => squares * weights.clone(),
            None => squares,
        };
        squares.sum().mul_scalar(0.5)
    }

    fn row_weights(&self, rows: &RowColumns) -> Option<Vec<f32>> {
        Some(rows.class_weights(self.max_class_weight))
    }

    fn temperature(&self) -> Option<f64> {
        Some(self.temperature)
    }

    fn faults(&self) -> Vec<String> {
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
    fn advantages(&self, rows: &RowColumns) -> Vec<f32> {
        let temperature = self.temperature as f32;
        rows.advantages.iter().map(|a| a / temperature).collect()
    }
}
