//! Two figures a deal, and what can be said of their means.

use newmarket_agents::paired::{Estimate, student_t95};

/// Running means, variances and covariance of two figures, in one pass (Welford 1962).
///
/// What the second figure is for, whoever reads the tally says: nothing ([`Tally::mean`]), how
/// often the first was observed ([`Tally::ratio`]), or luck whose mean is known to be 0
/// ([`Tally::controlled`]).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Tally {
    count: u64,
    means: [f64; 2],
    /// Sums of products of deviations: first with first, second with second, first with second.
    squares: [f64; 2],
    products: f64,
}

impl Tally {
    /// Takes in the two figures of one deal.
    pub(super) fn add(&mut self, first: f64, second: f64) {
        self.count += 1;
        let n = self.count as f64;
        let before = [first - self.means[0], second - self.means[1]];
        self.means[0] += before[0] / n;
        self.means[1] += before[1] / n;
        let after = [first - self.means[0], second - self.means[1]];
        self.squares[0] += before[0] * after[0];
        self.squares[1] += before[1] * after[1];
        self.products += before[0] * after[1];
    }

    /// Takes in all that another has taken in. Joining in a fixed order gives the same bits on any
    /// number of threads.
    pub(super) fn join(&mut self, other: &Self) {
        let count = self.count + other.count;
        if count == 0 {
            return;
        }
        let delta = [other.means[0] - self.means[0], other.means[1] - self.means[1]];
        let share = other.count as f64 / count as f64;
        let cross = self.count as f64 * share;
        self.products += other.products + delta[0] * delta[1] * cross;
        for (figure, delta) in delta.into_iter().enumerate() {
            self.squares[figure] += other.squares[figure] + delta * delta * cross;
            self.means[figure] += delta * share;
        }
        self.count = count;
    }

    /// The mean of the first figure.
    pub(super) fn mean(&self) -> Estimate {
        self.estimate(self.means[0], self.squares[0], 1)
    }

    /// The mean of the second figure.
    pub(super) fn second(&self) -> Estimate {
        self.estimate(self.means[1], self.squares[1], 1)
    }

    /// The sum of the first figure over the sum of the second: the mean of something that is
    /// observed several times a deal, or not at all. The deal is the unit of the interval (the
    /// usual linearisation of a ratio).
    pub(super) fn ratio(&self) -> Estimate {
        let ratio = self.means[0] / self.means[1];
        let [first, second] = self.squares;
        let residual = first - 2.0 * ratio * self.products + ratio * ratio * second;
        let mut estimate = self.estimate(ratio, residual.max(0.0), 1);
        estimate.ci95 /= self.means[1].abs();
        estimate
    }

    /// The mean of the first figure less what it owes to luck: the second figure, whose true mean
    /// is 0, times the coefficient of their regression (a control variate). Like the mean, with a
    /// narrower interval.
    pub(super) fn controlled(&self) -> Estimate {
        if self.count < 4 || self.squares[1] <= 0.0 {
            return self.mean();
        }
        let slope = self.products / self.squares[1];
        let residual = (self.squares[0] - slope * self.products).max(0.0);
        self.estimate(self.means[0] - slope * self.means[1], residual, 2)
    }

    /// A figure whose squared deviations have this sum, after so many parameters were fitted.
    fn estimate(&self, mean: f64, squares: f64, fitted: u64) -> Estimate {
        if self.count <= fitted {
            return Estimate { mean, ci95: f64::INFINITY };
        }
        let (n, freedom) = (self.count as f64, (self.count - fitted) as f64);
        Estimate { mean, ci95: student_t95(freedom) * (squares / freedom / n).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use newmarket_agents::paired::Mean;
    use newmarket_env::{Rng, Seed, seed::unit};

    /// A figure of mean 1 that owes most of its spread to luck of mean 0.
    fn draw(rng: &mut Rng) -> (f64, f64) {
        let luck = unit(rng) - 0.5;
        (1.0 + 3.0 * luck + (unit(rng) - 0.5), luck)
    }

    #[test]
    fn joined_is_added_and_the_mean_is_a_mean() {
        let mut rng = Seed::new(4).rng();
        let values: Vec<_> = (0..500).map(|_| draw(&mut rng)).collect();
        let (mut whole, mut joined, mut mean) =
            (Tally::default(), Tally::default(), Mean::default());
        for part in values.chunks(33) {
            let mut tally = Tally::default();
            for &(first, second) in part {
                tally.add(first, second);
                whole.add(first, second);
                mean.add(first);
            }
            joined.join(&tally);
        }
        assert_eq!(whole.mean(), mean.estimate());
        for (a, b) in [
            (whole.mean(), joined.mean()),
            (whole.second(), joined.second()),
            (whole.controlled(), joined.controlled()),
            (whole.ratio(), joined.ratio()),
        ] {
            assert!((a.mean - b.mean).abs() < 1e-9 && (a.ci95 - b.ci95).abs() < 1e-9);
        }
    }

    #[test]
    fn a_control_variate_keeps_the_mean_and_shrinks_the_interval() {
        let mut covered = 0;
        for run in 0..1000 {
            let mut rng = Seed::new(5).child(run).rng();
            let mut tally = Tally::default();
            for _ in 0..40 {
                let (value, luck) = draw(&mut rng);
                tally.add(value, luck);
            }
            let (plain, controlled) = (tally.mean(), tally.controlled());
            assert!(controlled.ci95 < 0.6 * plain.ci95, "{controlled:?} {plain:?}");
            covered += i32::from((controlled.mean - 1.0).abs() < controlled.ci95);
        }
        // 950 expected, standard deviation 7.
        assert!((920..980).contains(&covered), "{covered}");
    }

    #[test]
    fn a_ratio_covers_as_often_as_it_says() {
        let mut covered = 0;
        for run in 0..1000 {
            let mut rng = Seed::new(6).child(run).rng();
            let mut tally = Tally::default();
            for _ in 0..200 {
                // Observed 0 to 3 times a deal, all observations of a deal alike.
                let times = (unit(&mut rng) * 4.0).floor();
                tally.add(times * (2.0 + unit(&mut rng) - 0.5), times);
            }
            let ratio = tally.ratio();
            covered += i32::from((ratio.mean - 2.0).abs() < ratio.ci95);
        }
        assert!((920..980).contains(&covered), "{covered}");
    }
}
