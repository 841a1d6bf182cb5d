//! Text files with very many faults, or with a very long one.

use crate::attempt::{Attempt, filled};
use crate::common::one_of;
use crate::hostile::FLOODS;
use crate::program::Call;
use crate::verdict::Failure;

pub(crate) fn law(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let flood = one_of(&mut attempt.rng, &FLOODS);
    let size = one_of(&mut attempt.rng, &[100, 10_000, 900_000]);
    attempt.write("flood", (flood.text)(size));
    attempt.refuses(&Call::new(filled(flood.reader, "flood"), 10_000), "a flood").map(drop)
}
