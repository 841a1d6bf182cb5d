//! The time that a run took, and an estimate of the time left: by the latest updates of each phase, and by
//! its benchmarks.

use std::fmt::Write;

use newmarket_train::Config;
use newmarket_train::metrics::MetricsRow;

use crate::report::{counted, grouped};

/// The latest updates of a phase that give an estimate, and the number of parts that they are split into. The
/// parts give the range of the estimate.
const LATEST: usize = 40;
const PARTS: usize = 4;
/// A range below this factor is printed as one number.
const STEADY: f64 = 1.15;

/// An estimate of seconds, with its lower and upper end.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    low: f64,
    mean: f64,
    high: f64,
}

/// The rest of a run.
#[derive(Debug, PartialEq)]
pub(crate) struct Left {
    /// Updates left in phases that have begun, and their time with all benchmarks.
    updates: u64,
    time: Range,
    /// Updates of phases that have not begun.
    unmet: u64,
    /// Whether benchmarks are due, and none was timed yet.
    unmeasured: bool,
}

/// Seconds of these updates with their benchmarks, over all calls of the program.
pub(crate) fn used(rows: &[MetricsRow]) -> f64 {
    let names = ["time/update_seconds", "time/measurement_seconds"];
    rows.iter().flat_map(|row| names.map(|name| row.get(name).unwrap_or(0.0))).sum()
}

impl Left {
    /// The rest after these updates.
    pub(crate) fn after(rows: &[MetricsRow], config: &Config) -> Self {
        let done = rows.last().map_or(0, |row| row.update);
        let phase = |update| phase(config, update);
        let mut left = Self {
            updates: 0,
            time: Range { low: 0.0, mean: 0.0, high: 0.0 },
            unmet: 0,
            unmeasured: false,
        };
        for nth in 0..config.phases.len() {
            let count = ended(config, nth + 1).max(done) - ended(config, nth).max(done);
            let took = rows.iter().rev().filter(|row| phase(row.update) == nth);
            let took = took.filter_map(|row| row.get("time/update_seconds")).take(LATEST);
            match pace(&took.collect::<Vec<f64>>()) {
                Some(pace) => {
                    left.updates += count;
                    left.time.add(count, pace);
                }
                None => left.unmet += count,
            }
        }
        let due = measurements(config, done);
        if due > 0 {
            let took = rows.iter().rev().filter_map(|row| row.get("time/measurement_seconds"));
            let took = took.filter(|&seconds| seconds > 0.0).take(PARTS);
            match pace(&took.collect::<Vec<f64>>()) {
                Some(pace) => left.time.add(due, pace),
                None => left.unmeasured = true,
            }
        }
        left
    }

    /// In words.
    pub(crate) fn words(&self) -> String {
        let Self { updates, time, unmet, unmeasured } = self;
        if *updates == 0 && *unmet > 0 {
            return "not known before the next update".into();
        }
        let mut words = format!("about {}", time.words());
        if *unmeasured {
            words += ", and the measurements, none of which has been taken yet";
        }
        if *unmet > 0 {
            let _ = write!(
                words,
                ", for the next {}; then {} of another phase, whose pace is not known yet",
                counted(*updates, "update"),
                grouped(*unmet)
            );
        }
        words
    }
}

/// The number of planned updates; `None` before a run with minutes is planned.
pub(crate) fn updates(config: &Config) -> Option<u64> {
    Some(config.run.updates).filter(|&updates| updates > 0)
}

/// The same in words.
pub(crate) fn planned(updates: Option<u64>) -> String {
    updates.map_or_else(|| "a number that is not known yet".into(), grouped)
}

/// The minutes of a run, without needless digits.
pub(crate) fn minutes(config: &Config) -> String {
    let minutes = format!("{:?}", config.run.minutes);
    format!("{} min", minutes.strip_suffix(".0").unwrap_or(&minutes))
}

/// The index of the phase of an update. Before a run is planned, it is the first.
pub(crate) fn phase(config: &Config, update: u64) -> usize {
    let progress = update.saturating_sub(1) as f64 / config.run.updates.max(1) as f64;
    let phase = config.phases.iter().position(|phase| progress < phase.until);
    phase.unwrap_or(config.phases.len() - 1)
}

/// The number of updates before phase `nth`, by bisection: there may be billions of updates.
fn ended(config: &Config, nth: usize) -> u64 {
    let (mut low, mut high) = (0, config.run.updates);
    while low < high {
        let middle = low + (high - low) / 2;
        if phase(config, middle + 1) < nth { low = middle + 1 } else { high = middle }
    }
    low
}

/// Benchmarks that are left after `done` updates.
fn measurements(config: &Config, done: u64) -> u64 {
    let (every, planned) = (config.run.benchmark_every, config.run.updates);
    if every == 0 || config.run.benchmark_opponents.is_empty() {
        return 0;
    }
    let last = done < planned && !planned.is_multiple_of(every);
    (planned / every).saturating_sub(done / every) + u64::from(last)
}

/// The time of one update or benchmark, from those of several.
fn pace(took: &[f64]) -> Option<Range> {
    let mean = |some: &[f64]| some.iter().sum::<f64>() / some.len() as f64;
    let parts = took.chunks(took.len().div_ceil(PARTS).max(1)).map(mean);
    let (low, high) =
        parts.fold((f64::INFINITY, 0.0), |(low, high), part| (part.min(low), part.max(high)));
    (!took.is_empty()).then(|| Range { low, mean: mean(took), high })
}

impl Range {
    fn add(&mut self, count: u64, each: Self) {
        let count = count as f64;
        self.low += count * each.low;
        self.mean += count * each.mean;
        self.high += count * each.high;
    }

