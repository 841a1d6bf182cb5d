//! The rows of a run and its events.

use std::collections::VecDeque;

use newmarket_env::text::brief;
use newmarket_train::Config;
use newmarket_train::metrics::MetricsRow;

use crate::train::curves::SIGNS;
use crate::train::learning::gains;
use crate::train::pace::{self, used};

/// The most bytes of rows. Beyond it, every second row is dropped.
const MOST_BYTES: usize = 64 << 20;
/// The most values of a row, and the most bytes of a name.
const MOST_VALUES: usize = 200;
const LONGEST_NAME: usize = 100;
/// Benchmarks that an event names.
const MOST_NAMED: usize = 8;
/// Events that are kept.
const MOST_EVENTS: usize = 1000;
/// The prefix of benchmarks.
pub(super) const BENCHMARK: &str = "benchmark/";

/// Metrics that are kept besides benchmarks and [`SIGNS`].
const KEPT: [&str; 6] = [
    "best/update",
    "run/deals",
    "time/seconds",
    "time/update_seconds",
    "time/gather_seconds",
    "time/measurement_seconds",
];

/// An event of a run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Event {
    /// After so many updates, and after so many seconds of training.
    pub(super) update: u64,
    pub(super) seconds: f64,
    pub(super) kind: Kind,
    pub(super) text: String,
}

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Measured,
    Best,
    Plain,
    Trouble,
}

/// The rows of a run and its events.
#[derive(Debug, Default)]
pub(super) struct History {
    pub(super) rows: Vec<MetricsRow>,
    pub(super) events: VecDeque<Event>,
    /// Seconds of all updates, also of dropped rows.
    pub(super) seconds: f64,
    /// Lines that are no rows.
    pub(super) unreadable: u64,
    bytes: usize,
}

impl History {
    /// Takes the next line of the record.
    pub(super) fn take(&mut self, line: Option<&str>, config: &Config) {
        if let Some(row) = line.and_then(MetricsRow::parse) {
            return self.push(row, config);
        }
        self.unreadable += 1;
        if self.unreadable == 1 {
            self.note(Kind::Trouble, "a line of metrics.jsonl is no row; it is left out");
        }
    }

    /// Adds an event that the rows do not show.
    pub(super) fn note(&mut self, kind: Kind, text: impl Into<String>) {
        let update = self.rows.last().map_or(0, |row| row.update);
        let event = Event { update, seconds: self.seconds, kind, text: text.into() };
        self.events.push_back(event);
        if self.events.len() > MOST_EVENTS {
            self.events.pop_front();
        }
    }

    fn push(&mut self, mut row: MetricsRow, config: &Config) {
        row.values.retain(|(name, value)| {
            let sign = SIGNS.iter().any(|(metric, ..)| metric == name);
            let kept = sign || KEPT.contains(&&**name) || name.starts_with(BENCHMARK);
            // Larger values cannot be drawn.
            kept && name.len() <= LONGEST_NAME && value.abs() < 1e30
        });
        row.values.truncate(MOST_VALUES);
        let before = self.rows.last();
        // A run that was killed resumes at an earlier update.
        let back = before.is_some_and(|before| before.update >= row.update);
        if back {
            let kept = self.rows.partition_point(|kept| kept.update < row.update);
            self.seconds -= used(&self.rows[kept..]);
            self.rows.truncate(kept);
            self.bytes = self.rows.iter().map(bytes).sum();
        }
        let clock = |row: &MetricsRow| row.get("time/seconds").unwrap_or(0.0);
        if back || self.rows.last().is_some_and(|before| clock(before) > clock(&row)) {
            let last = self.rows.last().map_or(0, |row| row.update);
            self.note(Kind::Plain, format!("went on from update {last}"));
        }
        let mut happened = Vec::new();
        let phase = |row: &MetricsRow| pace::phase(config, row.update);
        let nth = phase(&row);
        if self.rows.last().map_or(0, phase) != nth {
            let words = config.phases[nth].about();
            happened.push((Kind::Plain, format!("phase {} begins: {words}", nth + 1)));
        }
        happened.extend(measured(&row));
        let (update, run) = (row.update, &config.run);
        let last = update == run.updates;
        if last || (run.checkpoint_every > 0 && update.is_multiple_of(run.checkpoint_every)) {
            happened.push((Kind::Plain, "checkpoint saved".into()));
        }
        if last {
            happened.push((Kind::Plain, "all planned updates are done".into()));
        }
        self.seconds += used(std::slice::from_ref(&row));
        self.bytes += bytes(&row);
        self.rows.push(row);
        for (kind, text) in happened {
            self.note(kind, text);
        }
        self.thin();
    }

