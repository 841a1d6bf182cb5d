//! What every role gets at a final layout, fitted to deals, and how well that tells other layouts.

use std::ops::Range;

use newmarket_agents::Table;
use newmarket_agents::paired::{CHUNK, run_chunks};
use newmarket_env::Seed;

use super::layouts::{Antes, Layout, is_held_out, on_top, placed, starts_with};
use crate::study::ante::splits::{Split, SplitTable};
use crate::study::least_squares::NormalEquations;
use crate::study::measure::Measurement;
use crate::study::payoff::Ledger;
use crate::study::setting::Setting;
use crate::study::tally::Tally;

/// Layouts that are tried on the cards of a deal.
const LAYOUTS: usize = 4;
/// Parts of the deals that are fitted one by one, for the noise of a difference.
pub(super) const FOLDS: usize = 10;
/// So many of them are measured, on one deal for so many of the fit.
const TESTED: usize = 12;
const TESTED_EVERY: u64 = 4;

/// A quadratic in the chips on the cells, without a constant.
fn features(layout: &[i32], unit: f64) -> Vec<f64> {
    let chips: Vec<f64> = layout.iter().map(|&chips| f64::from(chips) / unit).collect();
    let squares = (0..chips.len()).flat_map(|a| {
        let chips = &chips;
        (a..chips.len()).map(move |b| chips[a] * chips[b])
    });
    chips.iter().copied().chain(squares).collect()
}

/// What every role gets at a final layout, up to a constant.
pub(super) struct Model {
    pub(super) unit: f64,
    /// By place in `lefts` and role: coefficients of all deals, then of each fold.
    pub(super) fits: Vec<Vec<Vec<Vec<f64>>>>,
}

impl Model {
    /// Fits it; nothing if there are too few deals.
    pub(super) fn fit(
        setting: &Setting,
        ledger: &Ledger,
        antes: &Antes,
        lefts: &[usize],
        seed: Seed,
        done: &(dyn Fn(u64) + Sync),
    ) -> Option<Self> {
        let (players, cells) = (antes.game.players(), antes.cells());
        let unit = f64::from(ledger.ante_of_table()) / cells as f64;
        let size = features(&vec![0; cells], unit).len();
        let responses = players * lefts.len();
        let nothing = || vec![NormalEquations::new(size); responses];
        let mut folds: Vec<Vec<NormalEquations>> = (0..FOLDS).map(|_| nothing()).collect();
        let play = |deals: Range<u64>| {
            let mut table = SplitTable::new(ledger, setting);
            let mut sums = nothing();
            let count = deals.end - deals.start;
            let fold = (deals.start / CHUNK) as usize % FOLDS;
            for number in deals {
                table.begin(number, seed.child(number));
                let carried = table.carried().to_vec();
                let even = table.end(|_| None);
                let before = features(even_layout(&table, antes, &carried).as_slice(), unit);
                let mut rng = seed.child(number).child(u64::MAX).rng();
                for _ in 0..LAYOUTS {
                    let splits = antes.random(&mut rng);
                    let staked = placed(splits.iter().copied(), cells);
                    if is_held_out(&staked) {
                        continue;
                    }
                    let end = table.end(|role| Some(splits[role]));
                    let mut row = features(&on_top(&staked, &carried), unit);
                    row.iter_mut().zip(&before).for_each(|(x, before)| *x -= before);
                    for (at, &left) in lefts.iter().enumerate() {
                        for role in 0..players {
                            let gain = table.paid(left, &end, role) - table.paid(left, &even, role);
                            sums[at * players + role].add(&row, gain);
                        }
                    }
                }
            }
            done(count);
            (fold, sums)
        };
        run_chunks(0..setting.deals, play, |(fold, sums)| {
            for (all, chunk) in folds[fold].iter_mut().zip(&sums) {
                all.join(chunk);
            }
        });
        let of_response = |response: usize| -> Option<Vec<Vec<f64>>> {
            let mut all = NormalEquations::new(size);
            for fold in &folds {
                all.join(&fold[response]);
            }
            let parts = folds.iter().map(|fold| fold[response].solve());
            std::iter::once(all.solve()).chain(parts).collect()
        };
        let of_left =
            |at: usize| (0..players).map(|role| of_response(at * players + role)).collect();
        let fits: Option<Vec<Vec<Vec<Vec<f64>>>>> = (0..lefts.len()).map(of_left).collect();
        Some(Self { unit, fits: fits? })
    }

