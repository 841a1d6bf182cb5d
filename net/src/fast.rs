//! The forward pass from plain weights.
//!
//! Each output is `bias + x₀w₀ + x₁w₁ + …`, summed in that order, one product and one sum at a
//! time, never fused. So the width of the machine's vectors does not show in the result, a row
//! gives the same bits alone and in a batch, and skipping the inputs that are zero changes nothing.
//!
//! Skipping is also why this beats a matrix product on small batches (`benches/net.rs`): most of an
//! observation and about half of the hidden units are zero, and weights are read tile by tile.

use alloc::vec;
use alloc::vec::Vec;

#[cfg(feature = "std")]
use multiversion::multiversion;
use newmarket_env::Observation;

use crate::config::NetConfig;
use crate::weights::Weights;

/// Columns that a kernel keeps in registers; the width of every layer is padded to a multiple.
const TILE: usize = 32;

/// Rows that pass through a layer together.
const BLOCK: usize = 16;

/// A network for inference only: plain arrays, no allocation in a call.
///
/// It can be shared among threads; each brings its own [`Scratch`].
///
/// ```
/// use newmarket_net::{FastNet, NetConfig, Weights};
///
/// let config = NetConfig { inputs: 8, hidden: vec![16], actions: 4 };
/// let net = FastNet::new(&Weights::init(&config, 7));
/// let mut scratch = net.scratch();
/// let (logits, value) = net.forward(&[1.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0][..], &mut scratch);
/// assert_eq!(logits.len(), 4);
/// assert!(value.is_finite());
/// ```
#[derive(Debug, Clone)]
pub struct FastNet {
    config: NetConfig,
    trunk: Vec<Dense>,
    /// Policy and value heads side by side: columns `0..actions` are logits, the next the value.
    head: Dense,
}

/// A dense layer, its columns padded with zeros.
#[derive(Debug, Clone)]
struct Dense {
    /// Length of an input row.
    inputs: usize,
    /// `[stride / TILE, inputs]`: the part of a tile of columns lies in one piece, so that it stays
    /// in the nearest cache while the rows of a block pass by.
    weight: Vec<Tile>,
    /// `[stride / TILE]`.
    bias: Vec<Tile>,
}

/// Columns side by side, aligned to the lines of the caches: a vector that lies across two lines
/// takes two loads.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Tile([f32; TILE]);

/// Working memory of a [`FastNet`], owned by the caller and used again in every call.
#[derive(Debug, Clone)]
pub struct Scratch {
    /// Activations before and after a layer, `[BLOCK, stride]`.
    now: Vec<f32>,
    next: Vec<f32>,
    /// The inputs of each row of a block that are not zero, and where they stand.
    values: Vec<f32>,
    places: Vec<u32>,
}

impl FastNet {
    /// The network with these weights.
    pub fn new(weights: &Weights) -> Self {
        let config = weights.config().clone();
        let layers = config.layers();
        let arrays = weights.arrays();
        let depth = config.hidden.len();
        let trunk = (0..depth)
            .map(|k| {
                let mut dense = Dense::zeros(layers[k].inputs, layers[k].outputs);
                dense.fill(0, &arrays[2 * k].data, &arrays[2 * k + 1].data);
                dense
            })
            .collect();
        let mut head = Dense::zeros(layers[depth].inputs, config.actions + 1);
        head.fill(0, &arrays[2 * depth].data, &arrays[2 * depth + 1].data);
        head.fill(config.actions, &arrays[2 * depth + 2].data, &arrays[2 * depth + 3].data);
        Self { config, trunk, head }
    }

    /// The shape of this network.
    pub fn config(&self) -> &NetConfig {
        &self.config
    }

    /// Working memory for this network.
    pub fn scratch(&self) -> Scratch {
        let widths = self.trunk.iter().chain([&self.head]);
        let stride = widths.clone().map(Dense::stride).max().unwrap_or(0);
        let inputs = widths.map(|d| d.inputs).max().unwrap_or(0);
        Scratch {
            now: vec![0.0; BLOCK * stride],
            next: vec![0.0; BLOCK * stride],
            values: vec![0.0; BLOCK * inputs],
            places: vec![0; BLOCK * inputs],
        }
    }

