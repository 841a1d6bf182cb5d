//! The forward pass from plain weights.
//!
//! Each output is `bias + x₀w₀ + x₁w₁ + …`, summed in that order, one product and one sum at a time,
//! never fused. So the result does not depend on the width of the machine's vectors, a row gives the same
//! bits alone and in a batch, and zero inputs can be skipped.
//!
//! Because zeros are skipped, this is faster than a matrix product on small batches (`benches/net.rs`):
//! most of an observation and about half of the hidden units are zero, and weights are read tile by tile.

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

/// Numbers that are compared with zero together.
const EIGHT: usize = 8;

/// A network for inference only: plain arrays, no allocation in a call.
///
/// Threads can share it; each needs a separate [`Scratch`].
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
    /// `[stride / TILE, inputs]`: a tile of columns is contiguous, so that it stays in the nearest cache
    /// for all rows of a block.
    weight: Vec<Tile>,
    /// `[stride / TILE]`.
    bias: Vec<Tile>,
}

/// Adjacent columns, aligned to cache lines: a vector across two lines takes two loads.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Tile([f32; TILE]);

/// Working memory of a [`FastNet`], which the caller keeps between calls.
#[derive(Debug, Clone)]
pub struct Scratch {
    /// Numbers before and after a layer, `[BLOCK, width]`.
    now: Vec<f32>,
    next: Vec<f32>,
    /// The places of the layer's inputs that are not zero, `[BLOCK, widest + EIGHT]`.
    places: Vec<u16>,
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
        let strides = self.trunk.iter().chain([&self.head]).map(Dense::stride);
        let widest = strides.chain([padded(self.config.inputs)]).max().unwrap_or(0);
        Scratch {
            now: vec![0.0; BLOCK * widest],
            next: vec![0.0; BLOCK * widest],
            places: vec![0; BLOCK * (widest + EIGHT)],
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

    /// Several rows: calls `answer(row number, logits [actions], value)` for each, in order. The results
    /// are those of [`FastNet::forward`], bit for bit, in less time.
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
        let Scratch { now, next, places } = scratch;
        let room = places.len() / BLOCK;
        let mut width = padded(self.config.inputs);
        let mut counts = [0; BLOCK];
        let counts = &mut counts[..rows.len()];
        for (r, row) in rows.iter().enumerate() {
            assert_eq!(row.width(), self.config.inputs, "length of the observation");
            let range = r * width..(r + 1) * width;
            counts[r] = row.gather(&mut now[range], &mut places[r * room..(r + 1) * room]);
        }
        for (k, dense) in self.trunk.iter().chain([&self.head]).enumerate() {
            let hidden = k < self.trunk.len();
            let sparse = Sparse { values: now, width, places, room, counts };
            apply(dense, &sparse, hidden, &mut next[..rows.len() * dense.stride()]);
            core::mem::swap(now, next);
            width = dense.stride();
            if hidden {
                for (r, row) in now.chunks_exact(width).take(rows.len()).enumerate() {
                    counts[r] = nonzero(row, &mut places[r * room..(r + 1) * room]);
                }
            }
        }
    }
}

/// A row that a network takes as input.
pub trait Row {
    /// The length of the row, zeros included.
    fn width(&self) -> usize;

    /// Writes the numbers that are not zero at their places in `values`, and these places in order into
    /// `places`. Returns their count. The other entries of `values` mean nothing. Both slices have room for
    /// all numbers and a few more.
    fn gather(&self, values: &mut [f32], places: &mut [u16]) -> usize;
}

impl Row for [f32] {
    fn width(&self) -> usize {
        self.len()
    }

    fn gather(&self, values: &mut [f32], places: &mut [u16]) -> usize {
        let (row, rest) = values.split_at_mut(self.len());
        row.copy_from_slice(self);
        rest.fill(0.0);
        nonzero(values, places)
    }
}

impl Row for Observation {
    fn width(&self) -> usize {
        Self::LEN
    }

    fn gather(&self, values: &mut [f32], places: &mut [u16]) -> usize {
        let mut count = 0;
        self.for_each_nonzero(|index, value| {
            values[index] = value;
            places[count] = index as u16;
            count += 1;
        });
        count
    }
}

impl<R: Row + ?Sized> Row for &R {
    fn width(&self) -> usize {
        (**self).width()
    }

    fn gather(&self, values: &mut [f32], places: &mut [u16]) -> usize {
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

/// A block of rows, and the places that are not zero: row `r` has `counts[r]` of them from `r · room` on.
struct Sparse<'a> {
    /// `[rows, width]`.
    values: &'a [f32],
    width: usize,
    places: &'a [u16],
    room: usize,
    counts: &'a [usize],
}

/// Checks that a place of any row fits its type.
const _: () = assert!(NetConfig::MAX_WIDTH <= u16::MAX as usize);

/// A width padded to whole tiles.
fn padded(width: usize) -> usize {
    width.next_multiple_of(TILE)
}

/// Writes the places where `x` is not zero, and returns their count. The length of `x` is a multiple of
/// [`TILE`].
#[cfg_attr(feature = "std", multiversion(targets("x86_64+avx512f", "x86_64+avx2")))]
fn nonzero(x: &[f32], places: &mut [u16]) -> usize {
    /// Eight bytes of 0 or 1 times this number have their bits in the top byte, the first byte's lowest.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let mut count = 0;
    let mut start = 0;
    for tile in x.as_chunks::<TILE>().0 {
        let mut marks = [0; TILE];
        for (mark, &value) in marks.iter_mut().zip(tile) {
            *mark = u8::from(value != 0.0);
        }
        for &eight in marks.as_chunks::<EIGHT>().0 {
            let set = (u64::from_le_bytes(eight).wrapping_mul(GATHER) >> 56) as usize;
            // All eight are written; the next block overwrites those after the last bit.
            let written = &mut places[count..count + EIGHT];
            for (place, &bit) in written.iter_mut().zip(&BITS[set]) {
                *place = start + u16::from(bit);
            }
            count += set.count_ones() as usize;
            start += EIGHT as u16;
        }
    }
    count
}

/// The bits that are set in a byte, in order; then 0.
pub(crate) const BITS: [[u8; EIGHT]; 256] = {
    let mut bits = [[0; EIGHT]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < EIGHT {
            if byte >> bit & 1 == 1 {
                bits[byte][count] = bit as u8;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    bits
};

/// `out = bias + Σ values[p] · weight[p]`, then `max(0, ·)` if the layer has a `ReLU`;
/// `out` `[rows, stride]`.
///
/// With `std`, the instruction set is picked at run time; without it, the target of the build
/// decides. The result has the same bits.
#[cfg_attr(feature = "std", multiversion(targets("x86_64+avx512f", "x86_64+avx2")))]
fn apply(dense: &Dense, rows: &Sparse, relu: bool, out: &mut [f32]) {
    let (inputs, stride) = (dense.inputs, dense.stride());
    for (t, (weight, bias)) in dense.weight.chunks_exact(inputs).zip(&dense.bias).enumerate() {
        for (r, &count) in rows.counts.iter().enumerate() {
            let values = &rows.values[r * rows.width..][..weight.len()];
            let Tile(mut sum) = *bias;
            for &place in &rows.places[r * rows.room..r * rows.room + count] {
                let (value, Tile(row)) = (values[place as usize], weight[place as usize]);
                for j in 0..TILE {
                    sum[j] += value * row[j];
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
