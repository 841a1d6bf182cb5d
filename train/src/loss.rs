//! The loss of a network over the rows of a shard, as a pure function of tensors: an objective for the
//! policy head, the squared error of the value head, and an entropy bonus.
//!
//! A row has few legal actions. Their logits are gathered first, so an illegal action has no
//! probability and no gradient, and all further tensors are a few columns wide.
//!
//! Every term is a *sum over the rows of the shard, divided by the rows of the whole minibatch*. So the
//! gradients of the shards add up to the gradient of the minibatch.

#[cfg(test)]
mod tests;

use crate::objective::{Objective, PolicyBatch};
use crate::row_sums::log_softmax;
use burn::tensor::{Int, Tensor};

/// Added to a logit in a place without an action. The probability is then 0. With −∞, 0 · −∞ would make
/// the entropy NaN.
pub const MASKED: f32 = -1e9;

/// The loss function at one progress of a run.
#[derive(Clone, Copy, Debug)]
pub struct LossSettings<'a> {
    /// The objective of the policy head.
    pub objective: &'a dyn Objective,
    /// The progress of the run, 0 to 1.
    pub progress: f64,
    /// Weight of the value loss.
    pub value_weight: f32,
}

/// The output of the network for some rows.
#[derive(Clone, Debug)]
pub struct NetworkOutput {
    /// The output of the policy head. `[rows, actions]`
    pub logits: Tensor<2>,
    /// The output of the value head, normalised. `[rows]`
    pub values: Tensor<1>,
}

/// The rows of one shard of a minibatch; `places` is the greatest number of legal actions of a row.
#[derive(Clone, Debug)]
pub struct Shard {
    /// The legal actions of the row; any number in places without an action. `[rows, places]`
    pub actions: Tensor<2, Int>,
    /// 0 for an action, [`MASKED`] in places without an action. `[rows, places]`
    pub mask: Tensor<2>,
    /// The log-probability of each action in the rollout, [`MASKED`] in places without an action.
    /// `[rows, places]`
    pub log_probs: Tensor<2>,
    /// The weight of each action in the clipped objective, 0 in places without an action.
    /// `[rows, places]`
    pub weights: Tensor<2>,
    /// The advantage of each action, in the unit of the objective.
    /// `[rows, places]`
    pub advantages: Tensor<2>,
    /// The weight of each row, if the objective weighs rows. `[rows, 1]`
    pub row_weights: Option<Tensor<2>>,
    /// The target of the value head, normalised. `[rows]`
    pub targets: Tensor<1>,
}

/// The parts of the loss: scalar tensors `[1]` for the gradient, or numbers for the record.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses<T = f64> {
    /// The loss to minimise.
    pub total: T,
    /// The policy loss.
    pub policy: T,
    /// The value loss, half the squared error, before its weight.
    pub value: T,
    /// The mean entropy of the policy, in nats.
    pub entropy: T,
    /// The mean KL(old ‖ new), in nats.
    pub kl: T,
    /// The share of the weight outside the clip range; `None` without a clip range.
    pub clipped: Option<T>,
}

impl<T> Losses<T> {
    /// The parts with their names.
    fn named(&self) -> impl Iterator<Item = (&'static str, &T)> {
        let Self { total, policy, value, entropy, kl, clipped } = self;
        let always = [
            ("total", total),
            ("policy", policy),
            ("value", value),
            ("entropy", entropy),
            ("kl", kl),
        ];
        let clipped = clipped.iter().map(|part| ("clipped", part));
        always.into_iter().chain(clipped)
    }

    fn map<U>(self, mut f: impl FnMut(T) -> U) -> Losses<U> {
        Losses {
            total: f(self.total),
            policy: f(self.policy),
            value: f(self.value),
            entropy: f(self.entropy),
            kl: f(self.kl),
            clipped: self.clipped.map(f),
        }
    }
}

impl Losses<Tensor<1>> {
    /// The numbers, read back as one tensor.
    pub fn read(self) -> Losses {
        let parts = self.named().map(|(_, part)| part.clone().inner()).collect();
        let numbers = Tensor::cat(parts, 0).into_data();
        let numbers = numbers.try_into_vec::<f32>().expect("floats were concatenated");
        let mut numbers = numbers.into_iter().map(f64::from);
        self.map(|_| numbers.next().expect("a number for each part"))
    }
}

impl Losses {
    /// Adds `weight` times another.
    pub fn add(&mut self, other: &Self, weight: f64) {
        self.total += weight * other.total;
        self.policy += weight * other.policy;
        self.value += weight * other.value;
        self.entropy += weight * other.entropy;
        self.kl += weight * other.kl;
        if let Some(clipped) = other.clipped {
            *self.clipped.get_or_insert(0.0) += weight * clipped;
        }
    }

    /// All parts divided by a number.
    #[must_use]
    pub fn over(self, count: f64) -> Self {
        self.map(|part| part / count)
    }

    /// The name of the first part that is not a finite number.
    pub fn not_finite(&self) -> Option<&'static str> {
        self.named().find(|(_, part)| !part.is_finite()).map(|(name, _)| name)
    }
}

/// The loss of one shard; `batch` is the number of rows of the whole minibatch.
pub fn loss(
    output: NetworkOutput,
    shard: Shard,
    batch: usize,
    settings: &LossSettings<'_>,
) -> Losses<Tensor<1>> {
    let mean = |x: Tensor<1>| x.div_scalar(batch as f32);
    let counts = shard.mask.clone().equal_elem(0.0).float();
    let log_probs = log_softmax(output.logits.gather(1, shard.actions) + shard.mask);
    let probs = log_probs.clone().exp(); // [rows, places], 0 in places without an action
    // In places without an action, rounding of −10⁹ − (−10⁹) could overflow without the clamp.
    let log_ratio = (log_probs.clone() - shard.log_probs.clone()).clamp(-20.0, 20.0);
    let ratio = log_ratio.clone().exp();
    let policy_batch = PolicyBatch {
        progress: settings.progress,
        log_probs: &log_probs,
        log_ratio: &log_ratio,
        ratio: &ratio,
        counts,
        weights: shard.weights,
        advantages: shard.advantages,
        row_weights: shard.row_weights,
    };
    let policy = mean(settings.objective.loss(&policy_batch));

    let value = mean((output.values - shard.targets).square().sum()).mul_scalar(0.5);
    let entropy = mean((probs * log_probs.clone()).sum()).neg();
    let kl = mean((shard.log_probs.exp() * log_ratio.clone()).sum()).neg();

    let mut total = policy.clone() + value.clone().mul_scalar(settings.value_weight);
    if let Some(weight) = settings.objective.entropy_weight(settings.progress) {
        total = total - entropy.clone().mul_scalar(weight);
    }
    let clipped = settings.objective.clipped(&policy_batch).map(mean);
    Losses { total, policy, value, entropy, kl, clipped }
}
