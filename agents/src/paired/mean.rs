//! Running means with 95 % intervals by Student's t.

use alloc::format;
use alloc::string::String;
use core::fmt;

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// A running mean and variance (Welford 1962), in one pass and without cancellation.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Mean {
    count: u64,
    average: f64,
    squares: f64,
}

impl Mean {
    /// Adds one value.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        let delta = value - self.average;
        self.average += delta / self.count as f64;
        self.squares += delta * (value - self.average);
    }

    /// Adds all values of another mean (Chan, Golub and `LeVeque` 1979). Joining in
    /// a fixed order gives the same bits on any number of threads.
    pub fn join(&mut self, other: &Self) {
        let count = self.count + other.count;
        if count == 0 {
            return;
        }
        let delta = other.average - self.average;
        let share = other.count as f64 / count as f64;
        self.average += delta * share;
        self.squares += other.squares + delta * delta * self.count as f64 * share;
        self.count = count;
    }

    /// Number of values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean; 0 without values.
    pub fn average(&self) -> f64 {
        self.average
    }

    /// The standard deviation of the values; NaN for fewer than two.
    pub fn deviation(&self) -> f64 {
        (self.squares / (self.count as f64 - 1.0)).sqrt()
    }

    /// The mean with its 95 % interval, by Student's t. The interval of fewer than two values is
    /// infinite.
    pub fn estimate(&self) -> Estimate {
        let n = self.count as f64;
        let ci95 = if self.count < 2 {
            f64::INFINITY
        } else {
            student_t95(n - 1.0) * (self.squares / (n - 1.0) / n).sqrt()
        };
        Estimate { mean: self.average, ci95 }
    }
}

impl FromIterator<f64> for Mean {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut mean = Self::default();
        values.into_iter().for_each(|value| mean.add(value));
        mean
    }
}

/// A mean with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean, in the unit of the values.
    pub mean: f64,
    /// Half the width of the 95 % interval.
    pub ci95: f64,
}

impl Estimate {
    /// Whether the interval does not contain 0.
    pub fn separated(&self) -> bool {
        self.mean.abs() > self.ci95
    }
}

/// `+0.120 ± 0.034`, with a note if the interval contains 0.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.3} {}", self.mean, plus_minus(self.ci95, 3))?;
        if self.separated() { Ok(()) } else { f.write_str(" (not separated)") }
    }
}

/// Half the width of an interval with this many digits: `± 0.034`, or `± ∞`.
pub fn plus_minus(half: f64, digits: usize) -> String {
    if half.is_finite() { format!("± {half:.digits$}") } else { "± ∞".into() }
}

/// The 97.5 % point of Student's t with `freedom` degrees of freedom: half the width of a 95 %
/// interval, in standard errors.
///
/// # Panics
/// If `freedom` is not positive.
pub fn student_t95(freedom: f64) -> f64 {
    let t = StudentsT::new(0.0, 1.0, freedom).expect("degrees of freedom are positive");
    t.inverse_cdf(0.975)
}

/// The factor by which 95 % intervals must be wider so that all `looks` of them hold at once
/// (Bonferroni), for means of many values. Among many single intervals some exclude 0 by chance.
pub fn widening(looks: u64) -> f64 {
    let quantile = |looks: u64| Normal::standard().inverse_cdf(1.0 - 0.025 / looks.max(1) as f64);
    quantile(looks) / quantile(1)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn one_pass_equals_two() {
        let values: Vec<f64> = (0..57).map(|i| f64::from(i * i % 23) - 7.5).collect();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
        // The 97.5 % point of Student's t with 56 degrees of freedom, from tables.
        let ci95 = 2.003_241 * (variance / n).sqrt();
        let whole: Mean = values.iter().copied().collect();
        let mut joined = Mean::default();
        for part in values.chunks(10) {
            joined.join(&part.iter().copied().collect());
        }
        for estimate in [whole.estimate(), joined.estimate()] {
            assert!((estimate.mean - mean).abs() < 1e-12);
            assert!((estimate.ci95 - ci95).abs() < 1e-5, "{} {ci95}", estimate.ci95);
        }
    }

    #[test]
    fn more_looks_need_wider_intervals() {
        // 1.960, 2.807 and 3.662 standard errors, from tables.
        for (looks, times) in [(0, 1.0), (1, 1.0), (10, 2.807 / 1.960), (200, 3.662 / 1.960)] {
            assert!((widening(looks) - times).abs() < 1e-3, "{looks}: {}", widening(looks));
        }
    }

    #[test]
    fn an_interval_covers_as_often_as_it_says() {
        let mut rng = newmarket_env::Seed::new(3).rng();
        let mut covered = 0;
        for _ in 0..2000 {
            let mut mean = Mean::default();
            for _ in 0..20 {
                mean.add(newmarket_env::seed::unit(&mut rng) + newmarket_env::seed::unit(&mut rng));
            }
            let estimate = mean.estimate();
            covered += i32::from((estimate.mean - 1.0).abs() < estimate.ci95);
        }
        // 1900 expected, standard deviation 9.7.
        assert!((1855..1945).contains(&covered), "{covered}");
    }
}
