//! The state of a run at one moment, as text and as JSON.

use newmarket_env::text::{brief, plain};
use newmarket_train::Config;
use serde::Serialize;

use super::follow::{Activity, Follow};
use crate::report::curve::Curve;
use crate::report::{counted, figure, grouped};
use crate::train::learning::{self, Trend};
use crate::train::pace::{self, Left, exactly};

/// Benchmarks that are shown.
pub(super) const MOST_BENCHMARKS: usize = 8;

/// The progress of a run and its latest benchmarks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Summary {
    pub(super) folder: String,
    pub(super) state: State,
    pub(super) update: u64,
    /// `None` before the run is planned.
    pub(super) planned: Option<u64>,
    pub(super) phase: Phase,
    /// The time left in words; `None` when the run is finished.
    pub(super) left: Option<String>,
    /// Seconds that the updates took, and since the record was last written.
    pub(super) seconds: f64,
    pub(super) age_seconds: Option<f64>,
    pub(super) deals: u64,
    /// Decisions learnt from.
    pub(super) rows_per_s: Option<f64>,
    /// The share of the latest update that was spent on the rollout.
    pub(super) gather_share: Option<f64>,
    pub(super) benchmarks: Vec<Benchmark>,
    /// The update whose checkpoint is the best, and of the latest checkpoint.
    pub(super) best: Option<u64>,
    pub(super) saved: Option<u64>,
    pub(super) unreadable_lines: u64,
    /// Why the record cannot be read.
    pub(super) problem: Option<String>,
}

/// The phase of the latest update, counted from 1, the number of phases, and the algorithm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Phase {
    pub(super) nth: usize,
    pub(super) of: usize,
    pub(super) words: String,
}

/// Whether a process trains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    Running,
    Finished,
    Stopped,
    /// This system cannot tell whether a process trains.
    Unknown,
}

/// The latest benchmark against one opponent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Benchmark {
    pub(super) against: String,
    pub(super) update: u64,
    pub(super) gain: f64,
    pub(super) ci95: Option<f64>,
    pub(super) change: Option<Change>,
}

/// The difference from an earlier benchmark.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Change {
    pub(super) since: u64,
    pub(super) gain: f64,
    pub(super) ci95: f64,
    pub(super) verdict: &'static str,
}

impl State {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Stopped => "stopped",
            Self::Unknown => "as recorded",
        }
    }
}

impl Phase {
    pub(super) fn line(&self) -> String {
        format!("phase {} of {}: {}", self.nth, self.of, self.words)
    }
}

impl Summary {
    /// Of a run with this configuration; `gains` are the curves of its benchmarks.
    pub(super) fn of(follow: &Follow, config: &Config, gains: &[Curve]) -> Self {
        let history = &follow.history;
        let planned = pace::updates(config);
        let latest = history.rows.last();
        let value = |name: &str| latest.and_then(|row| row.get(name));
        let update = latest.map_or(0, |row| row.update);
        let state = match follow.on {
            _ if planned.is_some_and(|planned| update >= planned) => State::Finished,
            Activity::Training => State::Running,
            Activity::Idle => State::Stopped,
            Activity::Unknown => State::Unknown,
        };
        let left = match planned {
            None => format!("about {}", pace::minutes(config)),
            Some(_) => Left::after(&history.rows, config).words(),
        };
        let left = match state {
            State::Finished => None,
            State::Running | State::Unknown => Some(left),
            State::Stopped => Some(format!("once it goes on: {left}")),
        };
        let nth = pace::phase(config, update.max(1));
        let took = value("time/update_seconds").filter(|&seconds| seconds > 0.0);
        let gathered = value("time/gather_seconds");
        Self {
            folder: follow.folder().display().to_string(),
            state,
            update,
            planned,
            phase: Phase {
                nth: nth + 1,
                of: config.phases.len(),
                words: config.phases[nth].about(),
            },
            left,
            seconds: history.seconds,
            age_seconds: follow.age().map(|age| age.as_secs_f64()),
            deals: value("run/deals").unwrap_or(0.0) as u64,
            rows_per_s: value("time/rows_per_s"),
            gather_share: took.zip(gathered).map(|(took, gathered)| (gathered / took).min(1.0)),
            benchmarks: gains
                .iter()
                .filter_map(|curve| {
                    let change = learning::change(&history.rows, config, &curve.name);
                    Benchmark::of(curve, change)
                })
                .take(MOST_BENCHMARKS)
                .collect(),
            best: learning::best(&history.rows),
            saved: follow.saved,
            unreadable_lines: history.unreadable,
            problem: follow.problem.clone(),
        }
    }

