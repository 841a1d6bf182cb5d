//! An observation as a whole vector. Every entry is written once, zeros too, most of them eight at a
//! time. [`Observation::for_each_nonzero`](super::Observation::for_each_nonzero) gives the same entries
//! one by one.

use super::expanded::Expanded;
use super::outlook::outlook;
use super::spans::{FLAGS_AT, LEN, OUTLOOK_SCALES, OUTLOOKS_AT, SCALARS, SCALARS_AT, scale};

/// The bits of a byte as numbers, the lowest first.
static BITS: [[f32; 8]; 256] = {
    let mut table = [[0.0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte][bit] = (byte >> bit & 1) as f32;
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The value of a count of 1, by index within the numbers.
static SCALES: [f32; SCALARS] = {
    let mut scales = [0.0; SCALARS];
    let mut index = 0;
    while index < SCALARS {
        scales[index] = scale(index);
        index += 1;
    }
    scales
};

#[inline]
fn put_bits(out: &mut [f32; LEN], index: usize, byte: u64) {
    out[index..index + 8].copy_from_slice(&BITS[usize::from(byte as u8)]);
}

/// Writes the vector from its beginning to its end: the eight entries of a byte may overlap entries that
/// are written later. With `std`, the instruction set is chosen at run time.
#[cfg_attr(feature = "std", multiversion::multiversion(targets("x86_64+avx2")))]
pub(super) fn write(expanded: &Expanded, out: &mut [f32; LEN]) {
    for (plane, cards) in expanded.planes.in_order().into_iter().enumerate() {
        for suit in 0..4 {
            let (index, lane) = (52 * plane + 13 * suit, cards.bits() >> (16 * suit));
            put_bits(out, index, lane);
            put_bits(out, index + 8, lane >> 8);
        }
    }
    for byte in 0..(SCALARS_AT - FLAGS_AT).div_ceil(8) {
        put_bits(out, FLAGS_AT + 8 * byte, expanded.flags[byte / 8] >> (byte % 8 * 8));
    }
    let numbers = &mut out[SCALARS_AT..OUTLOOKS_AT];
    for ((number, &value), scale) in numbers.iter_mut().zip(&expanded.scalars).zip(&SCALES) {
        *number = f32::from(value) * scale;
    }
    let spans = out[OUTLOOKS_AT..].as_chunks_mut::<4>().0;
    for ((span, by_suit), scale) in spans.iter_mut().zip(outlook(expanded)).zip(OUTLOOK_SCALES) {
        *span = by_suit.map(|value| value * scale);
    }
}
