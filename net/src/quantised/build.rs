//! The conversion of weights to whole numbers.

use alloc::vec;
use alloc::vec::Vec;

use newmarket_env::Observation;

use super::kernels::Tile;
use super::{Column, Layer, STRETCH, Stretch, TILE, padded};

/// The largest value of a unit's sum.
const TOP: f32 = 32767.0;

/// The weights and biases of a layer, `[inputs, outputs]` and `[outputs]`.
pub(super) struct Dense<'a> {
    pub(super) weight: &'a [f32],
    pub(super) bias: &'a [f32],
}

impl Dense<'_> {
    #[inline]
    fn row(&self, input: usize) -> &[f32] {
        &self.weight[input * self.bias.len()..(input + 1) * self.bias.len()]
    }

    #[inline]
    fn inputs(&self) -> usize {
        self.weight.len() / self.bias.len()
    }

    /// The range of each output's sum: this many norms of its weights.
    #[inline]
    pub(super) fn reaches(&self, range: f32) -> Vec<f32> {
        let mut squares = vec![0.0; self.bias.len()];
        for row in self.weight.chunks_exact(self.bias.len()) {
            squares.iter_mut().zip(row).for_each(|(sum, w)| *sum += w * w);
        }
        let reach =
            |(square, bias): (f32, &f32)| (range * libm::sqrtf(square)).max(2.0 * bias.abs());
        squares
            .into_iter()
            .zip(self.bias)
            .map(|output| reach(output).max(f32::MIN_POSITIVE))
            .collect()
    }

    /// A layer in which 1 in input `i` has the value `worth(i)` if it is a fact, and 65,536 in input `i`
    /// have this value if it is a number.
    #[inline]
    fn layer(&self, reach: &[f32], facts: usize, worth: impl Fn(usize) -> f32) -> Layer {
        let (inputs, tiles) = (self.inputs(), padded(self.bias.len()) / TILE);
        let zeros = || vec![Tile::ZEROS; tiles];
        let mut layer = Layer {
            inputs,
            weight: vec![Tile::ZEROS; tiles * inputs],
            bias: zeros(),
            most: zeros(),
            factor: zeros(),
            stretches: Vec::new(),
        };
        let scale: Vec<f32> = reach.iter().map(|reach| TOP / reach).collect();
        for (j, (bias, scale)) in self.bias.iter().zip(&scale).enumerate() {
            layer.bias[j / TILE].0[j % TILE] = rounded(bias * scale);
            layer.most[j / TILE].0[j % TILE] = i16::MAX;
            layer.factor[j / TILE].0[j % TILE] = 1;
        }
        for i in 0..inputs {
            let worth = worth(i);
            for (j, (w, scale)) in self.row(i).iter().zip(&scale).enumerate() {
                let exact = rounded(w * worth * scale);
                // A product is rounded down, by half a unit on average. Half a unit is added for each
                // product, so it must be subtracted for products of zero.
                let weight = if exact == 0 && i >= facts { -((i + j) as i16 & 1) } else { exact };
                layer.weight[j / TILE * inputs + i].0[j % TILE] = weight;
            }
        }
        layer
    }
}

/// The first layer. `units` gets the factors of the numbers, in the order of the entries.
#[inline]
pub(super) fn first_layer(dense: &Dense, reach: &[f32], units: &mut Vec<f32>) -> Layer {
    const FACTS: usize = Observation::FACTS;
    // The largest number that is not clamped: half of the largest value of a unit.
    let largest = |i: usize| {
        let share = dense.row(i).iter().zip(reach).map(|(w, reach)| w.abs() / reach);
        0.5 / share.fold(1e-6, f32::max)
    };
    let largest: Vec<f32> = (FACTS..dense.inputs()).map(largest).collect();
    units.extend(largest.iter().map(|largest| TOP / largest));
    let worth = |i: usize| if i < FACTS { 1.0 } else { 2.0 * largest[i - FACTS] };
    let mut layer = dense.layer(reach, FACTS, worth);
    layer.push_stretch(FACTS, true);
    layer.push_stretch(dense.inputs(), false);
    layer
}

/// A later layer, after a layer whose units have this range.
#[inline]
pub(super) fn next_layer(
    dense: &Dense,
    reach: &[f32],
    before: &mut Layer,
    reach_before: &[f32],
) -> Layer {
    // A unit to which later layers are sensitive is clamped earlier, at a half or a quarter.
    let shift = |i: usize| {
        let share = dense.row(i).iter().zip(reach).map(|(w, reach)| w.abs() / reach);
        let most = share.fold(0.0, f32::max) * reach_before[i];
        (0..13).find(|&shift| most < 0.9999 * (1 << shift) as f32).unwrap_or(13)
    };
    let shifts: Vec<u32> = (0..dense.inputs()).map(shift).collect();
    for (i, &shift) in shifts.iter().enumerate() {
        before.most[i / TILE].0[i % TILE] = i16::MAX >> (shift + 1);
        before.factor[i / TILE].0[i % TILE] = 1 << (shift + 1);
    }
    let mut layer = dense.layer(reach, 0, |i| reach_before[i] / (1 << shifts[i]) as f32);
    for start in (0..dense.inputs()).step_by(STRETCH) {
        layer.push_stretch((start + STRETCH).min(dense.inputs()), false);
    }
    layer
}

impl Dense<'_> {
    /// A column of the head, after a layer whose units have this range.
    #[inline]
    pub(super) fn column(&self, action: usize, reach: &[f32]) -> Column {
        let exact = |(i, reach): (usize, &f32)| self.row(i)[action] * reach / TOP;
        let exact: Vec<f32> = reach.iter().enumerate().map(exact).collect();
        let most = exact.iter().map(|w| w.abs()).fold(f32::MIN_POSITIVE, f32::max);
        let sum: f32 = exact.iter().map(|w| w.abs()).sum();
        // With rounding, units of 32,767 times weights of 65,000 stay within 32 bits.
        let unit = (most / TOP).max(sum / (65_000.0 - reach.len() as f32));
        let mut weight: Vec<i16> = exact.iter().map(|w| rounded(w / unit)).collect();
        weight.resize(padded(reach.len()), 0);
        Column { weight, unit, bias: self.bias[action] }
    }
}

impl Layer {
    /// Adds a stretch that ends at this input.
    #[inline]
    fn push_stretch(&mut self, end: usize, facts: bool) {
        let start = self.stretches.last().map_or(0, |before| before.end);
        let square = |tile: &[Tile], j: usize| -> f64 {
            let column = tile[start..end].iter().map(|row| f64::from(row.0[j]));
            column.map(|w| w * w).sum()
        };
        let tiles = self.weight.chunks_exact(self.inputs);
        let squares = tiles.flat_map(|tile| (0..TILE).map(move |j| square(tile, j)));
        let norm = libm::sqrt(squares.fold(1.0, f64::max));
        // Rounding changes each product by at most 1.
        let room = f64::from(TOP) - 2.0 * (end - start) as f64;
        let limit = if facts {
            (room / norm) * (room / norm)
        } else {
            let norm = 65536.0 * room / norm;
            let halved = (norm - 16.0 * libm::sqrt((end - start) as f64)) / 16.0;
            halved.max(0.0) * halved.max(0.0)
        };
        self.stretches.push(Stretch { end, facts, limit: limit.min(1e9) as i32 });
    }
}

#[inline]
fn rounded(x: f32) -> i16 {
    libm::roundf(x) as i16
}
