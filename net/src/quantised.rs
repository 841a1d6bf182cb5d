//! The forward pass in whole numbers, several times as fast as in `f32`.
//!
//! Inputs, hidden units and weights are whole numbers of 16 bits. A product keeps its upper half, and a
//! sum has 16 bits too, so a register holds twice as many of them as of `f32`. Zeros are skipped as in
//! [`FastNet`](crate::FastNet), and only the head's columns of legal actions are read.
//!
//! Sums of whole numbers do not depend on the order of summation, so every machine gives the same result,
//! whatever the width of its vectors. The inputs of a layer are cut into *stretches*. The sum over a
//! stretch is exact, and then clamped to 16 bits; so is its sum with the stretches before. If the sum
//! cannot leave 16 bits (by the Cauchy–Schwarz inequality, for nearly all rows), it is computed in 16 bits.

mod arrays;
mod build;
mod kernels;

use alloc::vec;
use alloc::vec::Vec;

use newmarket_env::Observation;
use newmarket_env::encode::ObservationEntries;

use crate::config::NetConfig;
use crate::weights::Weights;
pub use arrays::{WholeHead, WholeLayer, WholeNumbers};
use build::{Dense, first_layer, next_layer};
use kernels::{Part, Rows, Tile};

/// Columns that a kernel keeps in registers. The sums do not depend on it; fewer columns make smaller
/// code.
const TILE: usize = match (cfg!(feature = "std"), cfg!(target_feature = "simd128")) {
    (true, _) => 128,
    (false, true) => 32,
    (false, false) => 8,
};

/// Rows that pass through a layer together.
const BLOCK: usize = 16;

/// Inputs of a hidden layer that are summed together: their weights for a tile fill half of the nearest
/// cache.
const STRETCH: usize = 64;

/// The range of a unit's sum, in norms of its weights: in the first layer, in later layers. A wider range
/// clamps fewer sums, a narrower range has a finer resolution (`decisions/0001-quantised.md`).
const RANGE: [f32; 2] = [12.0, 8.0];

/// A network for play, in whole numbers. A call allocates nothing.
///
/// The logits are close to those of a [`FastNet`](crate::FastNet) with the same weights, but not equal.
/// Threads can share the network; each needs a separate [`QuantisedScratch`].
#[derive(Debug, Clone)]
pub struct QuantisedNet {
    config: NetConfig,
    /// The factor of each entry of an observation, from the first number on.
    units: Vec<f32>,
    trunk: Vec<Layer>,
    /// By action.
    policy: Vec<Column>,
    value: Column,
}

/// A dense layer, its columns padded with zeros.
#[derive(Debug, Clone)]
struct Layer {
    /// Length of an input row.
    inputs: usize,
    /// `[tiles, inputs]`: weights of facts as they are added, weights of numbers times 65,536.
    weight: Vec<Tile>,
    /// `[tiles]`.
    bias: Vec<Tile>,
    /// The input of the next layer is the sum, clamped to 0 to `most`, times `factor`. `[tiles]`
    most: Vec<Tile>,
    factor: Vec<Tile>,
    stretches: Vec<Stretch>,
}

impl Layer {
    /// Outputs, padded.
    fn width(&self) -> usize {
        self.bias.len() * TILE
    }
}

/// Inputs of a layer that are summed together.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    /// The end of the stretch.
    end: usize,
    /// Whether the inputs are 0 or 1, so that weights are added without a product.
    facts: bool,
    /// The largest size of the inputs (see [`Part::size`]) with which no sum leaves 16 bits.
    limit: i32,
}

/// A column of the head: a logit, or the value.
#[derive(Debug, Clone)]
struct Column {
    /// As long as the last hidden layer is wide.
    weight: Vec<i16>,
    /// The value of 1 in the sum of products.
    unit: f32,
    bias: f32,
}

impl Column {
    /// The output, from the units of the last hidden layer.
    fn of(&self, units: &[i16]) -> f32 {
        kernels::dot(units, &self.weight) as f32 * self.unit + self.bias
    }
}

/// Working memory of a [`QuantisedNet`], which the caller keeps between calls.
#[derive(Debug, Clone)]
pub struct QuantisedScratch {
    /// Numbers before and after a layer, `[BLOCK, width]`.
    now: Vec<i16>,
    next: Vec<i16>,
    /// The places of the layer's inputs that are not zero, `[BLOCK, room]`.
    places: Vec<u16>,
    /// `[BLOCK, most stretches]`.
    parts: Vec<Part>,
    logits: Vec<f32>,
}

