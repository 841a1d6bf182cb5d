//! Values of every update that show how learning goes.

use newmarket_train::metrics::MetricsRow;

use crate::report::curve::{Point, thinned};

/// Points of a curve at most.
const POINTS: usize = 600;

/// What is recorded, what it is called, and how to read it.
pub(super) const SIGNS: [(&str, &str, &str); 8] = [
    (
        "time/rows_per_s",
        "Rows a second",
        "Decisions learnt from; a lasting fall: the machine is busy or hot.",
    ),
    ("loss/policy", "Policy loss", "A sudden rise that stays is trouble."),
    ("loss/value", "Value loss", "The error of the foreseen outcome, on its own scale."),
    ("value/explained_variance", "Explained variance", "1: outcomes foreseen; 0: not at all."),
    (
        "policy/entropy",
        "Entropy, nats",
        "Falls as choices grow sure; 0: nothing is tried any more.",
    ),
    ("policy/kl", "KL divergence, nats", "How far an update moves the policy; jumps are trouble."),
    ("learner/grad_norm", "Gradient norm", "Should stay within one order of magnitude."),
    ("learner/learning_rate", "Learning rate", "As the configuration has it."),
];

/// One of them over the run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sign {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) points: Vec<Point>,
    pub(super) latest: Option<f64>,
}

/// All of them in these rows.
pub(super) fn of(rows: &[MetricsRow]) -> Vec<Sign> {
    let sign = |(recorded, name, about)| {
        let point = |row: &MetricsRow| {
            Some(Point { x: row.update as f64, y: row.get(recorded)?, ci95: None })
        };
        let points: Vec<Point> = rows.iter().filter_map(point).collect();
        let latest = points.last().map(|point| point.y);
        Sign { name, about, points: thinned(&points, POINTS), latest }
    };
    SIGNS.map(sign).into()
}

/// A value in few characters.
pub(super) fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        it if !(0.001..1e9).contains(&it) => format!("{value:.1e}"),
        it if it < 10.0 => format!("{value:.3}"),
        it if it < 1000.0 => format!("{value:.1}"),
        it if it < 1e6 => format!("{:.1} k", value / 1e3),
        _ => format!("{:.1} M", value / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (-0.00012, "-1.2e-4"),
            (0.28345, "0.283"),
            (42.0, "42.0"),
            (8123.0, "8.1 k"),
            (-1.25e7, "-12.5 M"),
            (3e20, "3.0e20"),
        ] {
            assert_eq!(short(value), text);
        }
    }
}
