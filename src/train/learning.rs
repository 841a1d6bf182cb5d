//! What the measurements of a run say: its learning curves, and whether it still improves.

use newmarket_agents::paired::{Estimate, widening};
use newmarket_train::Config;
use newmarket_train::metrics::MetricsRow;

use crate::report::curve::Point;

/// The measurements at one agent's table.
pub(crate) struct Learning {
    pub(crate) against: String,
    /// Chips a deal gained over the agent, by update.
    pub(crate) points: Vec<Point>,
    /// How the latest measurement differs from an earlier one.
    pub(crate) change: Option<Change>,
}

/// A paired difference of two measurements, with an interval that holds at every look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Change {
    pub(crate) since: u64,
    pub(crate) update: u64,
    pub(crate) gain: Estimate,
}

/// The verdict on a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trend {
    Better,
    Worse,
    /// Chance alone may explain the difference.
    Unclear,
}

impl Learning {
    /// Which of the measurements is that after an update.
    pub(crate) fn place(&self, update: u64) -> Option<usize> {
        self.points.iter().position(|point| point.x as u64 == update)
    }
}

impl Change {
    pub(crate) fn trend(&self) -> Trend {
        match self.gain.mean {
            _ if !self.gain.separated() => Trend::Unclear,
            mean if mean > 0.0 => Trend::Better,
            _ => Trend::Worse,
        }
    }
}

/// How often the planned run looks at whether it still improves: at each measurement, at each
/// agent's table.
pub(crate) fn looks(config: &Config) -> u64 {
    let run = &config.run;
    match run.benchmark_every {
        0 => 0,
        every => run.updates.div_ceil(every).saturating_mul(run.benchmark_opponents.len() as u64),
    }
}

/// The measurements in these rows, by agent in their order.
pub(crate) fn of(rows: &[MetricsRow], config: &Config) -> Vec<Learning> {
    let wider = widening(looks(config));
    let measured: Vec<&MetricsRow> = rows.iter().filter(|row| !gains(row).is_empty()).collect();
    let Some(latest) = measured.last() else { return Vec::new() };
    let learning = |against: &str| {
        let value = |row: &MetricsRow, what: &str| row.get(&format!("benchmark/{against}{what}"));
        let change = || {
            let [mean, ci95, since] =
                ["_change", "_change_ci95", "_change_since"].map(|what| value(latest, what));
            let gain = Estimate { mean: mean?, ci95: wider * ci95? };
            Some(Change { since: since? as u64, update: latest.update, gain })
        };
        let points = measured.iter().filter_map(|row| gain(row, against)).collect();
        Learning { against: against.into(), points, change: change() }
    };
    gains(latest).into_iter().map(|(against, _)| learning(against)).collect()
}

/// What was gained over an agent after an update, if that was measured.
pub(crate) fn gain(row: &MetricsRow, against: &str) -> Option<Point> {
    let y = row.get(&format!("benchmark/{against}"))?;
    Some(Point { x: row.update as f64, y, ci95: row.get(&format!("benchmark/{against}_ci95")) })
}

/// The agents at whose tables was measured after an update, and the gains over them.
pub(crate) fn gains(row: &MetricsRow) -> Vec<(&str, f64)> {
    (row.values.iter())
        .filter_map(|(name, gain)| Some((name.strip_prefix("benchmark/")?, *gain)))
        .filter(|(agent, _)| row.get(&format!("benchmark/{agent}_wins")).is_some())
        .collect()
}

/// The update of the best checkpoint, according to the latest row that names one.
pub(crate) fn best(rows: &[MetricsRow]) -> Option<u64> {
    rows.iter().rev().find_map(|row| row.get("best/update")).map(|update| update as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::quick;

    fn row(update: u64, gains: [f64; 2], change: Option<f64>) -> MetricsRow {
        let mut row = MetricsRow::new(update);
        for (agent, gain) in ["longest", "stopper"].into_iter().zip(gains) {
            row.push(format!("benchmark/{agent}"), gain);
            row.push(format!("benchmark/{agent}_ci95"), 0.5);
            row.push(format!("benchmark/{agent}_wins"), 0.25);
            if let Some(change) = change {
                row.push(format!("benchmark/{agent}_change"), change);
                row.push(format!("benchmark/{agent}_change_ci95"), 0.1);
                row.push(format!("benchmark/{agent}_change_since"), 25.0);
            }
        }
        row
    }

    fn rows(change: f64) -> Vec<MetricsRow> {
        let last = row(50, [1.5, 0.5], Some(change));
        vec![
            MetricsRow::new(24),
            row(25, [1.0, 1.0], None),
            MetricsRow::new(49),
            last,
            MetricsRow::new(51),
        ]
    }

    #[test]
    fn each_agent_has_its_curve_and_its_change() {
        let config = quick();
        let learning = of(&rows(0.3), &config);
        let names: Vec<&str> = learning.iter().map(|it| &*it.against).collect();
        assert_eq!(names, ["longest", "stopper"], "and not the changes");
        let curve = |it: &Learning| it.points.iter().map(|it| (it.x, it.y)).collect::<Vec<_>>();
        assert_eq!(curve(&learning[1]), [(25.0, 1.0), (50.0, 0.5)]);
        let change = learning[0].change.expect("compared");
        assert_eq!((change.since, change.update), (25, 50));
        assert!(of(&[MetricsRow::new(1)], &config).is_empty());
    }

    #[test]
    fn what_one_look_would_call_better_is_not_when_there_are_many() {
        // Five measurements at two tables: an interval of 0.1 has to be 2.807 / 1.96 as wide.
        let config = quick();
        assert_eq!(looks(&config), 10);
        let trend = |change| of(&rows(change), &config)[0].change.expect("compared").trend();
        assert_eq!(trend(0.12), Trend::Unclear);
        assert_eq!(trend(0.15), Trend::Better);
        assert_eq!(trend(-0.12), Trend::Unclear);
        assert_eq!(trend(-0.15), Trend::Worse);
    }

    #[test]
    fn the_latest_row_that_names_a_best_checkpoint_counts() {
        let mut rows = rows(0.0);
        assert_eq!(best(&rows), None);
        rows[1].push("best/update", 25.0);
        rows[3].push("best/update", 50.0);
        assert_eq!(best(&rows), Some(50));
    }
}