impl QuantisedNet {
    /// The network with these weights.
    ///
    /// # Panics
    ///
    /// If the network does not take this version's observations.
    #[inline]
    pub fn new(weights: &Weights) -> Self {
        let config = weights.config().clone();
        assert_eq!(config.inputs, Observation::LEN, "the network takes other observations");
        let arrays = weights.arrays();
        let depth = config.hidden.len();
        let mut units = Vec::new();
        let mut trunk: Vec<Layer> = Vec::with_capacity(depth);
        // The range of the sums of the layer before.
        let mut reach: Vec<f32> = Vec::new();
        for (k, &width) in config.hidden.iter().enumerate() {
            let dense = Dense { weight: &arrays[2 * k].data, bias: &arrays[2 * k + 1].data };
            let reaches = dense.reaches(RANGE[k.min(1)]);
            let layer = match trunk.last_mut() {
                None => first_layer(&dense, &reaches, &mut units),
                Some(before) => next_layer(&dense, &reaches, before, &reach),
            };
            debug_assert_eq!(layer.bias.len(), padded(width) / TILE);
            trunk.push(layer);
            reach = reaches;
        }
        let head = |nth: usize| {
            let layer = depth + nth;
            Dense { weight: &arrays[2 * layer].data, bias: &arrays[2 * layer + 1].data }
        };
        let policy = (0..config.actions).map(|action| head(0).column(action, &reach)).collect();
        let value = head(1).column(0, &reach);
        Self { config, units, trunk, policy, value }
    }

    /// The shape of this network.
    pub fn config(&self) -> &NetConfig {
        &self.config
    }

    /// Working memory for this network.
    #[inline]
    pub fn scratch(&self) -> QuantisedScratch {
        let widths = self.config.hidden.iter().chain([&self.config.inputs]);
        let widest = widths.map(|&width| padded(width)).max().unwrap_or(0);
        let stretches = self.trunk.iter().map(|layer| layer.stretches.len()).max().unwrap_or(0);
        QuantisedScratch {
            now: vec![0; BLOCK * widest],
            next: vec![0; BLOCK * widest],
            places: vec![0; BLOCK * (widest + kernels::EIGHT)],
            parts: vec![Part::default(); BLOCK * stretches],
            logits: vec![0.0; self.config.actions],
        }
    }

