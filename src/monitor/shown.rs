//! What the screen shows at one moment: all that drawing needs.

use newmarket_env::text::{brief, plain};
use newmarket_train::config::RunConfig;

use super::follow::Follow;
use super::history::Event;
use super::signs::{self, Sign};
use super::summary::{MOST_BENCHMARKS, Summary};
use super::view::Counts;
use crate::report::curve::Point;
use crate::train::learning::{self, Learning};
use crate::train::trial::Unit;

/// Greatest size of an interval that is drawn, beside which no curve would be seen.
const WIDEST: f64 = 1e6;

/// A run, or that there is none yet.
#[derive(Clone, Debug)]
pub(super) enum Shown {
    Waiting { folder: String, why: String },
    Run(Box<Shot>),
}

/// A run at one moment.
#[derive(Clone, Debug)]
pub(super) struct Shot {
    /// What gains are counted by.
    pub(super) by: Unit,
    pub(super) summary: Summary,
    pub(super) curves: Vec<Curve>,
    /// When the first measurement comes.
    pub(super) first: String,
    pub(super) signs: Vec<Sign>,
    pub(super) events: Vec<Event>,
}

/// Gains over one agent.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    pub(super) name: String,
    pub(super) points: Vec<Point>,
}

impl Shown {
    pub(super) fn of(follow: &Follow) -> Self {
        let config = match &follow.config {
            Ok(config) => config,
            Err(why) => {
                let folder = follow.folder().display().to_string();
                let folder = plain(&brief(&folder, 200)).into_owned();
                return Self::Waiting { folder, why: why.clone() };
            }
        };
        let rows = &follow.history.rows;
        let learning = learning::of(rows, config);
        let summary = Summary::of(follow, config, &learning);
        let curves = learning.into_iter().take(MOST_BENCHMARKS).map(Curve::of).collect();
        let events = follow
            .history
            .events
            .iter()
            .map(|event| Event { text: plain(&event.text).into_owned(), ..event.clone() });
        let (by, signs, events) = (Unit::of(config), signs::of(rows), events.collect());
        let first = first(&config.run);
        Self::Run(Box::new(Shot { by, summary, curves, first, signs, events }))
    }

    /// Nothing but the time has changed.
    pub(super) fn age(&mut self, follow: &Follow) {
        if let Self::Run(shot) = self {
            shot.summary.age_seconds = follow.age().map(|age| age.as_secs_f64());
        }
    }

    /// How much there is to look at.
    pub(super) fn counts(&self) -> Counts {
        match self {
            Self::Waiting { .. } => Counts { benchmarks: 0, events: 0 },
            Self::Run(shot) => Counts { benchmarks: shot.curves.len(), events: shot.events.len() },
        }
    }
}

/// When the first measurement comes, and at whose tables.
fn first(run: &RunConfig) -> String {
    let agents = run.benchmark_opponents.join(", ");
    match run.benchmark_every {
        _ if agents.is_empty() => "There are no run.benchmark_opponents.".into(),
        0 => "Nothing is measured: run.benchmark_every is 0.".into(),
        every => {
            let first = match run.updates {
                0 => every,
                updates => every.min(updates),
            };
            let agents = plain(&brief(&agents, 200)).into_owned();
            format!("The first measurement comes after update {first}, at tables of: {agents}.")
        }
    }
}

impl Curve {
    fn of(learning: Learning) -> Self {
        let name = plain(&brief(&learning.against, 60)).into_owned();
        let bounded = |point: Point| Point {
            ci95: point.ci95.filter(|ci95| (0.0..WIDEST).contains(ci95)),
            ..point
        };
        Self { name, points: learning.points.into_iter().map(bounded).collect() }
    }
}
