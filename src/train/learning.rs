//! Benchmarks of a run: gains over opponents, and whether the policy still improves.

use newmarket_agents::paired::{Estimate, widening};
use newmarket_train::Config;
use newmarket_train::metrics::MetricsRow;

use crate::report::curve::Point;

/// The paired difference of two benchmarks, with an interval that is valid at every look.
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

impl Change {
    pub(crate) fn trend(&self) -> Trend {
        match self.gain.mean {
            _ if !self.gain.separated() => Trend::Unclear,
            mean if mean > 0.0 => Trend::Better,
            _ => Trend::Worse,
        }
    }
}

/// The number of verdicts of the planned run: one for each benchmark and opponent.
pub(crate) fn looks(config: &Config) -> u64 {
    let run = &config.run;
    match run.benchmark_every {
        0 => 0,
        every => run.updates.div_ceil(every).saturating_mul(run.benchmark_opponents.len() as u64),
    }
}

/// How the latest benchmark against an opponent differs from an earlier one, if the record has that.
pub(crate) fn change(rows: &[MetricsRow], config: &Config, against: &str) -> Option<Change> {
    let latest = latest(rows)?;
    let value = |what: &str| latest.get(&format!("benchmark/{against}{what}"));
    let gain = Estimate {
        mean: value("_change")?,
        ci95: widening(looks(config)) * value("_change_ci95")?,
    };
    Some(Change { since: value("_change_since")? as u64, update: latest.update, gain })
}

/// The latest row with benchmarks.
fn latest(rows: &[MetricsRow]) -> Option<&MetricsRow> {
    rows.iter().rfind(|row| !gains(row).is_empty())
}

/// The opponents of the latest benchmarks, in their order.
pub(crate) fn opponents(rows: &[MetricsRow]) -> Vec<String> {
    let gains = latest(rows).map(gains).unwrap_or_default();
    gains.into_iter().map(|(opponent, _)| opponent.to_owned()).collect()
}

/// The gain over an opponent after an update, if the row has that benchmark.
pub(crate) fn gain(row: &MetricsRow, against: &str) -> Option<Point> {
    let y = row.get(&format!("benchmark/{against}"))?;
    Some(Point { x: row.update as f64, y, ci95: row.get(&format!("benchmark/{against}_ci95")) })
}

/// The benchmark opponents of a row, and the gains over them.
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
    fn each_opponent_has_its_change() {
        let (rows, config) = (rows(0.3), quick());
        assert_eq!(opponents(&rows), ["longest", "stopper"], "and not the changes");
        let change = change(&rows, &config, "longest").expect("compared");
        assert_eq!((change.since, change.update), (25, 50));
        assert!(opponents(&[MetricsRow::new(1)]).is_empty());
    }

    #[test]
    fn what_one_look_would_call_better_is_not_when_there_are_many() {
        // Five benchmarks against two opponents: an interval of 0.1 is widened by 2.807 / 1.96.
        let config = quick();
        assert_eq!(looks(&config), 10);
        let trend = |gain| {
            let change = change(&rows(gain), &config, "longest");
            change.expect("compared").trend()
        };
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