    /// One row → (logits `[actions]`, value).
    ///
    /// # Panics
    ///
    /// If the row is not `inputs` long, or `scratch` is of a smaller network.
    pub fn forward<'s, R: Row + ?Sized>(
        &self,
        row: &R,
        scratch: &'s mut Scratch,
    ) -> (&'s [f32], f32) {
        self.block(&[row], scratch);
        let actions = self.config.actions;
        (&scratch.now[..actions], scratch.now[actions])
    }

    /// Several rows: calls `answer(row number, logits [actions], value)` for each, in order. The
    /// answers are those of [`FastNet::forward`], bit for bit, in half the time or less.
    ///
    /// # Panics
    ///
    /// If a row is not `inputs` long, or `scratch` is of a smaller network.
    pub fn forward_each<R: Row>(
        &self,
        rows: &[R],
        scratch: &mut Scratch,
        mut answer: impl FnMut(usize, &[f32], f32),
    ) {
        let actions = self.config.actions;
        for (nth, block) in rows.chunks(BLOCK).enumerate() {
            self.block(block, scratch);
            let outputs = scratch.now.chunks_exact(self.head.stride());
            for (row, out) in (nth * BLOCK..).zip(outputs.take(block.len())) {
                answer(row, &out[..actions], out[actions]);
            }
        }
    }

    /// At most [`BLOCK`] rows; leaves the head's outputs `[rows, stride]` in `scratch.now`.
    fn block<R: Row>(&self, rows: &[R], scratch: &mut Scratch) {
        let Scratch { now, next, values, places } = scratch;
        let mut counts = [0; BLOCK];
        let inputs = self.config.inputs;
        for (r, row) in rows.iter().enumerate() {
            assert_eq!(row.width(), inputs, "length of the observation");
            let at = r * inputs..(r + 1) * inputs;
            counts[r] = row.gather(&mut values[at.clone()], &mut places[at]);
        }
        for (k, dense) in self.trunk.iter().chain([&self.head]).enumerate() {
            let sparse = Sparse { values, places, counts: &counts[..rows.len()] };
            apply(dense, &sparse, k < self.trunk.len(), &mut next[..rows.len() * dense.stride()]);
            core::mem::swap(now, next);
            let Some(&width) = self.config.hidden.get(k) else { break };
            for (r, row) in now.chunks_exact(dense.stride()).take(rows.len()).enumerate() {
                let at = r * width..(r + 1) * width;
                counts[r] = gather(&row[..width], &mut values[at.clone()], &mut places[at]);
            }
        }
    }
}

/// A row that a network takes as input.
pub trait Row {
    /// Its length, zeros included.
    fn width(&self) -> usize;

    /// Writes the numbers that are not zero and their places, in order of these, into slices that
    /// have room for all numbers; says how many there are.
    fn gather(&self, values: &mut [f32], places: &mut [u32]) -> usize;
}

impl Row for [f32] {
    fn width(&self) -> usize {
        self.len()
    }

    fn gather(&self, values: &mut [f32], places: &mut [u32]) -> usize {
        gather(self, values, places)
    }
}

impl Row for Observation {
    fn width(&self) -> usize {
        Self::LEN
    }

    fn gather(&self, values: &mut [f32], places: &mut [u32]) -> usize {
        let mut count = 0;
        self.for_each_nonzero(|index, value| {
            values[count] = value;
            places[count] = index as u32;
            count += 1;
        });
        count
    }
}

impl<R: Row + ?Sized> Row for &R {
    fn width(&self) -> usize {
        (**self).width()
    }

    fn gather(&self, values: &mut [f32], places: &mut [u32]) -> usize {
        (**self).gather(values, places)
    }
}

impl Dense {
    fn zeros(inputs: usize, outputs: usize) -> Self {
        let (zeros, tiles) = (Tile([0.0; TILE]), outputs.div_ceil(TILE));
        Self { inputs, weight: vec![zeros; inputs * tiles], bias: vec![zeros; tiles] }
    }

    fn stride(&self) -> usize {
        self.bias.len() * TILE
    }

    /// Writes a `[inputs, n]` weight and `[n]` bias at column `column`.
    fn fill(&mut self, column: usize, weight: &[f32], bias: &[f32]) {
        for (j, &b) in (column..).zip(bias) {
            self.bias[j / TILE].0[j % TILE] = b;
        }
        for (i, row) in weight.chunks_exact(bias.len()).enumerate() {
            for (j, &w) in (column..).zip(row) {
                self.weight[j / TILE * self.inputs + i].0[j % TILE] = w;
            }
        }
    }
}

/// A block of rows without their zeros: row `r` has `counts[r]` values from `r · inputs` on.
struct Sparse<'a> {
    values: &'a [f32],
    places: &'a [u32],
    counts: &'a [usize],
}

/// Collects the values that are not zero and their places; returns how many there are.
fn gather(x: &[f32], values: &mut [f32], places: &mut [u32]) -> usize {
    let mut count = 0;
    for (i, &v) in x.iter().enumerate() {
        // No branch: zeros are overwritten by what comes next.
        values[count] = v;
        places[count] = i as u32;
        count += usize::from(v != 0.0);
    }
    count
}

/// `out = bias + Σ values[k] · weight[places[k]]`, then `max(0, ·)` where asked;
/// `out` `[rows, stride]`.
///
/// With `std`, the instruction set is picked at run time; without it, the target of the build
/// decides. The result has the same bits.
#[cfg_attr(feature = "std", multiversion(targets("x86_64+avx512f", "x86_64+avx2")))]
fn apply(dense: &Dense, rows: &Sparse, relu: bool, out: &mut [f32]) {
    let (inputs, stride) = (dense.inputs, dense.stride());
    for (t, (weight, bias)) in dense.weight.chunks_exact(inputs).zip(&dense.bias).enumerate() {
        for (r, &count) in rows.counts.iter().enumerate() {
            let at = r * inputs..r * inputs + count;
            let Tile(mut sum) = *bias;
            for (&v, &p) in rows.values[at.clone()].iter().zip(&rows.places[at]) {
                let Tile(row) = weight[p as usize];
                for j in 0..TILE {
                    sum[j] += v * row[j];
                }
            }
            if relu {
                for x in &mut sum {
                    *x = x.max(0.0);
                }
            }
            let start = r * stride + t * TILE;
            out[start..start + TILE].copy_from_slice(&sum);
        }
    }
}
