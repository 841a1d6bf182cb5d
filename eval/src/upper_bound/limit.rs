//! Intervals of skewed figures.
//!
//! A tree's figure is 0 in many deals and large in a few. By Student's t the upper end of the interval of such a mean is
//! too low. The first term of its Edgeworth expansion corrects it (Johnson 1978, *Modified t Tests and Confidence
//! Intervals for Asymmetrical Populations*; Hall 1992, *The Bootstrap and Edgeworth Expansion*, 3.10).

use newmarket_agents::paired::student_t95;
use serde::Serialize;

/// A bound with its interval over deals, in chips a deal.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct UpperLimit {
    /// The estimate of the bound.
    pub gain: f64,
    /// Half the width of its 95 % interval by Student's t.
    pub ci95: f64,
    /// The upper end of the interval, corrected for skewness: with 97.5 % confidence the bound is no greater.
    pub upper: f64,
}

/// An estimate as the moments of its error.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Spread {
    mean: f64,
    /// The variance of the estimate.
    variance: f64,
    /// The third central moment of the estimate.
    third: f64,
    /// Degrees of freedom of the variance.
    freedom: f64,
}

impl Spread {
    /// The sum of two independent estimates.
    pub(super) fn plus(&self, other: &Self) -> Self {
        // What is certain has no degrees of freedom.
        let uncertain = [self, other].into_iter().filter(|spread| spread.variance > 0.0);
        let freedom = uncertain.map(|spread| spread.freedom).reduce(f64::min);
        Self {
            mean: self.mean + other.mean,
            variance: self.variance + other.variance,
            third: self.third + other.third,
            freedom: freedom.unwrap_or(self.freedom),
        }
    }

    /// The difference of two independent estimates.
    pub(super) fn less(&self, other: &Self) -> Self {
        self.plus(&Self { mean: -other.mean, third: -other.third, ..*other })
    }

    /// The estimate.
    pub(super) fn mean(&self) -> f64 {
        self.mean
    }

    /// Whether the estimate is more than so many standard errors above a number.
    pub(super) fn is_above(&self, number: f64, errors: f64) -> bool {
        self.mean - number > errors * self.variance.sqrt()
    }

    /// The mean of independent estimates.
    pub(super) fn mean_of<'a>(all: impl ExactSizeIterator<Item = &'a Self>) -> Self {
        let share = 1.0 / all.len() as f64;
        let sum = all.copied().reduce(|sum, spread| sum.plus(&spread)).unwrap_or_default();
        Self {
            mean: sum.mean * share,
            variance: sum.variance * share.powi(2),
            third: sum.third * share.powi(3),
            ..sum
        }
    }

    /// A limit of the greatest of several means: whichever it is, its mean, variance and third moment are no greater.
    pub(super) fn greatest(all: &[Self]) -> Self {
        let greatest = |of: fn(&Self) -> f64| all.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        Self {
            mean: greatest(|spread| spread.mean),
            variance: greatest(|spread| spread.variance),
            third: greatest(|spread| spread.third),
            freedom: all.iter().map(|spread| spread.freedom).fold(f64::INFINITY, f64::min),
        }
    }

    /// The estimate with its interval.
    pub(super) fn limit(&self) -> UpperLimit {
        let Self { mean, variance, third, freedom } = *self;
        if freedom < 1.0 {
            return UpperLimit { gain: mean, ci95: f64::INFINITY, upper: f64::INFINITY };
        }
        let t = student_t95(freedom);
        let ci95 = t * variance.sqrt();
        let shift = if variance > 0.0 { (2.0 * t * t + 1.0) / 6.0 * third / variance } else { 0.0 };
        // Figures that happen to be skewed to the left do not lower the limit.
        UpperLimit { gain: mean, ci95, upper: mean + ci95 + shift.max(0.0) }
    }
}

impl FromIterator<f64> for Spread {
    /// The mean of independent values.
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let values: Vec<f64> = values.into_iter().collect();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let moment = |power| values.iter().map(|value| (value - mean).powi(power)).sum::<f64>();
        Self {
            mean,
            variance: moment(2) / (n - 1.0).max(1.0) / n,
            third: moment(3) / n.powi(3),
            freedom: n - 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use newmarket_env::{Seed, seed};

    use super::*;

    /// Values that are 0 in two thirds of the cases, and else exponential with mean 3: their mean is 1.
    fn skewed(rng: &mut newmarket_env::Rng) -> f64 {
        if seed::unit(rng) < 2.0 / 3.0 { 0.0 } else { -3.0 * (1.0 - seed::unit(rng)).ln() }
    }

    #[test]
    fn the_limit_of_skewed_values_holds_as_often_as_it_says() {
        let mut rng = Seed::new(1).rng();
        let (mut holds, mut by_student) = (0, 0);
        for _ in 0..4000 {
            let spread: Spread = (0..100).map(|_| skewed(&mut rng)).collect();
            let UpperLimit { gain, ci95, upper } = spread.limit();
            holds += i32::from(upper > 1.0);
            by_student += i32::from(gain + ci95 > 1.0);
        }
        // 3900 expected, standard deviation 10; the second term of the expansion is left out.
        assert!(holds > 3850 && by_student < 3800, "{holds} {by_student}");
    }

    #[test]
    fn a_mean_of_estimates_is_as_sure_as_all_values_together() {
        let mut rng = Seed::new(2).rng();
        let values: Vec<f64> = (0..4000).map(|_| skewed(&mut rng)).collect();
        let parts: Vec<Spread> =
            values.chunks(1000).map(|part| part.iter().copied().collect()).collect();
        let whole: Spread = values.iter().copied().collect();
        let [joined, whole] = [Spread::mean_of(parts.iter()).limit(), whole.limit()];
        assert!((joined.gain - whole.gain).abs() < 1e-9);
        assert!((joined.ci95 / whole.ci95 - 1.0).abs() < 0.02, "{joined:?} {whole:?}");
        assert!((joined.upper - whole.upper).abs() < 0.02 * whole.ci95, "{joined:?} {whole:?}");
    }

    #[test]
    fn one_value_says_nothing_and_the_greatest_limit_is_above_all() {
        let one: Spread = [1.0].into_iter().collect();
        assert!(one.limit().upper.is_infinite());
        let [few, many]: [Spread; 2] =
            [[1.0, 5.0, 2.0].into_iter().collect(), [3.0, 3.5, 3.2, 3.3].into_iter().collect()];
        let greatest = Spread::greatest(&[few, many]).limit();
        assert!(greatest.upper >= few.limit().upper.max(many.limit().upper));
    }
}
