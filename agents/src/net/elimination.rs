//! Sequential elimination: all choices are tried in the same worlds, and a choice that is clearly
//! behind is tried no more.
//!
//! In one world two choices often end alike, and luck affects both in the same way. The differences
//! world by world therefore have a much smaller error than either sum, so choices are compared by their
//! differences.

use alloc::vec;
use alloc::vec::Vec;

/// Standard errors of the difference by which a choice must be behind to drop out
/// (`decisions/0001-search.md`).
const DROP_Z: f64 = 2.0;

/// The choices that are still in the race, and their gains so far.
#[derive(Clone, Debug)]
pub struct SequentialElimination {
    /// Numbers of the choices that are still in, ascending.
    runners: Vec<usize>,
    /// The prior of each choice, in chips. `[choices]`
    starts: Vec<f64>,
    worlds: f64,
    /// Chips gained, over all worlds. `[choices]`
    sums: Vec<f64>,
    /// Products of the gains of two choices in a world, over all worlds. `[choices][choices]`
    products: Vec<Vec<f64>>,
}

impl SequentialElimination {
    /// A race of as many choices as there are `starts`, their priors in chips.
    pub fn new(starts: Vec<f64>) -> Self {
        let choices = starts.len();
        Self {
            runners: (0..choices).collect(),
            starts,
            worlds: 0.0,
            sums: vec![0.0; choices],
            products: vec![vec![0.0; choices]; choices],
        }
    }

    /// The choices that are still in, ascending.
    pub fn runners(&self) -> &[usize] {
        &self.runners
    }

    /// Adds a world in which the runners gain these chips, in their order.
    pub fn add<T: Copy + Into<f64>>(&mut self, gains: &[T]) {
        self.worlds += 1.0;
        for (&i, &gain) in self.runners.iter().zip(gains) {
            let gain = gain.into();
            self.sums[i] += gain;
            for (&j, &other) in self.runners.iter().zip(gains) {
                self.products[i][j] += gain * other.into();
            }
        }
    }

    /// Drops the choices that are clearly behind the leader, and those that never differed from it.
    pub fn drop_out(&mut self) {
        let best = self.best();
        let mut runners = core::mem::take(&mut self.runners);
        runners.retain(|&i| i == best || self.lead(best, i) < DROP_Z * self.error(best, i));
        self.runners = runners;
    }

    /// The runner with the most chips, the first among equals.
    pub fn best(&self) -> usize {
        let mut best = self.runners[0];
        for &i in &self.runners {
            if self.lead(i, best) > 0.0 {
                best = i;
            }
        }
        best
    }

    /// Chips that a runner is ahead of another, over all worlds and with their starts.
    fn lead(&self, i: usize, j: usize) -> f64 {
        (self.sums[i] - self.sums[j]) + (self.starts[i] - self.starts[j])
    }

    /// The standard error of the difference of two runners' sums.
    fn error(&self, i: usize, j: usize) -> f64 {
        let square = self.products[i][i] + self.products[j][j] - 2.0 * self.products[i][j];
        let sum = self.sums[i] - self.sums[j];
        libm::sqrt((square - sum * sum / self.worlds).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use newmarket_env::{Rng, Seed, seed};

    use super::*;

    /// What four choices gain in a world: a common part of luck, and a part for each.
    fn gains(means: [i32; 4], rng: &mut Rng) -> [i32; 4] {
        let mut luck = |most: f64| (seed::unit(rng) * most) as i32;
        let world = luck(60.0);
        means.map(|mean| mean + world + luck(8.0) - luck(8.0))
    }

    /// The mean of the numbers' sum and its standard error, the slow way.
    fn sum_and_error(numbers: &[f64]) -> (f64, f64) {
        let (count, sum) = (numbers.len() as f64, numbers.iter().sum::<f64>());
        let deviations = numbers.iter().map(|x| (x - sum / count).powi(2)).sum::<f64>();
        (sum, (deviations / count).sqrt() * count.sqrt())
    }

    #[test]
    fn leads_and_errors_are_those_of_the_differences() {
        let mut rng = Seed::new(1).rng();
        let starts = vec![0.5, -3.0, 0.0, 12.25];
        let mut race = SequentialElimination::new(starts.clone());
        let worlds: Vec<_> = (0..97).map(|_| gains([3, 1, 0, -2], &mut rng)).collect();
        for world in &worlds {
            race.add(world);
        }
        for (i, j) in (0..4).flat_map(|i| (0..4).map(move |j| (i, j))) {
            let differences: Vec<f64> = worlds.iter().map(|w| (w[i] - w[j]) as f64).collect();
            let (sum, error) = sum_and_error(&differences);
            assert!((race.lead(i, j) - (sum + starts[i] - starts[j])).abs() < 1e-9);
            assert!((race.error(i, j) - error).abs() < 1e-6, "{i} {j}");
        }
    }

    #[test]
    fn the_best_stays_and_who_is_far_behind_goes_early() {
        let (mut won, mut tried) = (0, 0);
        for seed in 0..200 {
            let mut rng = Seed::new(seed).rng();
            let mut race = SequentialElimination::new(vec![0.0; 4]);
            for _ in 0..8 {
                for _ in 0..64 {
                    let world = gains([-1, 1, 0, -9], &mut rng);
                    let runs: Vec<i32> = race.runners().iter().map(|&i| world[i]).collect();
                    tried += runs.len();
                    race.add(&runs);
                }
                race.drop_out();
                assert!(!race.runners().contains(&3));
            }
            won += u32::from(race.best() == 1 && race.runners().contains(&1));
        }
        assert!(won >= 190, "{won} of 200");
        assert!(tried < 200 * 8 * 64 * 2, "{tried}");
    }

    /// Luck that all share is far greater than what they differ by.
    #[test]
    fn luck_that_all_share_hides_nothing() {
        let mut rng = Seed::new(2).rng();
        let mut race = SequentialElimination::new(vec![0.0; 2]);
        for world in 0..64 {
            let luck = (seed::unit(&mut rng) * 1e6) as i32;
            race.add(&[luck, luck + world % 2]);
        }
        race.drop_out();
        assert_eq!(race.runners(), [1]);
    }

    #[test]
    fn choices_that_never_differ_need_no_more_worlds() {
        let mut race = SequentialElimination::new(vec![0.0; 3]);
        for gain in [4, -2, 9, 0] {
            race.add(&[gain, gain, gain]);
        }
        race.drop_out();
        assert_eq!(race.runners(), [0]);
        assert_eq!(race.best(), 0);
    }

    #[test]
    fn a_start_counts_until_worlds_say_otherwise() {
        let mut race = SequentialElimination::new(vec![0.0, 10.0, 9.0]);
        assert_eq!(race.best(), 1);
        for gain in 0..12 {
            race.add(&[gain % 3, 0, 0]);
        }
        assert_eq!(race.best(), 0);
        assert_eq!(race.runners(), [0, 1, 2]);
        race.drop_out();
        assert_eq!(race.runners(), [0, 1, 2], "2 chips ahead are not clear");
    }
}
