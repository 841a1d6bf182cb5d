//! From rows to better weights: epochs of minibatches, each cut into shards.
//!
//! A minibatch is about a thousand rows, which suits the cache; its shards are worked on by the
//! workers side by side, and their gradients are added in the order of the shards. Neither the
//! cut nor the order depends on how many workers there are, so neither do the weights.

use crate::TrainError;
use crate::adam::{Adam, Moments, clip_norm, global_norm};
use crate::advantage::explained_variance;
use crate::loss::{MASKED, Objective, Shard, Sums, terms};
use crate::normalise::ReturnScale;
use crate::params::{flatten, gradients, with_parameters};
use crate::trajectory::{Packed, Rows};
use crate::workers::Workers;
use burn::module::Module;
use burn::tensor::{Device, Int, Tensor, TensorData};
use ndarray::Array2;
use newmarket_agents::net::PolicyNet;
use newmarket_env::seed::{Rng, below};
use std::ops::Range;

/// A network with a policy head and a value head.
pub trait ActorCritic: Module + Sync {
    /// `[rows, inputs]` → logits `[rows, actions]` and normalised values `[rows]`.
    fn evaluate(&self, observations: Tensor<2>) -> (Tensor<2>, Tensor<1>);
}

impl ActorCritic for PolicyNet {
    fn evaluate(&self, observations: Tensor<2>) -> (Tensor<2>, Tensor<1>) {
        let (logits, values) = self.forward(observations);
        (logits, values.squeeze_dim(1))
    }
}

/// What one update does; see [`crate::config::Learner`] for the meaning of each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// Passes over the rows.
    pub epochs: usize,
    /// Rows of a minibatch, about.
    pub minibatch: usize,
    /// Pieces of a minibatch that are worked on side by side.
    pub shards: usize,
    /// Adam's step size.
    pub learning_rate: f64,
    /// The global gradient norm above which gradients are scaled down; 0: never.
    pub max_grad_norm: f64,
    /// The divergence from the policy of the rollout at which epochs stop early, in nats; 0: never.
    pub target_kl: f64,
    /// The loss.
    pub objective: Objective,
}

/// What one update came to; means over its minibatches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stats {
    /// The clipped policy loss.
    pub policy_loss: f64,
    /// Half the squared error of the normalised value.
    pub value_loss: f64,
    /// Entropy of the policy, in nats.
    pub entropy: f64,
    /// KL(old ‖ new), in nats, over the last epoch.
    pub kl: f64,
    /// Share of rows whose ratio lay outside the clip range.
    pub clip_fraction: f64,
    /// Share of the variance of the returns that the values of the rollout explained.
    pub explained_variance: f64,
    /// Global norm of the gradient before clipping.
    pub grad_norm: f64,
    /// Epochs that were run.
    pub epochs: usize,
    /// Rows that were learnt from.
    pub rows: usize,
}

/// The weights and all that changes while they are learnt.
#[derive(Clone)]
pub struct Learner<N> {
    /// The shape of the network; its own parameters are never used.
    template: N,
    parameters: Vec<f32>,
    adam: Adam,
    scale: ReturnScale,
}

impl<N: ActorCritic> Learner<N> {
    /// Begins with the parameters of `net`.
    pub fn new(net: N) -> Self {
        let parameters = flatten(&net);
        Self::resume(net, parameters, Moments::default(), ReturnScale::default())
    }

    /// Goes on from a saved state; `net` gives the shape only.
    pub fn resume(net: N, parameters: Vec<f32>, moments: Moments, scale: ReturnScale) -> Self {
        Self { template: net, parameters, adam: Adam::new(moments), scale }
    }

    /// The weights, in module order. `[count]`
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    /// The network with the weights of now, for inference.
    pub fn net(&self) -> N {
        with_parameters(self.template.clone(), &self.parameters, &Device::flex())
    }

