//! The loops over whole numbers, compiled for several instruction sets.

#[cfg(feature = "std")]
use multiversion::multiversion;

use super::{Layer, STRETCH, Stretch, TILE};
use crate::fast::BITS;

/// Numbers that are compared with zero together.
pub(super) const EIGHT: usize = 8;

/// Adjacent columns, aligned to cache lines.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Tile(pub(super) [i16; TILE]);

impl Tile {
    pub(super) const ZEROS: Self = Self([0; TILE]);
}

/// The part of a row in a stretch.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Part {
    /// The end of its places.
    pub(super) end: u16,
    /// The sum of the [`size`]s of its values; for facts, their number.
    pub(super) size: i32,
}

/// The contribution of a value to the size of a part: its square, in units of 16.
pub(super) fn size(value: i16) -> i32 {
    let sixteenth = i32::from(value >> 4);
    sixteenth * sixteenth
}

/// A block of rows, and the places that are not zero.
pub(super) struct Rows<'a> {
    /// `[count, width]`.
    pub(super) values: &'a [i16],
    pub(super) width: usize,
    /// `[count, room]`.
    pub(super) places: &'a [u16],
    pub(super) room: usize,
    /// `[count, stretches]`.
    pub(super) parts: &'a [Part],
    pub(super) count: usize,
}

/// `out` `[count, width]`: the sum of bias and stretches, in order, as inputs of the next layer.
///
/// With `std`, the instruction set is picked at run time; without it, the target of the build decides.
#[cfg_attr(feature = "std", multiversion(targets("x86_64+avx512f", "x86_64+avx2")))]
pub(super) fn apply(layer: &Layer, rows: &Rows, out: &mut [i16]) {
    let width = layer.bias.len() * TILE;
    for (t, weight) in layer.weight.chunks_exact(layer.inputs).enumerate() {
        for r in 0..rows.count {
            tile(out, r * width + t * TILE).copy_from_slice(&layer.bias[t].0);
        }
        for (s, stretch) in layer.stretches.iter().enumerate() {
            for r in 0..rows.count {
                let out = tile(out, r * width + t * TILE);
                let (values, places, size) = rows.part(r, s, layer);
                if size > stretch.limit {
                    exact(*stretch, weight, values, places, out);
                } else if stretch.facts {
                    add_facts(weight, places, out);
                } else {
                    add_products(weight, values, places, out);
                }
            }
        }
        for r in 0..rows.count {
            let bounds = layer.most[t].0.iter().zip(&layer.factor[t].0);
            let out = tile(out, r * width + t * TILE);
            for (x, (&most, &factor)) in out.iter_mut().zip(bounds) {
                *x = (*x).max(0).min(most).wrapping_mul(factor);
            }
        }
    }
}

fn tile(out: &mut [i16], start: usize) -> &mut [i16; TILE] {
    (&mut out[start..start + TILE]).try_into().expect("a tile")
}

impl Rows<'_> {
    /// A row's values, the places in a stretch that are not zero, and the size of that part.
    #[expect(clippy::inline_always, reason = "part of the kernel")]
    #[inline(always)]
    fn part(&self, row: usize, stretch: usize, layer: &Layer) -> (&[i16], &[u16], i32) {
        let parts = &self.parts[row * layer.stretches.len()..][..=stretch];
        let start = if stretch == 0 { 0 } else { parts[stretch - 1].end };
        let first = row * self.room;
        let places =
            &self.places[first + usize::from(start)..first + usize::from(parts[stretch].end)];
        (&self.values[row * self.width..][..layer.inputs], places, parts[stretch].size)
    }
}

/// Adds the weights of facts, if their sum stays within 16 bits.
#[expect(clippy::inline_always, reason = "part of the kernel")]
#[inline(always)]
fn add_facts(weight: &[Tile], places: &[u16], out: &mut [i16; TILE]) {
    let mut sum = [0_i16; TILE];
    for &place in places {
        let Tile(row) = &weight[usize::from(place)];
        for j in 0..TILE {
            sum[j] = sum[j].wrapping_add(row[j]);
        }
    }
    for j in 0..TILE {
        out[j] = out[j].saturating_add(sum[j]);
    }
}

/// Adds the upper halves of products, if their sum stays within 16 bits.
#[expect(clippy::inline_always, reason = "part of the kernel")]
#[inline(always)]
fn add_products(weight: &[Tile], values: &[i16], places: &[u16], out: &mut [i16; TILE]) {
    // Each product is rounded down.
    let mut sum = [(places.len() / 2) as i16; TILE];
    for &place in places {
        let (value, Tile(row)) = (values[usize::from(place)], &weight[usize::from(place)]);
        for j in 0..TILE {
            // This form compiles to one instruction.
            let product = (i32::from(value) * i32::from(row[j])) >> 16;
            sum[j] = sum[j].wrapping_add(product as i16);
        }
    }
    for j in 0..TILE {
        out[j] = out[j].saturating_add(sum[j]);
    }
}

/// Adds the same sums for any values: computed in 32 bits, then clamped to 16.
#[cold]
#[inline(never)]
fn exact(stretch: Stretch, weight: &[Tile], values: &[i16], places: &[u16], out: &mut [i16; TILE]) {
    let half = if stretch.facts { 0 } else { places.len() / 2 };
    let mut sum = [half as i32; TILE];
    for &place in places {
        let place = usize::from(place);
        let value = if stretch.facts { 1 << 16 } else { i32::from(values[place]) };
        for (sum, &w) in sum.iter_mut().zip(&weight[place].0) {
            *sum += (value * i32::from(w)) >> 16;
        }
    }
    for (out, sum) in out.iter_mut().zip(sum) {
        *out = out.saturating_add(sum.clamp(i16::MIN.into(), i16::MAX.into()) as i16);
    }
}

/// The sum of the products of two rows.
#[cfg_attr(feature = "std", multiversion(targets("x86_64+avx512f", "x86_64+avx2")))]
pub(super) fn dot(a: &[i16], b: &[i16]) -> i32 {
    a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
}

/// Writes the places where `values` are not zero, and the part of each stretch of [`STRETCH`] inputs.
#[cfg_attr(feature = "std", multiversion(targets("x86_64+avx512f", "x86_64+avx2")))]
pub(super) fn nonzero(values: &[i16], places: &mut [u16], parts: &mut [Part]) {
    /// Eight bytes of 0 or 1 times this number have their bits in the top byte, the first byte's lowest.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let (mut count, mut start) = (0, 0);
    for (stretch, part) in values.as_chunks::<STRETCH>().0.iter().zip(parts) {
        let mut marks = [0; STRETCH];
        for (mark, &value) in marks.iter_mut().zip(stretch) {
            *mark = u8::from(value != 0);
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
        let size = stretch.iter().map(|&value| size(value)).sum();
        *part = Part { end: count as u16, size };
    }
}