    /// The logits of one observation: see [`QuantisedNet::logits_each`].
    ///
    /// # Panics
    ///
    /// If `scratch` is of a smaller network.
    #[inline]
    pub fn logits<'s>(
        &self,
        observation: &Observation,
        scratch: &'s mut QuantisedScratch,
    ) -> &'s [f32] {
        self.logits_each(core::slice::from_ref(observation), scratch, |_, _| {});
        &scratch.logits
    }

    /// Calls `answer(i, logits [actions])` for observation `i`, in order: the logits of the viewer's legal
    /// actions, −∞ for all others, and for cards to set apart.
    ///
    /// # Panics
    ///
    /// If `scratch` is of a smaller network.
    pub fn logits_each(
        &self,
        observations: &[Observation],
        scratch: &mut QuantisedScratch,
        mut answer: impl FnMut(usize, &[f32]),
    ) {
        for (nth, block) in observations.chunks(BLOCK).enumerate() {
            for (r, observation) in block.iter().enumerate() {
                let mut entries = ObservationEntries::BLANK;
                entries.read(observation);
                self.read(r, &entries, scratch);
            }
            self.hidden(block.len(), scratch);
            for (r, observation) in block.iter().enumerate() {
                let legal = observation.legal().bits();
                let (logits, _) = self.heads(r, legal, scratch);
                answer(nth * BLOCK + r, logits);
            }
        }
    }

    /// Calls `answer(i, logits [actions], value)` for row `i` of `[rows, inputs]`, in order: the logits of
    /// the actions in `asked(i)`, a bit each, −∞ for all others.
    ///
    /// A row of [`Observation::write`] has the logits of that observation, bit for bit. A fact that is not 0
    /// counts as 1, and numbers are clamped to the range of the network's inputs.
    ///
    /// # Panics
    ///
    /// If `scratch` is of a smaller network.
    pub fn forward_each(
        &self,
        rows: &[f32],
        asked: impl Fn(usize) -> u128,
        scratch: &mut QuantisedScratch,
        mut answer: impl FnMut(usize, &[f32], f32),
    ) {
        for (nth, block) in rows.chunks(BLOCK * self.config.inputs).enumerate() {
            let block = block.chunks_exact(self.config.inputs);
            for (r, row) in block.clone().enumerate() {
                self.read(r, row, scratch);
            }
            self.hidden(block.len(), scratch);
            for r in 0..block.len() {
                let row = nth * BLOCK + r;
                let (logits, units) = self.heads(r, asked(row), scratch);
                answer(row, logits, self.value.of(units));
            }
        }
    }

    /// Computes the last hidden layer `[count, width]` from `count` rows of the first layer's inputs, and
    /// leaves it in `scratch.now`.
    fn hidden(&self, count: usize, scratch: &mut QuantisedScratch) {
        let QuantisedScratch { now, next, places, parts, .. } = scratch;
        let room = places.len() / BLOCK;
        let mut width = padded(self.config.inputs);
        for (k, layer) in self.trunk.iter().enumerate() {
            let most = layer.stretches.len();
            if k > 0 {
                for r in 0..count {
                    let values = &now[r * width..(r + 1) * width];
                    let places = &mut places[r * room..(r + 1) * room];
                    kernels::nonzero(values, places, &mut parts[r * most..(r + 1) * most]);
                }
            }
            let rows = Rows { values: now, width, places, room, parts, count };
            kernels::apply(layer, &rows, next);
            core::mem::swap(now, next);
            width = layer.width();
        }
    }

    /// The logits of these actions of row `r`, −∞ for all others; and the units of the last hidden layer.
    #[inline]
    fn heads<'s>(
        &self,
        r: usize,
        asked: u128,
        scratch: &'s mut QuantisedScratch,
    ) -> (&'s [f32], &'s [i16]) {
        let QuantisedScratch { now, logits, .. } = scratch;
        let width = self.trunk.last().map_or(0, Layer::width);
        let units = &now[r * width..(r + 1) * width];
        logits.fill(f32::NEG_INFINITY);
        let mut left = asked;
        while left != 0 {
            let action = left.trailing_zeros() as usize;
            logits[action] = self.policy[action].of(units);
            left &= left - 1;
        }
        (logits, units)
    }

    /// Row `r` of the first layer's inputs.
    fn read(&self, r: usize, input: &(impl Input + ?Sized), scratch: &mut QuantisedScratch) {
        let QuantisedScratch { now, places, parts, .. } = scratch;
        let (room, width) = (places.len() / BLOCK, padded(self.config.inputs));
        let values = &mut now[r * width..(r + 1) * width];
        let places = &mut places[r * room..(r + 1) * room];
        let (mut count, mut size) = (0, 0);
        let mut place = |index: usize| {
            places[count] = index as u16;
            count += 1;
            count
        };
        let mut facts = 0;
        input.for_each_fact(|index| facts = place(index));
        let mut all = facts;
        input.for_each_number(|index, number| {
            // Rounded and clamped. A number that is rounded to 0 keeps its place: half a unit is added for each
            // place, and networks have been trained with that.
            let value = (number * self.units[index - Observation::FACTS] + 0.5) as i16;
            values[index] = value;
            size += kernels::size(value);
            all = place(index);
        });
        parts[2 * r] = Part { end: facts as u16, size: facts as i32 };
        parts[2 * r + 1] = Part { end: all as u16, size };
    }
}

/// An observation as the entries of a vector.
trait Input {
    /// Calls `f(index)` for every fact that is 1.
    fn for_each_fact(&self, f: impl FnMut(usize));

    /// Calls `f(index, value)` for every other entry that is not 0.
    fn for_each_number(&self, f: impl FnMut(usize, f32));
}

impl Input for ObservationEntries {
    fn for_each_fact(&self, f: impl FnMut(usize)) {
        self.for_each_fact(f);
    }

    fn for_each_number(&self, f: impl FnMut(usize, f32)) {
        self.for_each_number(f);
    }
}

impl Input for [f32] {
    fn for_each_fact(&self, mut f: impl FnMut(usize)) {
        for (index, &fact) in self[..Observation::FACTS].iter().enumerate() {
            if fact != 0.0 {
                f(index);
            }
        }
    }

    fn for_each_number(&self, mut f: impl FnMut(usize, f32)) {
        for (index, &number) in self.iter().enumerate().skip(Observation::FACTS) {
            if number != 0.0 {
                f(index, number);
            }
        }
    }
}

/// A width padded to whole tiles and whole stretches.
fn padded(width: usize) -> usize {
    width.next_multiple_of(if TILE > STRETCH { TILE } else { STRETCH })
}

#[cfg(test)]
mod tests;
