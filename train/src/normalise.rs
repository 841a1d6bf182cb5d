//! The scale of the value targets.
//!
//! Returns are chips: about ±10 a deal under one set of rules, ten times that under another. The
//! value head predicts normalised returns, so one learning rate fits every game. The running mean and
//! spread are Welford's, in the batch form of Chan, Golub and `LeVeque` (1979), and saved with every
//! checkpoint.

use serde::{Deserialize, Serialize};

/// Running mean and spread of all returns so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReturnScale {
    /// The number of returns.
    pub count: f64,
    /// Their mean, in chips.
    pub mean: f64,
    /// The sum of squared distances from the mean, in chips².
    pub squares: f64,
}

impl ReturnScale {
    /// The least spread to divide by, in chips. Below it a division would amplify rounding.
    const LEAST: f64 = 1e-3;

    /// Adds a batch of returns, in chips.
    pub fn push(&mut self, returns: &[f32]) {
        if returns.is_empty() {
            return;
        }
        let n = returns.len() as f64;
        let mean = returns.iter().map(|x| f64::from(*x)).sum::<f64>() / n;
        let squares = returns.iter().map(|x| (f64::from(*x) - mean).powi(2)).sum::<f64>();
        let delta = mean - self.mean;
        let total = self.count + n;
        self.squares += squares + delta * delta * self.count * n / total;
        self.mean += delta * n / total;
        self.count = total;
    }

    /// The standard deviation, in chips; 1 before the first return.
    pub fn spread(&self) -> f64 {
        if self.count < 1.0 { 1.0 } else { (self.squares / self.count).sqrt().max(Self::LEAST) }
    }

    /// Converts chips to the unit of the value head.
    pub fn normalise(&self, chips: f32) -> f32 {
        ((f64::from(chips) - self.mean) / self.spread()) as f32
    }

    /// Converts the unit of the value head to chips.
    pub fn chips(&self, normalised: f32) -> f32 {
        (f64::from(normalised) * self.spread() + self.mean) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_give_what_one_pass_gives() {
        let all: Vec<f32> = (0..1000_i32).map(|i| ((i * 37) % 101 - 40) as f32 / 4.0).collect();
        let (mut whole, mut parts) = (ReturnScale::default(), ReturnScale::default());
        whole.push(&all);
        for part in all.chunks(7) {
            parts.push(part);
        }
        parts.push(&[]);
        let mean = all.iter().map(|x| f64::from(*x)).sum::<f64>() / 1000.0;
        let variance = all.iter().map(|x| (f64::from(*x) - mean).powi(2)).sum::<f64>() / 1000.0;
        for scale in [whole, parts] {
            assert!((scale.mean - mean).abs() < 1e-9, "{scale:?}");
            assert!((scale.spread() - variance.sqrt()).abs() < 1e-9, "{scale:?}");
        }
    }

    #[test]
    fn there_and_back_is_the_same_number() {
        let mut scale = ReturnScale::default();
        assert!((scale.normalise(3.0) - 3.0).abs() < 1e-6, "nothing seen: no change");
        scale.push(&[1.0, 5.0, -7.0, 12.0]);
        for chips in [-20.0, 0.0, 3.5] {
            assert!((scale.chips(scale.normalise(chips)) - chips).abs() < 1e-4);
        }
        assert!((scale.normalise(scale.mean as f32)).abs() < 1e-6);
    }

    #[test]
    fn equal_returns_do_not_divide_by_zero() {
        let mut scale = ReturnScale::default();
        scale.push(&[2.0; 10]);
        assert!(scale.normalise(2.0).is_finite() && scale.spread() > 0.0);
    }
}
