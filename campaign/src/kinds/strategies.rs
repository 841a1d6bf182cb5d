//! Strategy files: mutated, or with hostile values.

use crate::attempt::{Attempt, filled};
use crate::common::{one_in, one_of};
use crate::hostile::STRATEGIES;
use crate::kinds::rules::hostile_value;
use crate::mutate::mutate;
use crate::program::Call;
use crate::verdict::Failure;

/// Commands that read a strategy file `@`.
const READERS: [&[&str]; 6] = [
    &["strategy", "check", "@"],
    &["strategy", "show", "@"],
    &["strategy", "show", "@", "--json"],
    &["duel", "strategy:@", "longest", "--rules", "newmarket-buy", "--deals", "1"],
    &["duel", "stopper", "strategy:@", "--rules", "three-in-one", "--deals", "1"],
    &["trace", "--agents", "strategy:@", "--rules", "michigan-auction", "--deals", "1"],
];

pub(crate) fn law(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let rng = &mut attempt.rng;
    let file = if one_in(rng, 4) {
        hostile_value(&attempt.materials.strategies, rng)
    } else {
        mutate(&attempt.materials.strategies, STRATEGIES, rng)
    };
    let command = one_of(rng, &READERS);
    attempt.write("mine.toml", file);
    attempt.run(&Call::new(filled(command, "mine.toml"), 300)).map(drop)
}
