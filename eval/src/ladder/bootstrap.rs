//! The chip rating, and its interval by bootstrap over deals.
//!
//! Half the difference between the two directions of a pairing, `(gain(a over b) − gain(b over a)) / 2`, is fitted
//! as `rating(a) − rating(b)` by least squares. All agents meet, so the fit has a closed form: a rating is the mean
//! of an agent's row. This is the linear Bradley–Terry model with chips instead of wins.

use newmarket_env::{Rng, Seed, seed};
use rayon::prelude::*;

use super::report::Interval;

/// Bootstrap resamples.
const RESAMPLES: u64 = 1000;

/// The most blocks of a stratum. Deals are independent, so blocks can be resampled in place of deals.
const BLOCKS: usize = 1024;

/// Sums over blocks of deals. Deals in which the same pairings play are a stratum, which is resampled by itself.
/// So a pairing that stopped early has blocks of its own few deals, however many deals others play.
pub(super) struct Blocks {
    agents: usize,
    strata: Vec<Stratum>,
}

/// Consecutive deals in which the same cells have a gain.
struct Stratum {
    /// Those cells.
    cells: Vec<usize>,
    /// Deals of every block but the last, a power of 2.
    size: usize,
    blocks: Vec<Block>,
}

struct Block {
    deals: usize,
    /// The sum of gains, by cell of the stratum.
    sums: Vec<f64>,
}

impl Blocks {
    pub(super) fn new(agents: usize) -> Self {
        Self { agents, strata: Vec::new() }
    }

    /// Adds the next deal: the gain of each cell that played.
    pub(super) fn add(&mut self, cells: &[Option<f64>]) {
        let played = || (0..cells.len()).filter(|&cell| cells[cell].is_some());
        if self.strata.last().is_none_or(|stratum| !played().eq(stratum.cells.iter().copied())) {
            self.strata.push(Stratum { cells: played().collect(), size: 1, blocks: Vec::new() });
        }
        let stratum = self.strata.last_mut().expect("a stratum was begun");
        stratum.add(cells.iter().flatten().copied());
    }

    /// Each agent's rating, in chips a deal; ratings sum to 0.
    pub(super) fn ratings(&self, seed: Seed) -> Vec<Interval> {
        let point = self.rate(|count| vec![1.0; count]);
        let resampled: Vec<Vec<f64>> = (0..RESAMPLES)
            .into_par_iter()
            .map(|resample| {
                let mut rng = seed.child(resample).rng();
                self.rate(|count| weights(&mut rng, count))
            })
            .collect();
        percentiles(&point, &resampled)
    }

    /// Ratings with weighted blocks; `weigh` gives the weights for a number of blocks.
    fn rate(&self, mut weigh: impl FnMut(usize) -> Vec<f64>) -> Vec<f64> {
        let mut sums = vec![(0.0, 0.0); self.agents * self.agents];
        for Stratum { cells, blocks, .. } in &self.strata {
            for (block, weight) in blocks.iter().zip(weigh(blocks.len())) {
                for (&cell, sum) in cells.iter().zip(&block.sums) {
                    sums[cell].0 += weight * sum;
                    sums[cell].1 += weight * block.deals as f64;
                }
            }
        }
        let mean = |a: usize, b: usize| match sums[a * self.agents + b] {
            (sum, count) if count > 0.0 => sum / count,
            _ => 0.0,
        };
        let row = |a| (0..self.agents).map(|b| (mean(a, b) - mean(b, a)) / 2.0).sum::<f64>();
        (0..self.agents).map(|a| row(a) / self.agents as f64).collect()
    }
}

impl Stratum {
    fn add(&mut self, gains: impl Iterator<Item = f64>) {
        if self.blocks.last().is_none_or(|block| block.deals == self.size) {
            if self.blocks.len() == BLOCKS {
                self.join_neighbours();
            }
            self.blocks.push(Block { deals: 0, sums: vec![0.0; self.cells.len()] });
        }
        let block = self.blocks.last_mut().expect("a block was begun");
        block.deals += 1;
        block.sums.iter_mut().zip(gains).for_each(|(sum, gain)| *sum += gain);
    }

