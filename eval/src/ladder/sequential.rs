//! The rule that stops a pairing.
//!
//! A 95 % interval that is looked at after every round excludes the truth at some look with probability 1. The boundary
//! here holds at all looks together. It is the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy
//! and Ramdas (2024, "Time-uniform central limit theory and asymptotic confidence sequences", theorem 2.2): Robbins's
//! normal mixture with the measured standard deviation. It holds for any number and times of looks.
//!
//! Error rate: with [`LEVEL`] divided among all pairings, a ladder separates any two equal agents with a chance of at
//! most 5 %, for any number of agents. The theorem is asymptotic, so no pairing stops in its first few hundred deals;
//! the tests simulate the rest.

use newmarket_agents::paired::Mean;

/// The chance of at least one wrong separation in a whole ladder.
pub const LEVEL: f64 = 0.05;

/// The fewest deals of a separated pairing, because the boundary relies on the central limit theorem.
const AT_LEAST: u64 = 256;

/// The number of deals at which the boundary is narrowest. It is valid at any number.
const NARROWEST_AT: f64 = 1024.0;

/// The radius of an interval that holds at all looks together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Boundary {
    level: f64,
    /// The mixture's variance ρ², chosen for [`NARROWEST_AT`].
    mixture: f64,
}

impl Boundary {
    /// A boundary that values with mean 0 ever cross with probability at most `level`.
    ///
    /// # Panics
    /// If the level is not in (0, 0.5].
    pub fn new(level: f64) -> Self {
        assert!(level > 0.0 && level <= 0.5, "a level is in (0, 0.5]");
        let twice = -2.0 * level.ln();
        Self { level, mixture: (twice + twice.ln() + 1.0) / NARROWEST_AT }
    }

    /// Half the width of the interval around a mean; infinite with too few values.
    pub fn radius(&self, mean: &Mean) -> f64 {
        if mean.count() < AT_LEAST {
            return f64::INFINITY;
        }
        let t = mean.count() as f64;
        let scaled = t * self.mixture + 1.0;
        let root = (2.0 * scaled / (t * t * self.mixture)) * (scaled.sqrt() / self.level).ln();
        mean.deviation() * root.sqrt()
    }

    /// Whether the interval around a mean excludes 0.
    pub fn separates(&self, mean: &Mean) -> bool {
        mean.average().abs() > self.radius(mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use newmarket_env::{Seed, seed};

    /// A run of deals like those of a ladder: mostly 0, few chips, long tails, this mean.
    fn first_crossing(run: u64, boundary: &Boundary, shift: f64) -> Option<u64> {
        let mut rng = Seed::new(77).child(run).rng();
        let mut mean = Mean::default();
        for deal in 1..=8192 {
            let size = f64::from(seed::below(&mut rng, 4) == 0) * (seed::unit(&mut rng) * 8.0);
            let sign = if seed::below(&mut rng, 2) == 0 { 1.0 } else { -1.0 };
            mean.add(shift + sign * size * size / 8.0);
            if deal % 64 == 0 && boundary.separates(&mean) {
                return Some(deal);
            }
        }
        None
    }

    #[test]
    fn equals_are_separated_no_more_often_than_stated() {
        for (level, runs) in [(0.05, 1000), (0.2, 500)] {
            let boundary = Boundary::new(level);
            let crossed = (0..runs).filter(|&run| first_crossing(run, &boundary, 0.0).is_some());
            let crossed = crossed.count() as f64;
            // The bound holds over infinitely many looks, so that 128 of them stay well below it.
            assert!(crossed <= level * runs as f64, "{crossed} of {runs} at {level}");
        }
    }

    #[test]
    fn nor_where_gains_are_skewed_and_pairings_many() {
        // Five agents' ten pairings; one deal in ten wins 9, all others lose 1.
        let boundary = Boundary::new(LEVEL / 10.0);
        let crossed = (0..2000).filter(|&run| {
            let mut rng = Seed::new(78).child(run).rng();
            let mut mean = Mean::default();
            (1..=4096).any(|deal| {
                mean.add(if seed::below(&mut rng, 10) == 0 { 9.0 } else { -1.0 });
                deal % 256 == 0 && boundary.separates(&mean)
            })
        });
        let crossed = crossed.count() as f64;
        assert!(crossed <= 2000.0 * LEVEL / 10.0, "{crossed}");
    }

    #[test]
    fn unequals_are_separated_soon() {
        let boundary = Boundary::new(LEVEL);
        for run in 0..100 {
            let deal = first_crossing(run, &boundary, 0.3).expect("separated");
            assert!((256..=4096).contains(&deal), "{deal}");
        }
    }

    #[test]
    fn holding_at_every_look_costs_about_half_as_much_again() {
        // At its narrowest, against an interval for one look.
        let mut mean = Mean::default();
        (0..1024).for_each(|i| mean.add(f64::from(i % 2)));
        let ratio = Boundary::new(LEVEL).radius(&mean) / mean.estimate().ci95;
        assert!((1.3..1.6).contains(&ratio), "{ratio}");
    }
}