    fn words(self) -> String {
        if self.high < self.low * STEADY {
            return about(self.mean);
        }
        let (low, high) = (about(self.low), about(self.high));
        if low == high {
            return low;
        }
        match (low.split_once(' '), high.split_once(' ')) {
            (Some((low, unit)), Some((high, same))) if unit == same => {
                format!("{low} to {high} {unit}")
            }
            _ => format!("{low} to {high}"),
        }
    }
}

/// An estimated duration, rounded.
fn about(seconds: f64) -> String {
    let halves = |value: f64| (value * 2.0).round() / 2.0;
    match seconds.max(0.0) {
        seconds if seconds < 10.0 => format!("{} s", seconds.ceil()),
        seconds if seconds < 97.5 => format!("{} s", (seconds / 5.0).round() * 5.0),
        seconds if seconds < 585.0 => format!("{} min", halves(seconds / 60.0)),
        seconds if seconds < 5970.0 => format!("{} min", (seconds / 60.0).round()),
        seconds if seconds < 172_000.0 => format!("{} h", halves(seconds / 3600.0)),
        seconds => format!("{} days", halves(seconds / 86_400.0)),
    }
}

/// A duration that was measured.
pub(crate) fn exactly(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, min, s) => format!("{min} min {s:02} s"),
        (h, min, _) => format!("{h} h {min:02} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(updates: u64, first_until: f64) -> Config {
        let mut config = Config::preset("quick").expect("quick");
        config.run.updates = updates;
        config.run.benchmark_every = 10;
        config.phases[0].until = first_until;
        config
    }

    /// Updates that take what `took` says, and measurements of 5 seconds.
    fn rows(updates: u64, took: impl Fn(u64) -> f64) -> Vec<MetricsRow> {
        let row = |update: u64| {
            let mut row = MetricsRow::new(update);
            // A call of the program after every seventh update: its clock begins anew.
            row.push("time/seconds", (update % 7) as f64);
            row.push("time/update_seconds", took(update));
            let measured = update.is_multiple_of(10);
            row.push("time/measurement_seconds", if measured { 5.0 } else { 0.0 });
            row
        };
        (1..=updates).map(row).collect()
    }

    #[test]
    fn what_is_left_is_known_without_counting() {
        let mut config = Config::preset("quick").expect("quick");
        for (updates, every) in [(1, 1), (7, 3), (10, 10), (100, 7), (101, 0)] {
            (config.run.updates, config.run.benchmark_every) = (updates, every);
            for done in 0..=updates + 1 {
                let left = || done + 1..=updates;
                for nth in 0..config.phases.len() {
                    let counted = left().filter(|&update| phase(&config, update) == nth).count();
                    let count = ended(&config, nth + 1).max(done) - ended(&config, nth).max(done);
                    assert_eq!(count, counted as u64, "{updates} {done} {nth}");
                }
                let due = |update: &u64| {
                    every > 0 && (update.is_multiple_of(every) || *update == updates)
                };
                assert_eq!(measurements(&config, done), left().filter(due).count() as u64);
            }
        }
        (config.run.updates, config.run.benchmark_every) = (u64::MAX, 1);
        assert_eq!(measurements(&config, 1), u64::MAX - 1);
        assert_eq!(ended(&config, config.phases.len()), u64::MAX);
    }

    #[test]
    fn a_run_that_is_not_planned_yet_is_in_its_first_phase() {
        let mut config = config(0, 0.5);
        assert_eq!((phase(&config, 0), phase(&config, 1)), (0, 0));
        let said = [0.2, 10.0, 1e300].map(|time| {
            config.run.minutes = time;
            minutes(&config)
        });
        assert_eq!(said, ["0.2 min", "10 min", "1e300 min"]);
    }

    #[test]
    fn time_used_is_that_of_all_calls() {
        assert!((used(&rows(20, |_| 2.0)) - 50.0).abs() < 1e-9);
        assert_eq!([used(&[]), 65.4, 7500.0].map(exactly), ["0 s", "1 min 05 s", "2 h 05 min"]);
    }

    #[test]
    fn measurements_are_part_of_what_is_left() {
        // 75 updates of 2 s, measured after 30, 40, … 100.
        let left = Left::after(&rows(25, |_| 2.0), &config(100, 1.0));
        assert!((left.time.mean - 190.0).abs() < 1e-9, "{left:?}");
        assert_eq!(left.words(), "about 3 min");
        let left = Left::after(&rows(5, |_| 2.0), &config(100, 1.0));
        assert!(left.words().contains("3 min, and the measurements"), "{left:?}");
    }

    #[test]
    fn each_phase_has_its_pace() {
        let config = config(100, 0.6);
        let took = |update| if update > 60 { 9.0 } else { 2.0 };
        let left = Left::after(&rows(30, took), &config);
        assert_eq!((left.updates, left.unmet), (30, 40));
        assert!(left.words().contains("then 40 of another phase"), "{left:?}");
        let left = Left::after(&rows(62, took), &config);
        assert!((left.time.mean - (38.0 * 9.0 + 4.0 * 5.0)).abs() < 1e-9, "{left:?}");
        // The first phase is over: its pace counts no more.
        assert_eq!((left.updates, left.unmet), (38, 0));
    }

    #[test]
    fn a_pace_that_varies_is_a_range_and_an_old_one_is_forgotten() {
        let config = config(1000, 1.0);
        let left = Left::after(&rows(100, |update| if update < 50 { 90.0 } else { 2.0 }), &config);
        assert!(left.time.high < 2300.0, "{left:?}");
        let left = Left::after(&rows(100, |update| if update < 81 { 2.0 } else { 4.0 }), &config);
        assert_eq!(left.words(), "about 38 to 68 min");
        assert!(Left::after(&[], &config).words().starts_with("not known"));
    }
}