    /// The scale of the value head.
    pub fn scale(&self) -> &ReturnScale {
        &self.scale
    }

    /// What the optimiser remembers.
    pub fn moments(&self) -> Moments {
        self.adam.moments()
    }

    /// Learns from `rows`, which `rng` puts into a new order each epoch. `update` is only for the
    /// error.
    ///
    /// # Errors
    ///
    /// [`TrainError::NotFinite`] if the loss or the gradient is; the weights are then those before
    /// the minibatch in which it happened.
    pub fn update<O: Packed>(
        &mut self,
        update: u64,
        rows: &Rows<O>,
        recipe: &Recipe,
        rng: &mut Rng,
        workers: &Workers,
    ) -> Result<Stats, TrainError> {
        let mut stats = Stats {
            rows: rows.len(),
            explained_variance: explained_variance(&rows.values, &rows.targets),
            ..Stats::default()
        };
        if rows.is_empty() {
            return Ok(stats);
        }
        self.scale.push(&rows.targets);
        let columns = Columns {
            advantages: rows.standard_advantages(),
            targets: rows.targets.iter().map(|r| self.scale.normalise(*r)).collect(),
            values: rows.values.iter().map(|v| self.scale.normalise(*v)).collect(),
        };
        let mut order: Vec<u32> = (0..rows.len() as u32).collect();
        let minibatches = (rows.len() as f64 / recipe.minibatch as f64).round().max(1.0) as usize;
        let (mut total, mut norms) = (Sums::default(), 0.0);
        for _ in 0..recipe.epochs {
            shuffle(&mut order, rng);
            let mut epoch = Sums::default();
            for minibatch in pieces(rows.len(), minibatches) {
                let chosen = &order[minibatch];
                let weight = chosen.len() as f64 / rows.len() as f64;
                let (sums, norm) = self.step(update, rows, &columns, chosen, recipe, workers)?;
                epoch.add(&sums, weight);
                norms += norm * weight;
            }
            total.add(&epoch, 1.0);
            stats.epochs += 1;
            stats.kl = epoch.0[4];
            if recipe.target_kl > 0.0 && stats.kl > recipe.target_kl {
                break;
            }
        }
        let epochs = stats.epochs.max(1) as f64;
        let [_, policy, value, entropy, _, clipped] = total.0.map(|x| x / epochs);
        Ok(Stats {
            policy_loss: policy,
            value_loss: value,
            entropy,
            clip_fraction: clipped,
            grad_norm: norms / epochs,
            ..stats
        })
    }

    /// One gradient step on the rows `chosen`: the parts of the loss and the gradient norm.
    fn step<O: Packed>(
        &mut self,
        update: u64,
        rows: &Rows<O>,
        columns: &Columns,
        chosen: &[u32],
        recipe: &Recipe,
        workers: &Workers,
    ) -> Result<(Sums, f64), TrainError> {
        let parts: Vec<_> = pieces(chosen.len(), recipe.shards.min(chosen.len())).collect();
        let results = workers.map(parts.len(), |i| {
            let shard = &chosen[parts[i].clone()];
            self.gradient(rows, columns, shard, chosen.len(), &recipe.objective)
        });
        let mut results = results.into_iter();
        let (mut gradient, mut sums) = results.next().unwrap_or_default();
        for (more, part) in results {
            sums.add(&part, 1.0);
            for (g, m) in gradient.iter_mut().zip(more) {
                *g += m;
            }
        }
        if let Some(part) = sums.not_finite() {
            return Err(TrainError::NotFinite { update, what: format!("the {part} loss") });
        }
        let norm = global_norm(&gradient);
        if !norm.is_finite() {
            return Err(TrainError::NotFinite { update, what: "the gradient norm".into() });
        }
        clip_norm(&mut gradient, norm, recipe.max_grad_norm);
        self.adam.step(recipe.learning_rate, &mut self.parameters, gradient);
        Ok((sums, norm))
    }

