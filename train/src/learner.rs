//! Updates the weights from rows: epochs of minibatches, each cut into shards.
//!
//! Workers compute the shards of a minibatch in parallel, and gradients are added in the order of the
//! shards. The number of workers changes neither the shards nor their order, so it does not change the
//! weights.
//!
//! Observations are sparse. So the first layer and its gradient are computed here from the entries that
//! are not zero, and burn computes the layers above.

mod shard;
#[cfg(test)]
mod tests;

use crate::TrainError;
use crate::adam::{Adam, Moments, clip_norm, global_norm};
use crate::device::Backend;
use crate::equivariance::SharedWeights;
use crate::loss::{LossSettings, Losses, NetworkOutput, loss};
use crate::normalise::ReturnScale;
use crate::params::{append, flatten, gradients, with_parameters};
use crate::policy_net::{PolicyNet, UpperLayers};
use crate::sparse::{Sparse, Tiles, sum_products};
use crate::trajectory::{Packed, RolloutRows};
use crate::workers::Workers;
use burn::tensor::{Tensor, TensorData};
use newmarket_env::seed::{Rng, below};
use shard::{Columns, gather};
use std::ops::Range;

/// Inputs of a block: a worker sums the gradient of their weights at a time.
const INPUTS: usize = 64;
/// Rows that check the weights after an update.
const CHECKED: usize = 32;

/// Settings of one update.
#[derive(Clone, Copy, Debug)]
pub struct UpdateSettings<'a> {
    /// Passes over the rows.
    pub epochs: usize,
    /// Rows of a minibatch, approximately.
    pub minibatch: usize,
    /// Shards of a minibatch.
    pub shards: usize,
    /// Adam's step size.
    pub learning_rate: f64,
    /// The global gradient norm above which gradients are scaled down; 0: never.
    pub max_grad_norm: f64,
    /// The loss function.
    pub loss: LossSettings<'a>,
}

/// Statistics of one update: means over its minibatches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UpdateStats {
    /// The parts of the loss; [`Losses::kl`] over the last epoch alone.
    pub losses: Losses,
    /// Share of the variance of the returns that the rollout's values explain; 1 is perfect.
    pub explained_variance: f64,
    /// Global norm of the gradient before clipping.
    pub grad_norm: f64,
    /// Rows of the update.
    pub rows: usize,
}

/// The weights, with the state of the optimizer and the scale of the value head.
#[derive(Clone)]
pub struct Learner {
    /// Units of the first layer.
    width: usize,
    /// The layers above the first. Only their shapes are used.
    template: UpperLayers,
    /// All parameters. The first layer comes first: weights `[inputs, width]`, biases `[width]`.
    parameters: Vec<f32>,
    adam: Adam,
    scale: ReturnScale,
    shared: SharedWeights,
    backend: Backend,
}

/// The gradient of one shard.
struct ShardGradient {
    /// The transposed observations, and the gradient of the first layer's sums. Their product is the gradient of
    /// the first layer.
    first: (Sparse, Tiles),
    /// The gradient of all layers above. `[count]`
    above: Vec<f32>,
    losses: Losses,
}

impl Learner {
    /// Begins with the parameters of `net`.
    pub fn new(net: &PolicyNet) -> Self {
        Self::resume(net, flatten(net), &Moments::default(), ReturnScale::default())
    }

    /// Continues from a saved state; only the shape of `net` is used.
    pub fn resume(
        net: &PolicyNet,
        parameters: Vec<f32>,
        moments: &Moments,
        scale: ReturnScale,
    ) -> Self {
        let (shared, backend) = (SharedWeights::default(), Backend::default());
        let template = net.above().clone();
        let width = net.config().hidden[0];
        Self { width, template, parameters, adam: Adam::new(moments), scale, shared, backend }
    }

    /// Keeps shared weights equal in all updates. They must be equal already.
    #[must_use]
    pub fn sharing(self, shared: SharedWeights) -> Self {
        debug_assert!(shared.hold(&self.parameters));
        Self { shared, ..self }
    }

    /// Computes gradients on this device from now on.
    pub fn compute_on(&mut self, backend: &Backend) {
        self.backend = backend.clone();
    }

    /// The weights, in module order. `[count]`
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    /// The scale of the value head.
    pub fn scale(&self) -> &ReturnScale {
        &self.scale
    }

    /// The state of the optimizer.
    pub fn moments(&self) -> Moments {
        self.adam.moments()
    }

    /// Learns from `rows`; `rng` shuffles them in each epoch. `update` is only used for the error.
    ///
    /// # Errors
    ///
    /// [`TrainError::NotFinite`] if the loss or the gradient is not finite. The weights are then those before the
    /// minibatch that failed, or those after the last minibatch if the check after it failed.
    pub fn update<O: Packed>(
        &mut self,
        update: u64,
        rows: &RolloutRows<O>,
        settings: &UpdateSettings<'_>,
        rng: &mut Rng,
        workers: &Workers,
    ) -> Result<UpdateStats, TrainError> {
        let mut stats = UpdateStats {
            rows: rows.len(),
            explained_variance: rows.explained_variance(),
            ..UpdateStats::default()
        };
        if rows.is_empty() {
            return Ok(stats);
        }
        self.scale.push(&rows.targets);
        let columns = Columns::new(rows, &settings.loss, &self.scale);
        let mut order: Vec<u32> = (0..rows.len() as u32).collect();
        let minibatches = (rows.len() as f64 / settings.minibatch as f64).round().max(1.0) as usize;
        let (mut total, mut norms, mut kl) = (Losses::default(), 0.0, 0.0);
        for _ in 0..settings.epochs {
            shuffle(&mut order, rng);
            let mut epoch = Losses::default();
            for minibatch in ranges(rows.len(), minibatches) {
                let chosen = &order[minibatch];
                let weight = chosen.len() as f64 / rows.len() as f64;
                let (losses, norm) =
                    self.step(update, rows, &columns, chosen, settings, workers)?;
                epoch.add(&losses, weight);
                norms += norm * weight;
            }
            total.add(&epoch, 1.0);
            kl = epoch.kl;
        }
        // The last step may have been so large that the network's output is not finite.
        let some = &order[..rows.len().min(CHECKED)];
        let layers = self.layers::<O>();
        let after = self.shard(&layers, rows, &columns, some, some.len(), &settings.loss).losses;
        finite(update, &after)?;
        let epochs = settings.epochs.max(1) as f64;
        stats.losses = Losses { kl, ..total.over(epochs) };
        stats.grad_norm = norms / epochs;
        Ok(stats)
    }

