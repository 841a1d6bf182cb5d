//! Random draws.

use newmarket_env::Rng;
use newmarket_env::seed::below;

use crate::hostile::{NUMBERS, PATHS, WORDS};

/// A number below `n`.
pub(crate) fn draw(rng: &mut Rng, n: usize) -> usize {
    below(rng, n as u32) as usize
}

/// One of these.
pub(crate) fn one_of<T: Copy>(rng: &mut Rng, items: &[T]) -> T {
    items[draw(rng, items.len())]
}

/// True with a chance of one in `n`.
pub(crate) fn one_in(rng: &mut Rng, n: usize) -> bool {
    draw(rng, n) == 0
}

/// A hostile number.
pub(crate) fn number(rng: &mut Rng) -> &'static str {
    one_of(rng, &NUMBERS)
}

/// Anything hostile: mostly a number, now and then a very long word.
pub(crate) fn anything(rng: &mut Rng) -> String {
    match draw(rng, 8) {
        0 | 1 => one_of(rng, &WORDS).into(),
        2 => one_of(rng, &PATHS).into(),
        3 if one_in(rng, 20) => "x".repeat(100_000),
        _ => number(rng).into(),
    }
}