    /// What a role gets at a final layout, by all deals, or by one fold.
    pub(super) fn worth(
        &self,
        left: usize,
        role: usize,
        layout: &[i32],
        fold: Option<usize>,
    ) -> f64 {
        let coefficients = &self.fits[left][role][fold.map_or(0, |fold| fold + 1)];
        let row = features(layout, self.unit);
        coefficients.iter().zip(row).map(|(fitted, x)| fitted * x).sum()
    }
}

fn even_layout(table: &SplitTable, antes: &Antes, carried: &[i32]) -> Layout {
    let even = (0..antes.game.players()).map(|role| table.even(role));
    let mut layout = carried.to_vec();
    for split in even {
        layout.iter_mut().zip(split).for_each(|(sum, chips)| *sum += chips);
    }
    layout
}

/// How well the model tells layouts that it was not fitted to.
pub(super) struct Test {
    /// Root mean square of what it says less what was measured, and of the noise of what was measured.
    pub(super) error: f64,
    pub(super) noise: f64,
    /// Root mean square of what was measured.
    pub(super) spread: f64,
    pub(super) layouts: usize,
}

impl Test {
    pub(super) fn measure(
        setting: &Setting,
        ledger: &Ledger,
        antes: &Antes,
        model: &Model,
        place: usize,
        left: usize,
        seed: Seed,
    ) -> Self {
        let (players, cells) = (antes.game.players(), antes.cells());
        let mut rng = seed.rng();
        let mut held: Vec<Vec<&Split>> = Vec::new();
        // A tenth of all layouts is held out: a few hundred draws find as many as are wanted.
        for _ in 0..100 * TESTED {
            let splits = antes.random(&mut rng);
            let layout = placed(splits.iter().copied(), cells);
            let known = |other: &Vec<&Split>| placed(other.iter().copied(), cells) == layout;
            if held.len() < TESTED && is_held_out(&layout) && !held.iter().any(known) {
                held.push(splits);
            }
        }
        let starts = starts_with(&antes.game, &vec![0; cells]);
        let deals = setting.deals.div_ceil(TESTED_EVERY);
        let tallies = held.len() * players;
        let measured = Measurement { deals, seed, tallies, features: 0 }.run(
            || SplitTable::at(ledger, vec![Table::carried(starts.clone())], setting),
            |table, deal| {
                table.begin(0, deal.seed);
                let even = table.end(|_| None);
                for (at, splits) in held.iter().enumerate() {
                    let end = table.end(|role| Some(splits[role]));
                    for role in 0..players {
                        let gain = table.paid(left, &end, role) - table.paid(left, &even, role);
                        deal.add(at * players + role, gain, 0.0);
                    }
                }
            },
            &|_| {},
        );
        let table = SplitTable::new(ledger, setting);
        let even = even_layout(&table, antes, &vec![0; cells]);
        let (mut error, mut noise, mut spread) = (0.0, 0.0, 0.0);
        for (at, splits) in held.iter().enumerate() {
            let layout = placed(splits.iter().copied(), cells);
            for role in 0..players {
                let said =
                    model.worth(place, role, &layout, None) - model.worth(place, role, &even, None);
                let found = Tally::mean(&measured.tallies[at * players + role]);
                error += (said - found.mean).powi(2);
                noise += (found.ci95 / 1.96).powi(2);
                spread += found.mean.powi(2);
            }
        }
        let root = |sum: f64| (sum / tallies.max(1) as f64).sqrt();
        Self { error: root(error), noise: root(noise), spread: root(spread), layouts: held.len() }
    }
}