    /// Takes one gradient step on the rows `chosen`; returns the parts of the loss and the gradient norm.
    fn step<O: Packed>(
        &mut self,
        update: u64,
        rows: &RolloutRows<O>,
        columns: &Columns,
        chosen: &[u32],
        settings: &UpdateSettings<'_>,
        workers: &Workers,
    ) -> Result<(Losses, f64), TrainError> {
        let shards = self.backend.shards(settings.shards).min(chosen.len());
        let parts: Vec<_> = ranges(chosen.len(), shards).collect();
        let layers = self.layers::<O>();
        let shards = workers.map(parts.len(), |i| {
            let shard = &chosen[parts[i].clone()];
            self.shard(&layers, rows, columns, shard, chosen.len(), &settings.loss)
        });
        let mut of_shards = shards.iter().map(|shard| shard.losses);
        let mut losses = of_shards.next().unwrap_or_default();
        of_shards.for_each(|part| losses.add(&part, 1.0));
        finite(update, &losses)?;
        let mut gradient = self.gradient(shards, workers);
        self.shared.average(&mut gradient, workers);
        let norm = global_norm(&gradient);
        if !norm.is_finite() {
            return Err(TrainError::NotFinite { update, what: "the gradient norm".into() });
        }
        clip_norm(&mut gradient, norm, settings.max_grad_norm);
        self.adam.step(settings.learning_rate, &mut self.parameters, &gradient, workers);
        Ok((losses, norm))
    }

    /// The weights of the first layer, its biases as a last row, and the parameters of all layers above.
    fn layers<O: Packed>(&self) -> (Tiles, &[f32]) {
        let (first, above) = self.parameters.split_at((O::WIDTH + 1) * self.width);
        (Tiles::new(first, self.width), above)
    }

    /// The gradient of one shard of a minibatch of `batch` rows, with the layers of [`Learner::layers`].
    fn shard<O: Packed>(
        &self,
        (first, above): &(Tiles, &[f32]),
        rows: &RolloutRows<O>,
        columns: &Columns,
        shard: &[u32],
        batch: usize,
        settings: &LossSettings<'_>,
    ) -> ShardGradient {
        let device = self.backend.tensors();
        let seen = shard.iter().map(|&row| &rows.observations[row as usize]);
        let inputs = Sparse::with_ones(seen);
        let sums = TensorData::new(inputs.times(first), [shard.len(), self.width]);
        let sums = Tensor::<2>::from_data(sums, device).require_grad();
        let net = with_parameters(self.template.clone(), above, device);
        let (logits, values) = net.heads(net.units(sums.clone()));
        let output = NetworkOutput { logits, values: values.squeeze_dim(1) };
        let losses = loss(output, gather(rows, columns, shard, device), batch, settings);
        let mut grads = losses.total.backward();
        let mut of_sums = Vec::new();
        append(&mut of_sums, sums.grad_remove(&mut grads).expect("every part depends on the sums"));
        let first = (inputs.transposed(), Tiles::new(&of_sums, self.width));
        ShardGradient { first, above: gradients(&net, &mut grads), losses: losses.read() }
    }

    /// The sum of the gradients of all shards, in their order. `[count]`
    fn gradient(&self, shards: Vec<ShardGradient>, workers: &Workers) -> Vec<f32> {
        let (first, above): (Vec<_>, Vec<_>) =
            shards.into_iter().map(|shard| (shard.first, shard.above)).unzip();
        let mut gradient = vec![0.0; self.parameters.len()];
        let above_first = gradient.len() - above.first().map_or(0, Vec::len);
        let (of_first, of_above) = gradient.split_at_mut(above_first);
        workers.each(of_first.chunks_mut(INPUTS * self.width).enumerate(), |(nth, out)| {
            sum_products(&first, nth * INPUTS, out);
        });
        for shard in above {
            for (sum, part) in of_above.iter_mut().zip(shard) {
                *sum += part;
            }
        }
        gradient
    }
}

/// An error if a part of the loss is not finite.
fn finite(update: u64, losses: &Losses) -> Result<(), TrainError> {
    match losses.not_finite() {
        Some(part) => Err(TrainError::NotFinite { update, what: format!("the {part} loss") }),
        None => Ok(()),
    }
}

/// Cuts `0..n` into `count` ranges whose lengths differ by at most 1.
fn ranges(n: usize, count: usize) -> impl Iterator<Item = Range<usize>> {
    (0..count).map(move |i| n * i / count..n * (i + 1) / count)
}

/// Shuffles uniformly (Fisher–Yates).
fn shuffle(order: &mut [u32], rng: &mut Rng) {
    for last in (1..order.len()).rev() {
        order.swap(last, below(rng, last as u32 + 1) as usize);
    }
}
