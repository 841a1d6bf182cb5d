//! The contents of the screen at one moment.

use newmarket_env::text::{brief, plain};
use newmarket_train::config::RunConfig;

use super::follow::Follow;
use super::history::Event;
use super::summary::{MOST_BENCHMARKS, Summary};
use super::view::Counts;
use crate::report::curve::{Curve, Point};
use crate::train::curves::{self, Curves};
use crate::train::trial::Unit;

/// The widest interval that is drawn. Beside a wider one, curves would be flat.
const WIDEST: f64 = 1e6;

/// A run, or the reason why there is none yet.
#[derive(Clone, Debug)]
pub(super) enum Shown {
    Waiting { folder: String, why: String },
    Run(Box<Shot>),
}

/// A run at one moment.
#[derive(Clone, Debug)]
pub(super) struct Shot {
    /// The unit of gains.
    pub(super) by: Unit,
    pub(super) summary: Summary,
    /// Gains over each benchmark opponent.
    pub(super) gains: Vec<Curve>,
    /// When the first measurement comes.
    pub(super) first: String,
    pub(super) signs: Vec<Curve>,
    pub(super) events: Vec<Event>,
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
        let Curves { gains, signs } = curves::of(rows, config);
        let summary = Summary::of(follow, config, &gains);
        let gains = gains.into_iter().take(MOST_BENCHMARKS).map(drawable).collect();
        let events = follow
            .history
            .events
            .iter()
            .map(|event| Event { text: plain(&event.text).into_owned(), ..event.clone() });
        let (by, events) = (Unit::of(config), events.collect());
        let first = first(&config.run);
        Self::Run(Box::new(Shot { by, summary, gains, first, signs, events }))
    }

    /// Updates the age of the record alone.
    pub(super) fn age(&mut self, follow: &Follow) {
        if let Self::Run(shot) = self {
            shot.summary.age_seconds = follow.age().map(|age| age.as_secs_f64());
        }
    }

    /// The number of benchmarks and events.
    pub(super) fn counts(&self) -> Counts {
        match self {
            Self::Waiting { .. } => Counts { benchmarks: 0, events: 0 },
            Self::Run(shot) => Counts { benchmarks: shot.gains.len(), events: shot.events.len() },
        }
    }
}

/// A sentence about the first benchmark.
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

/// The curve with a name that a terminal can show, and without intervals too wide to draw.
fn drawable(curve: Curve) -> Curve {
    let name = plain(&brief(&curve.name, 60)).into_owned();
    let bounded = |point: Point| Point {
        ci95: point.ci95.filter(|ci95| (0.0..WIDEST).contains(ci95)),
        ..point
    };
    Curve { name, points: curve.points.into_iter().map(bounded).collect(), ..curve }
}
