//! Reviews of recorded deals, as Python objects.

use std::io::Cursor;
use std::path::PathBuf;

use newmarket::laboratory::{RecordedDeals, Review, ReviewBy, strategies_beside};
use newmarket_agents::strategy::Strategy;
use pyo3::prelude::*;

use super::object;
use crate::agent::Named;
use crate::errors::bad;
use crate::pool::Workers;
use crate::progress::Progress;

/// Where a trace is.
#[derive(FromPyObject)]
pub(crate) enum TraceOf {
    /// Its lines, under a name.
    Lines(String, String),
    File(PathBuf),
}

/// Judges the decisions of recorded deals: what ``newmarket review --json`` prints.
#[pyfunction]
#[pyo3(signature = (trace, *, seat, by, agents, lenient, worlds, seed, worst, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
#[expect(clippy::needless_pass_by_value, reason = "Python's arguments are values")]
pub(crate) fn _review(
    py: Python<'_>,
    trace: TraceOf,
    seat: Option<usize>,
    by: Named,
    agents: Option<Vec<Named>>,
    lenient: bool,
    worlds: u32,
    seed: u64,
    worst: usize,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    let workers = Workers::of(threads, [&by]);
    let rule = if let Named::Name(name) = &by { ReviewBy::rule(name) } else { None };
    let by = match rule {
        Some(rule) => rule,
        None => {
            ReviewBy::player(by.player(py)?).map_err(|failure| bad(format!("by: {failure}")))?
        }
    };
    if worlds < 16 {
        return Err(bad(format!("worlds: {worlds}: expected 16 or more")));
    }
    let (name, deals) = py.detach(|| match &trace {
        TraceOf::Lines(lines, name) => {
            (name.clone(), RecordedDeals::read(Cursor::new(lines), name))
        }
        TraceOf::File(path) => (path.display().to_string(), RecordedDeals::of_file(path)),
    });
    let deals = deals.map_err(|failure| bad(format!("trace: {failure}")))?;
    let seats = deals.seats();
    if let Some(seat) = seat.filter(|&seat| seat >= seats) {
        let last = seats.saturating_sub(1);
        return Err(bad(format!("seat: {seat}: expected a seat of the trace, 0 to {last}")));
    }
    let strategies = match (agents, trace) {
        (Some(agents), _) => strategies(py, &agents, lenient, seats)?,
        (None, TraceOf::File(path)) => strategies_beside(&path),
        (None, TraceOf::Lines(..)) => Vec::new(),
    };
    let review = Review { trace: name, by, strategies, seat, worlds, seed, worst };
    let progress = Progress::new(progress, deals.count() as u64);
    let report = progress.run(py, workers, move |stop, count| {
        review.run(&deals, || {
            stop.check();
            count.add(1);
        })
    })?;
    object(py, &report)
}

/// By seat, the strategies among those who played; one player stands for all seats. If `lenient`, names that there
/// are none of stand for players without a strategy.
fn strategies(
    py: Python<'_>,
    agents: &[Named],
    lenient: bool,
    seats: usize,
) -> PyResult<Vec<Option<Strategy>>> {
    let strategy = |agent: &Named| {
        // A program is not started: it gives no reasons.
        let is_program = matches!(agent, Named::Name(name) if name.starts_with("exec:"));
        let player = match (!is_program).then(|| agent.player(py)).transpose() {
            Err(_) if lenient => None,
            player => player?,
        };
        Ok(player.and_then(|player| player.strategy().cloned()))
    };
    match agents {
        [one] => (0..seats).map(|_| strategy(one)).collect(),
        all if all.len() == seats => all.iter().map(strategy).collect(),
        all => Err(bad(format!(
            "agents: {} for {seats} seats: expected {seats}, or one for all",
            all.len()
        ))),
    }
}
