//! The clipped surrogate of PPO (Schulman, Wolski, Dhariwal, Radford and Klimov 2017, eq. 7).
//!
//! With weight 1 on the sampled action and 0 elsewhere this is the objective as published; with the
//! probabilities of the rollout as weights it is the same objective with the expectation over actions
//! taken exactly, for rows where every action was tried.

use super::PolicyBatch;
use crate::schedule::Schedule;
use burn::tensor::Tensor;
use serde::{Deserialize, Serialize};

/// The clipped surrogate with an entropy bonus. `train/NOTEBOOK.md`, 33 and 34, compares it with
/// regression.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clipped {
    /// ε: the gradient of an action ends where its probability ratio is further than this from 1.
    pub clip: Schedule,
    /// Weight of the entropy bonus (`train/NOTEBOOK.md`, 3, has values to start from).
    pub entropy: Schedule,
}

impl Clipped {
    /// The loss at this point of a run.
    pub fn at(&self, progress: f64) -> ClippedLoss {
        ClippedLoss {
            clip: self.clip.at(progress) as f32,
            entropy_weight: self.entropy.at(progress) as f32,
        }
    }

    pub(super) fn faults(&self) -> Vec<String> {
        let (clip, entropy) = (self.clip.least(), self.entropy.least());
        let clip = (!(clip > 0.0 && clip.is_finite()))
            .then(|| format!("`clip` falls to {clip}, a positive number is needed"));
        let entropy = (!(entropy >= 0.0 && entropy.is_finite()))
            .then(|| format!("`entropy` falls to {entropy}, 0 or more is needed"));
        clip.into_iter().chain(entropy).collect()
    }
}

/// [`Clipped`] at one moment of training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClippedLoss {
    /// ε.
    pub clip: f32,
    /// Weight of the entropy bonus.
    pub entropy_weight: f32,
}

impl ClippedLoss {
    pub(super) fn sum(self, batch: &PolicyBatch<'_>) -> Tensor<1> {
        let (low, high) = (1.0 - self.clip, 1.0 + self.clip);
        let free = batch.advantages.clone() * batch.ratio.clone();
        let cut = batch.advantages.clone() * batch.ratio.clone().clamp(low, high);
        (free.min_pair(cut) * batch.weights.clone()).sum().neg()
    }

    /// The weight of actions whose ratio lies outside the clip range, summed over the rows. `[1]`
    pub(crate) fn outside(self, batch: &PolicyBatch<'_>) -> Tensor<1> {
        let outside = batch.ratio.clone().sub_scalar(1.0).abs().greater_elem(self.clip).float();
        (outside * batch.weights.clone()).sum()
    }
}