    /// Half as many blocks, of twice as many deals.
    fn join_neighbours(&mut self) {
        self.size *= 2;
        let mut blocks = std::mem::take(&mut self.blocks).into_iter();
        while let (Some(mut block), Some(next)) = (blocks.next(), blocks.next()) {
            block.deals += next.deals;
            block.sums.iter_mut().zip(next.sums).for_each(|(sum, more)| *sum += more);
            self.blocks.push(block);
        }
    }
}

/// How often each of `count` items is drawn in `count` draws with replacement.
fn weights(rng: &mut Rng, count: usize) -> Vec<f64> {
    let mut weights = vec![0.0; count];
    for _ in 0..count {
        weights[seed::below(rng, count as u32) as usize] += 1.0;
    }
    weights
}

/// Each figure with the middle 95 % of its resamples.
fn percentiles(point: &[f64], resampled: &[Vec<f64>]) -> Vec<Interval> {
    let quantile =
        |sorted: &[f64], share: f64| sorted[((sorted.len() - 1) as f64 * share) as usize];
    let interval = |agent: usize| {
        let mut values: Vec<f64> = resampled.iter().map(|ratings| ratings[agent]).collect();
        values.sort_by(f64::total_cmp);
        Interval {
            mean: point[agent],
            low: quantile(&values, 0.025),
            high: quantile(&values, 0.975),
        }
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
        let mut blocks = Blocks::new(agents);
        let mut rng = Seed::new(5).rng();
        for _ in 0..deals {
            let cells: Vec<Option<f64>> = (0..agents * agents)
                .map(|cell| (cell / agents, cell % agents))
                .map(|(a, b)| (a != b).then(|| b as f64 - a as f64 + 8.0 * seed::unit(&mut rng)))
                .collect();
            blocks.add(&cells);
        }
        assert!(blocks.strata.len() == 1 && blocks.strata[0].blocks.len() <= BLOCKS);
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

    /// Its interval is that of those 256 deals, however many others play on.
    #[test]
    fn a_pairing_that_stopped_keeps_its_interval() {
        let (agents, few) = (3, 256);
        let width = |deals: usize| {
            let mut blocks = Blocks::new(agents);
            let mut rng = Seed::new(6).rng();
            for deal in 0..deals {
                let cells: Vec<Option<f64>> = (0..agents * agents)
                    .map(|cell| (cell / agents, cell % agents))
                    .map(|(a, b)| {
                        let plays = a != b && (deal < few || a + b == 1);
                        plays.then(|| 8.0 * seed::unit(&mut rng))
                    })
                    .collect();
                blocks.add(&cells);
            }
            let Interval { low, high, .. } = blocks.ratings(Seed::new(1))[2];
            high - low
        };
        // The last agent has four cells with noise of 8/√12; its rating is a third of half their difference.
        let sd = 8.0 / 12_f64.sqrt() * (4.0 / 36.0 / few as f64).sqrt();
        for deals in [few, 1_000, 40_000] {
            let ratio = width(deals) / (2.0 * 1.96 * sd);
            assert!((0.85..1.15).contains(&ratio), "{deals}: {ratio}");
        }
    }

    #[test]
    fn blocks_grow_with_the_deals() {
        let mut blocks = Blocks::new(2);
        for deal in 0..5 * BLOCKS {
            blocks.add(&[None, Some(deal as f64), Some(0.0), None]);
        }
        let [stratum] = &blocks.strata[..] else { panic!("one stratum") };
        assert_eq!((stratum.size, stratum.blocks.len()), (8, 5 * BLOCKS / 8));
        assert!(stratum.blocks.iter().all(|block| block.deals == 8));
        let mean = (5 * BLOCKS - 1) as f64 / 2.0;
        assert!((blocks.ratings(Seed::new(1))[0].mean - mean / 4.0).abs() < 1e-9);
    }
}
