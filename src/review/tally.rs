//! Counts of decisions and their mean cost.

use std::collections::BTreeMap;

use newmarket_agents::paired::{Estimate, student_t95};
use serde::Serialize;

use super::judge::{Decision, Kind};

/// The decisions of one seat or of all, of one kind or of all.
#[derive(Serialize)]
pub(crate) struct Tally {
    /// The seat; `None` for all seats together.
    pub(crate) seat: Option<usize>,
    /// The kind; `None` for all kinds together.
    pub(crate) kind: Option<Kind>,
    pub(crate) decisions: usize,
    pub(crate) errors: usize,
    pub(crate) error_rate: f64,
    /// Mean of the chips lost by a decision.
    pub(crate) cost: Estimate,
}

impl Tally {
    /// Counts the decisions of this seat and kind. Decisions with the same `unit` are not independent.
    pub(super) fn of<'d>(
        (seat, kind): (Option<usize>, Option<Kind>),
        decisions: impl Iterator<Item = &'d Decision>,
        unit: impl Fn(&Decision) -> usize,
    ) -> Option<Self> {
        let (mut count, mut errors) = (0, 0);
        let mut clusters: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for decision in decisions {
            let wanted = seat.is_none_or(|seat| seat == decision.seat)
                && kind.is_none_or(|kind| kind == decision.kind);
            if wanted {
                count += 1;
                errors += usize::from(decision.error);
                let (sum, size) = clusters.entry(unit(decision)).or_default();
                *sum += decision.cost;
                *size += 1.0;
            }
        }
        let clusters: Vec<(f64, f64)> = clusters.into_values().collect();
        (count > 0).then(|| Self {
            seat,
            kind,
            decisions: count,
            errors,
            error_rate: errors as f64 / count as f64,
            cost: mean_of_clusters(&clusters),
        })
    }
}

/// The mean of all values, given as the sum and the size of each cluster. The interval is that of a ratio
/// of two means over clusters: values of one cluster need not be independent (Cochran 1977, *Sampling
/// Techniques*, 6.3).
fn mean_of_clusters(clusters: &[(f64, f64)]) -> Estimate {
    let (sum, size) =
        clusters.iter().fold((0.0, 0.0), |all, cluster| (all.0 + cluster.0, all.1 + cluster.1));
    let (mean, count) = (sum / size, clusters.len() as f64);
    let squares: f64 = clusters.iter().map(|(sum, size)| (sum - mean * size).powi(2)).sum();
    let ci95 = if clusters.len() < 2 {
        f64::INFINITY
    } else {
        student_t95(count - 1.0) * (squares * count / (count - 1.0)).sqrt() / size
    };
    Estimate { mean, ci95 }
}

#[cfg(test)]
mod tests {
    use newmarket_agents::paired::Mean;
    use newmarket_env::{Seed, seed};

    use super::*;

    #[test]
    fn clusters_of_one_are_plain_values() {
        let values = [0.0, 0.3, -0.2, 1.5, 0.7];
        let plain = values.into_iter().collect::<Mean>().estimate();
        let found = mean_of_clusters(&values.map(|value| (value, 1.0)));
        assert!((plain.mean - found.mean).abs() < 1e-12 && (plain.ci95 - found.ci95).abs() < 1e-12);
        assert!(mean_of_clusters(&[(3.0, 2.0)]).ci95.is_infinite());
    }

    /// Sessions of several sizes; the values of a session have a common part.
    #[test]
    fn the_interval_covers_as_often_as_it_says() {
        let mut rng = Seed::new(4).rng();
        let mut draw = || seed::unit(&mut rng) - 0.5;
        let (mut covered, mut naive) = (0, 0);
        for _ in 0..2000 {
            let mut values = Mean::default();
            let clusters: Vec<(f64, f64)> = (0..30)
                .map(|nth| {
                    let (common, size) = (draw(), 5 + nth % 7);
                    let each: Vec<f64> = (0..size).map(|_| common + draw()).collect();
                    for &value in &each {
                        values.add(value);
                    }
                    (each.iter().sum(), f64::from(size))
                })
                .collect();
            let within = |found: Estimate| usize::from(found.mean.abs() < found.ci95);
            covered += within(mean_of_clusters(&clusters));
            naive += within(values.estimate());
        }
        // 1900 expected, standard deviation 9.7.
        assert!((1860..1940).contains(&covered), "{covered}");
        assert!(naive < 1500, "{naive}: values within a session are alike");
    }
}
