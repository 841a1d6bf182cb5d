//! Drawing.

use newmarket_env::Rng;
use newmarket_env::seed::below;

/// A number below `n`.
pub(crate) fn draw(rng: &mut Rng, n: usize) -> usize {
    below(rng, n as u32) as usize
}

/// One of these.
pub(crate) fn one_of<T: Copy>(rng: &mut Rng, items: &[T]) -> T {
    items[draw(rng, items.len())]
}

/// Whether one of `n` equal chances came.
pub(crate) fn one_in(rng: &mut Rng, n: usize) -> bool {
    draw(rng, n) == 0
}