    /// The summary as lines of text.
    pub(super) fn text(&self) -> String {
        let mut lines = vec![
            format!(
                "{}: {}, {}",
                plain(&brief(&self.folder, 200)),
                self.state.word(),
                self.updates()
            ),
            self.phase.line(),
            format!(
                "time used {}, left {}",
                exactly(self.seconds),
                self.left.as_deref().unwrap_or("none")
            ),
            self.pace(),
        ];
        lines.extend(self.benchmarks.iter().map(|benchmark| {
            format!(
                "over {:<12} {}  {}",
                plain(&brief(&benchmark.against, 60)),
                benchmark.figure(),
                benchmark.verdict()
            )
        }));
        lines.push(self.checkpoints());
        if self.unreadable_lines > 0 {
            lines.push(format!(
                "lines of metrics.jsonl that are no rows: {}",
                self.unreadable_lines
            ));
        }
        lines.extend(self.problem.clone());
        lines.retain(|line| !line.is_empty());
        lines.join("\n")
    }

    /// The progress in updates.
    pub(super) fn updates(&self) -> String {
        format!("update {} of {}", grouped(self.update), pace::planned(self.planned))
    }

    /// The speed, and the number of deals.
    pub(super) fn pace(&self) -> String {
        let speed = self.rows_per_s.map(|speed| format!("{} rows/s", grouped(speed as u64)));
        let share = self.gather_share.map(|share| format!("{:.0} % of it playing", 100.0 * share));
        let deals = (self.deals > 0).then(|| counted(self.deals, "deal"));
        let parts: Vec<String> = [speed, share, deals].into_iter().flatten().collect();
        parts.join(", ")
    }

    /// The best and the latest checkpoint.
    pub(super) fn checkpoints(&self) -> String {
        let best = self.best.map(|update| format!("best {}", grouped(update)));
        let saved = self.saved.map(|update| format!("latest {}", grouped(update)));
        let parts: Vec<String> = [best, saved].into_iter().flatten().collect();
        if parts.is_empty() {
            return "no checkpoint yet".into();
        }
        format!("checkpoints of updates: {}", parts.join(", "))
    }
}

impl Benchmark {
    fn of(curve: &Curve, change: Option<learning::Change>) -> Option<Self> {
        let point = curve.points.last()?;
        let change = change.map(|change| Change {
            since: change.since,
            gain: change.gain.mean,
            ci95: change.gain.ci95,
            verdict: match change.trend() {
                Trend::Better => "better",
                Trend::Worse => "worse",
                Trend::Unclear => "unclear",
            },
        });
        Some(Self {
            against: curve.name.clone(),
            update: point.x as u64,
            gain: point.y,
            ci95: point.ci95,
            change,
        })
    }

    /// The gain with its interval.
    pub(super) fn figure(&self) -> String {
        self.ci95.map_or_else(|| format!("{:+.3}", self.gain), |ci95| figure(self.gain, ci95))
    }

    /// The verdict on the change, in few words.
    pub(super) fn verdict(&self) -> String {
        let Some(change) = &self.change else { return String::new() };
        match change.verdict {
            "unclear" => format!("not separated from {}", grouped(change.since)),
            word => format!("{word} by {:.2} since {}", change.gain.abs(), grouped(change.since)),
        }
    }
}
