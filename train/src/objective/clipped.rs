//! The clipped surrogate of PPO (Schulman, Wolski, Dhariwal, Radford and Klimov 2017, eq. 7).
//!
//! With weight 1 on the sampled action and 0 elsewhere this is the objective as published; with the
//! probabilities of the rollout as weights it is the same objective with the expectation over actions
//! taken exactly, for rows where every action was tried.

use super::{Objective, PolicyBatch};
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

#[typetag::serde(name = "clipped")]
impl Objective for Clipped {
    fn about(&self) -> String {
        "PPO's clipped objective".into()
    }

    fn loss(&self, batch: &PolicyBatch<'_>) -> Tensor<1> {
        let clip = self.clip.at(batch.progress) as f32;
        let (low, high) = (1.0 - clip, 1.0 + clip);
        let free = batch.advantages.clone() * batch.ratio.clone();
        let cut = batch.advantages.clone() * batch.ratio.clone().clamp(low, high);
        (free.min_pair(cut) * batch.weights.clone()).sum().neg()
    }

    fn entropy_weight(&self, progress: f64) -> Option<f32> {
        Some(self.entropy.at(progress) as f32)
    }

    fn clipped(&self, batch: &PolicyBatch<'_>) -> Option<Tensor<1>> {
        let clip = self.clip.at(batch.progress) as f32;
        let outside = batch.ratio.clone().sub_scalar(1.0).abs().greater_elem(clip).float();
        Some((outside * batch.weights.clone()).sum())
    }

    fn beginning_at(&self, progress: f64) -> Option<Box<dyn Objective>> {
        Some(Box::new(Self { entropy: self.entropy.beginning_at(progress), ..*self }))
    }

    fn faults(&self) -> Vec<String> {
        let (clip, entropy) = (self.clip.least(), self.entropy.least());
        let clip = (!(clip > 0.0 && clip.is_finite()))
            .then(|| format!("`clip` falls to {clip}, a positive number is needed"));
        let entropy = (!(entropy >= 0.0 && entropy.is_finite()))
            .then(|| format!("`entropy` falls to {entropy}, 0 or more is needed"));
        clip.into_iter().chain(entropy).collect()
    }
}
