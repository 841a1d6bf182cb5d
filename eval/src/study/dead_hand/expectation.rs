//! What all features of a hand together let one expect of a choice.

use super::features::{FEATURES, STARTS, Values};
use super::offers::Sample;
use crate::study::least_squares::NormalEquations;

/// Least squares on a constant, every feature, and whether it is in each of its ranges: a gain need not rise
/// evenly with a feature.
pub(super) struct Expectation {
    coefficients: Vec<f64>,
}

/// The constant and the features, after which the ranges follow.
const RANGES: usize = FEATURES.len() + 1;
const COLUMNS: usize = RANGES + STARTS[FEATURES.len()];

/// What is not 0 of a hand's row.
fn row(values: &Values) -> [(usize, f64); 2 * FEATURES.len() + 1] {
    let mut row = [(0, 1.0); 2 * FEATURES.len() + 1];
    for (at, &value) in values.iter().enumerate() {
        row[1 + at] = (1 + at, value);
        row[RANGES + at] = (RANGES + STARTS[at] + FEATURES[at].level(value), 1.0);
    }
    row
}

impl Expectation {
    /// Of the gain by one of the choices, of which these hands are examples; nothing without any.
    pub(super) fn of(hands: &[Sample], choice: usize) -> Option<Self> {
        let mut sums = NormalEquations::new(COLUMNS);
        for hand in hands {
            sums.add_some(&row(&hand.values), hand.gains[choice]);
        }
        Some(Self { coefficients: sums.solve()? })
    }

    /// The gain that a hand lets one expect, in chips.
    pub(super) fn at(&self, values: &Values) -> f64 {
        row(values).iter().map(|&(column, value)| self.coefficients[column] * value).sum()
    }
}
