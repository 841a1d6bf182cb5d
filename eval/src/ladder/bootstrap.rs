//! The chip rating, and its interval by bootstrap over deals.
//!
//! Half the difference between the two ways of a pairing, `(gain(a over b) − gain(b over a)) / 2`,
//! is fitted as `rating(a) − rating(b)` by least squares. As everybody meets everybody, the fit has
//! a closed form: a rating is the mean of an agent's row. It is the linear Bradley–Terry model with
//! chips instead of wins: a duplicate deal gives a difference in chips, and a rating that saw only
//! who was ahead would throw away most of what was measured, and read in no unit of the game.

use newmarket_env::{Seed, seed};
use rayon::prelude::*;

use super::report::Interval;

/// Bootstrap resamples.
const RESAMPLES: u64 = 1000;

/// Blocks of deals at most; deals are independent, so resampling blocks of them is as good.
const BLOCKS: u64 = 1024;

/// Sums over blocks of consecutive deals.
pub(super) struct Blocks {
    agents: usize,
    /// Deals per block.
    size: u64,
    deals: u64,
    /// For each block and cell: the sum of gains, and how many deals.
    sums: Vec<Vec<(f64, f64)>>,
}

impl Blocks {
    pub(super) fn new(agents: usize, deals: u64) -> Self {
        Self { agents, size: size(deals), deals: 0, sums: Vec::new() }
    }

    /// Takes in the next deal.
    pub(super) fn add(&mut self, cells: &[Option<f64>]) {
        if self.deals.is_multiple_of(self.size) {
            self.sums.push(vec![(0.0, 0.0); cells.len()]);
        }
        self.deals += 1;
        let block = self.sums.last_mut().expect("a block was begun");
        for (sum, gain) in block.iter_mut().zip(cells) {
            if let Some(gain) = gain {
                sum.0 += gain;
                sum.1 += 1.0;
            }
        }
    }

    /// Everybody's rating, in chips a deal; they sum to 0.
    pub(super) fn ratings(&self, seed: Seed) -> Vec<Interval> {
        let point = self.rate(&vec![1.0; self.sums.len()], None);
        let resampled: Vec<Vec<f64>> = (0..RESAMPLES)
            .into_par_iter()
            .map(|resample| {
                self.rate(&weights(seed.child(resample), self.sums.len()), Some(&point.1))
            })
            .map(|(ratings, _)| ratings)
            .collect();
        percentiles(&point.0, &resampled)
    }

    /// Ratings, and the mean of every cell, with the blocks weighted like this. A cell whose blocks
    /// all have weight 0 (it stopped early) keeps its mean `otherwise`.
    fn rate(&self, weights: &[f64], otherwise: Option<&[f64]>) -> (Vec<f64>, Vec<f64>) {
        let cells = self.agents * self.agents;
        let mut sums = vec![(0.0, 0.0); cells];
        for (block, &weight) in self.sums.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
            for (sum, cell) in sums.iter_mut().zip(block) {
                sum.0 += weight * cell.0;
                sum.1 += weight * cell.1;
            }
        }
        let means: Vec<f64> = (0..cells)
            .map(|cell| match sums[cell] {
                (sum, count) if count > 0.0 => sum / count,
                _ => otherwise.map_or(0.0, |means| means[cell]),
            })
            .collect();
        let advantage =
            |a: usize, b: usize| (means[a * self.agents + b] - means[b * self.agents + a]) / 2.0;
        let row = |a| (0..self.agents).map(|b| advantage(a, b)).sum::<f64>() / self.agents as f64;
        ((0..self.agents).map(row).collect(), means)
    }
}

/// Deals per block.
pub(super) fn size(deals: u64) -> u64 {
    deals.div_ceil(BLOCKS).max(1)
}

/// How often each of `count` things is drawn in `count` draws with replacement.
pub(super) fn weights(seed: Seed, count: usize) -> Vec<f64> {
    let mut rng = seed.rng();
    let mut weights = vec![0.0; count];
    for _ in 0..count {
        weights[seed::below(&mut rng, count as u32) as usize] += 1.0;
    }
    weights
}

/// Each figure with the middle 95 % of its resamples.
pub(super) fn percentiles(point: &[f64], resampled: &[Vec<f64>]) -> Vec<Interval> {
    let at = |sorted: &[f64], share: f64| sorted[((sorted.len() - 1) as f64 * share) as usize];
    let interval = |agent: usize| {
        let mut values: Vec<f64> = resampled.iter().map(|ratings| ratings[agent]).collect();
        values.sort_by(f64::total_cmp);
        Interval { mean: point[agent], low: at(&values, 0.025), high: at(&values, 0.975) }
    };
    (0..point.len()).map(interval).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dominated_field_is_rated_in_order_and_covered() {
        // Strength 3, 2, 1, 0; gains are differences of strength and noise.
        let (agents, deals) = (4, 5000);
        let mut blocks = Blocks::new(agents, deals);
        let mut rng = Seed::new(5).rng();
        for _ in 0..deals {
            let cells: Vec<Option<f64>> = (0..agents * agents)
                .map(|cell| (cell / agents, cell % agents))
                .map(|(a, b)| (a != b).then(|| b as f64 - a as f64 + 8.0 * seed::unit(&mut rng)))
                .collect();
            blocks.add(&cells);
        }
        assert!(blocks.sums.len() <= BLOCKS as usize);
        let ratings = blocks.ratings(Seed::new(1));
        for (rating, truth) in ratings.iter().zip([1.5, 0.5, -0.5, -1.5]) {
            assert!(rating.low < rating.mean && rating.mean < rating.high, "{rating:?}");
            assert!((rating.mean - truth).abs() < 0.1, "{rating:?} {truth}");
            // Noise of 8/√12 a cell; a rating has the variance of (4−1)/4² halves of cell means.
            let sd = 8.0 / 12_f64.sqrt() * (3.0 / 16.0 / 2.0 / deals as f64).sqrt();
            let width = (rating.high - rating.low) / (2.0 * 1.96 * sd);
            assert!((0.9..1.1).contains(&width), "{width}");
        }
        assert!(ratings.iter().map(|rating| rating.mean).sum::<f64>().abs() < 1e-12);
    }
}