    /// The gradient of one shard's share of the loss of a minibatch of `batch` rows.
    fn gradient<O: Packed>(
        &self,
        rows: &Rows<O>,
        columns: &Columns,
        shard: &[u32],
        batch: usize,
        objective: &Objective,
    ) -> (Vec<f32>, Sums) {
        let device = Device::flex().autodiff();
        let net = with_parameters(self.template.clone(), &self.parameters, &device);
        let mut observations = Array2::zeros((shard.len(), O::WIDTH));
        for (mut out, row) in observations.rows_mut().into_iter().zip(shard) {
            let out = out.as_slice_mut().expect("rows of a new array are contiguous");
            rows.observations[*row as usize].expand_into(out);
        }
        let (logits, values) = net.evaluate(tensor(observations, &device));
        let batch_rows = gather(rows, columns, shard, &device);
        let terms = terms(logits, values, batch_rows, batch, objective);
        let mut grads = terms.total.backward();
        (gradients(&net, &mut grads), terms.sums())
    }
}

/// The columns of the rows that one update derives.
struct Columns {
    /// Standardised. `[choices]`
    advantages: Vec<f32>,
    /// Normalised. `[rows]`
    targets: Vec<f32>,
    /// Normalised. `[rows]`
    values: Vec<f32>,
}

/// The rows of a shard as tensors.
fn gather<O>(rows: &Rows<O>, columns: &Columns, shard: &[u32], device: &Device) -> Shard {
    let n = shard.len();
    let row = |column: &[f32]| -> Tensor<1> {
        let picked: Vec<f32> = shard.iter().map(|row| column[*row as usize]).collect();
        Tensor::from_data(TensorData::new(picked, [n]), device)
    };
    let wide = shard.iter().map(|row| rows.choices(*row as usize).len()).max().unwrap_or(0);
    let choices = |column: &[f32], empty: f32| -> Tensor<2> {
        let mut picked = Array2::from_elem((n, wide), empty);
        for (mut out, row) in picked.rows_mut().into_iter().zip(shard) {
            for (place, &value) in out.iter_mut().zip(&column[rows.choices(*row as usize)]) {
                *place = value;
            }
        }
        tensor(picked, device)
    };
    let (mut actions, mut mask) =
        (Array2::<i64>::zeros((n, wide)), Array2::from_elem((n, wide), MASKED));
    for (i, row) in shard.iter().enumerate() {
        let mut legal = rows.legal[*row as usize];
        for place in 0..legal.count_ones() as usize {
            actions[[i, place]] = i64::from(legal.trailing_zeros());
            mask[[i, place]] = 0.0;
            legal &= legal - 1;
        }
    }
    let actions = TensorData::new(actions.into_raw_vec_and_offset().0, [n, wide]);
    Shard {
        actions: Tensor::<2, Int>::from_data(actions, device),
        mask: tensor(mask, device),
        log_probs: choices(&rows.log_probs, MASKED),
        weights: choices(&rows.weights, 0.0),
        advantages: choices(&columns.advantages, 0.0),
        targets: row(&columns.targets),
        values: row(&columns.values),
    }
}

/// An array as a tensor of the same shape.
fn tensor(array: Array2<f32>, device: &Device) -> Tensor<2> {
    let (rows, columns) = array.dim();
    let data = TensorData::new(array.into_raw_vec_and_offset().0, [rows, columns]);
    Tensor::from_data(data, device)
}

/// `0 … n` cut into so many pieces of equal length, up to one.
fn pieces(n: usize, count: usize) -> impl Iterator<Item = Range<usize>> {
    (0..count).map(move |i| n * i / count..n * (i + 1) / count)
}

/// Every order equally likely (Fisher–Yates).
fn shuffle(order: &mut [u32], rng: &mut Rng) {
    for last in (1..order.len()).rev() {
        order.swap(last, below(rng, last as u32 + 1) as usize);
    }
}