    /// Drops rows if there are too many, those without benchmarks first.
    fn thin(&mut self) {
        for all in [false, true] {
            if self.bytes <= MOST_BYTES {
                return;
            }
            let (last, mut nth) = (self.rows.len() - 1, 0);
            self.rows.retain(|row| {
                let kept = nth % 2 == 0 || nth == last || !all && !gains(row).is_empty();
                nth += 1;
                kept
            });
            self.bytes = self.rows.iter().map(bytes).sum();
        }
    }
}

/// The measurement of a row as an event, if the row has one.
fn measured(row: &MetricsRow) -> Option<(Kind, String)> {
    let gains = gains(row);
    if gains.is_empty() {
        return None;
    }
    let each = gains.iter().take(MOST_NAMED);
    let each = each.map(|(name, gain)| format!("{} {gain:+.2}", brief(name, 30)));
    let best = row.get("best/update").is_some_and(|best| best as u64 == row.update);
    let kind = if best { Kind::Best } else { Kind::Measured };
    Some((kind, each.collect::<Vec<_>>().join(", ")))
}

/// Bytes of memory that a row takes, about.
fn bytes(row: &MetricsRow) -> usize {
    row.values.iter().map(|(name, _)| name.len() + 48).sum::<usize>() + 48
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::quick;

    #[test]
    fn rows_that_come_again_take_the_place_of_those_that_were() {
        let config = quick();
        let mut history = History::default();
        for (update, clock) in [(1, 5), (2, 9), (3, 14), (4, 19), (3, 4), (4, 9), (5, 3)] {
            let row = format!(
                "{{\"update\":{update},\"time/seconds\":{clock},\"time/update_seconds\":4}}"
            );
            history.take(Some(&row), &config);
        }
        let updates: Vec<u64> = history.rows.iter().map(|row| row.update).collect();
        assert_eq!(updates, [1, 2, 3, 4, 5]);
        assert_eq!(history.rows[2].get("time/seconds"), Some(4.0));
        assert!((history.seconds - 20.0).abs() < 1e-9, "{}", history.seconds);
        let texts: Vec<&str> = history.events.iter().map(|event| &*event.text).collect();
        assert_eq!(texts, ["went on from update 2", "went on from update 4"]);
    }

    #[test]
    fn phases_measurements_and_checkpoints_are_events() {
        let mut config = quick();
        (config.run.updates, config.run.checkpoint_every) = (10, 4);
        let mut history = History::default();
        for update in 1..=10 {
            let gain = if update == 5 { 0.5 } else { 0.25 };
            let measured = if update % 5 == 0 {
                format!(",\"benchmark/x\":{gain},\"benchmark/x_wins\":0.5,\"best/update\":5")
            } else {
                String::new()
            };
            history.take(Some(&format!("{{\"update\":{update}{measured}}}")), &config);
        }
        let events: Vec<(u64, Kind, &str)> =
            history.events.iter().map(|event| (event.update, event.kind, &*event.text)).collect();
        assert_eq!(
            events,
            [
                (4, Kind::Plain, "checkpoint saved"),
                (5, Kind::Best, "x +0.50"),
                (
                    7,
                    Kind::Plain,
                    "phase 2 begins: 4 policy rollouts of every action; regression on advantages"
                ),
                (8, Kind::Plain, "checkpoint saved"),
                (10, Kind::Measured, "x +0.25"),
                (10, Kind::Plain, "checkpoint saved"),
                (10, Kind::Plain, "all planned updates are done"),
            ]
        );
    }
}
