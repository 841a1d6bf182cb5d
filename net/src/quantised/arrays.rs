//! The whole numbers of a network as plain arrays, for programs that compute the same elsewhere.

use alloc::vec;
use alloc::vec::Vec;

use super::{Layer, QuantisedNet, TILE};

/// A network in whole numbers, as [`QuantisedNet`] computes with it.
///
/// A fact of an observation, one of its first `Observation::FACTS` entries, is 1 or 0. A number `x` becomes
/// `x * unit + 0.5` in `f32`, cut off towards zero and clamped to 16 bits.
#[derive(Debug, Clone)]
pub struct WholeNumbers {
    /// The factor of each number of an observation.
    pub units: Vec<f32>,
    /// The hidden layers, in order.
    pub trunk: Vec<WholeLayer>,
    /// The logits.
    pub policy: WholeHead,
    /// The value, one output.
    pub value: WholeHead,
}

/// A hidden layer in whole numbers.
///
/// The sum of an output begins with its bias. Each stretch of inputs adds its own sum, clamped to 16 bits, and the
/// result is clamped to 16 bits again. A fact adds its weight. A number `v` adds `v * weight / 65536`, rounded down, and
/// a stretch of numbers adds half of the count of its inputs that are not 0, rounded down. In the first layer an input
/// counts that was not 0 before it was rounded. The output is the sum, clamped to 0 to `most`, times `factor`.
#[derive(Debug, Clone)]
pub struct WholeLayer {
    /// `[inputs, outputs]`.
    pub weight: Vec<i16>,
    /// `[outputs]`.
    pub bias: Vec<i16>,
    /// `[outputs]`.
    pub most: Vec<i16>,
    /// `[outputs]`.
    pub factor: Vec<i16>,
    /// The end of each stretch of inputs, and whether its inputs are facts.
    pub stretches: Vec<(usize, bool)>,
}

/// Outputs of a network: the sum of products, times `unit`, plus `bias`; the last two steps in `f32`.
#[derive(Debug, Clone)]
pub struct WholeHead {
    /// `[inputs, outputs]`.
    pub weight: Vec<i16>,
    /// `[outputs]`.
    pub unit: Vec<f32>,
    /// `[outputs]`.
    pub bias: Vec<f32>,
}

impl QuantisedNet {
    /// The whole numbers of this network.
    pub fn arrays(&self) -> WholeNumbers {
        let widths = &self.config.hidden;
        let trunk = self.trunk.iter().zip(widths).map(|(layer, &width)| layer.arrays(width));
        let last = widths.last().map_or(self.config.inputs, |&width| width);
        let head = |columns: &[super::Column]| {
            let weight = (0..last).flat_map(|i| columns.iter().map(move |column| column.weight[i]));
            WholeHead {
                weight: weight.collect(),
                unit: columns.iter().map(|column| column.unit).collect(),
                bias: columns.iter().map(|column| column.bias).collect(),
            }
        };
        WholeNumbers {
            units: self.units.clone(),
            trunk: trunk.collect(),
            policy: head(&self.policy),
            value: head(core::slice::from_ref(&self.value)),
        }
    }
}

impl Layer {
    fn arrays(&self, width: usize) -> WholeLayer {
        let row = |tiles: &[super::Tile]| -> Vec<i16> {
            (0..width).map(|j| tiles[j / TILE].0[j % TILE]).collect()
        };
        let mut weight = vec![0; self.inputs * width];
        for i in 0..self.inputs {
            for j in 0..width {
                weight[i * width + j] = self.weight[j / TILE * self.inputs + i].0[j % TILE];
            }
        }
        WholeLayer {
            weight,
            bias: row(&self.bias),
            most: row(&self.most),
            factor: row(&self.factor),
            stretches: self.stretches.iter().map(|stretch| (stretch.end, stretch.facts)).collect(),
        }
    }
}
