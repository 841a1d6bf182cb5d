//! The curves of a run, from the rows of its record: the report and the monitor draw the same ones.

use newmarket_train::Config;
use newmarket_train::metrics::MetricsRow;

use super::learning::{gain, opponents};
use super::trial::Unit;
use crate::report::curve::{Curve, Point, thinned};

/// Points of a sign at most. A longer curve is smoothed: each point is a mean over several updates.
const POINTS: usize = 300;

/// Metrics that show trouble: the name in the record, the title, the unit, and how to read the curve.
pub(crate) const SIGNS: [(&str, &str, &str, &str); 8] = [
    (
        "time/rows_per_s",
        "Speed",
        "rows a second",
        "Decisions learnt from. A lasting fall: the machine is busy or hot.",
    ),
    ("loss/policy", "Policy loss", "", "A sudden rise that stays is trouble."),
    ("loss/value", "Value loss", "", "The error of the predicted return, on its own scale."),
    (
        "value/explained_variance",
        "Explained variance",
        "",
        "Of returns by the value head. 1: all of it; 0: none.",
    ),
    (
        "policy/entropy",
        "Entropy",
        "nats",
        "Falls as the policy grows sure. 0: it tries nothing new any more.",
    ),
    (
        "policy/kl",
        "KL divergence",
        "nats",
        "How far an update moves the policy. Jumps are trouble.",
    ),
    ("learner/grad_norm", "Gradient norm", "", "Should stay within one order of magnitude."),
    ("learner/learning_rate", "Learning rate", "", "As the configuration has it."),
];

/// All curves of a run.
pub(crate) struct Curves {
    /// Chips gained over each benchmark opponent, which is the name of the curve.
    pub(crate) gains: Vec<Curve>,
    /// [`SIGNS`], in their order.
    pub(crate) signs: Vec<Curve>,
}

/// The curves of a run with this configuration.
pub(crate) fn of(rows: &[MetricsRow], config: &Config) -> Curves {
    let gains = opponents(rows).into_iter().map(|opponent| Curve {
        unit: Unit::of(config).gain,
        about: "",
        signed: true,
        points: rows.iter().filter_map(|row| gain(row, &opponent)).collect(),
        name: opponent,
    });
    let signs = SIGNS.iter().map(|&(metric, name, unit, about)| {
        let point = |row: &MetricsRow| {
            Some(Point { x: row.update as f64, y: row.get(metric)?, ci95: None })
        };
        let points: Vec<Point> = rows.iter().filter_map(point).collect();
        Curve { name: name.into(), unit, about, signed: false, points: thinned(&points, POINTS) }
    });
    Curves { gains: gains.collect(), signs: signs.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::quick;

    #[test]
    fn each_opponent_and_each_sign_has_its_curve() {
        let row = |update: u64, gains: &[(&str, f64)]| {
            let mut row = MetricsRow::new(update);
            row.push("loss/policy", 1.0 / update as f64);
            for (opponent, gain) in gains {
                row.push(format!("benchmark/{opponent}"), *gain);
                row.push(format!("benchmark/{opponent}_ci95"), 0.5);
                row.push(format!("benchmark/{opponent}_wins"), 0.25);
            }
            row
        };
        let rows = [
            row(1, &[]),
            row(25, &[("longest", 1.0), ("stopper", 1.0)]),
            row(50, &[("longest", 1.5), ("stopper", 0.5)]),
            row(51, &[]),
        ];
        let Curves { gains, signs } = of(&rows, &quick());
        let names: Vec<&str> = gains.iter().map(|curve| &*curve.name).collect();
        assert_eq!(names, ["longest", "stopper"]);
        let points: Vec<_> = gains[1].points.iter().map(|point| (point.x, point.y)).collect();
        assert_eq!(points, [(25.0, 1.0), (50.0, 0.5)]);
        assert_eq!((signs.len(), signs[1].points.len()), (SIGNS.len(), 4));
        assert_eq!((&*signs[1].title(), &*signs[4].title()), ("Policy loss", "Entropy, nats"));
        assert!(of(&rows[..1], &quick()).gains.is_empty());
    }

    #[test]
    fn a_long_run_is_smoothed() {
        let rows: Vec<MetricsRow> = (1..=1000)
            .map(|update| {
                let mut row = MetricsRow::new(update);
                row.push("loss/policy", update as f64);
                row
            })
            .collect();
        let points = &of(&rows, &quick()).signs[1].points;
        assert_eq!((points.len(), points[0].x, points[0].y), (250, 2.5, 2.5));
    }
}
