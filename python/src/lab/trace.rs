//! Records of deals, as Python objects.

use std::io::Cursor;

use newmarket_agents::{Deals, Disagreement, Player, record};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::programs;
use crate::agent::{Named, Players};
use crate::errors::bad;
use crate::game::Game;
use crate::pool::{Workers, interruptible};
use crate::whole;

/// Why no record was made.
struct Stop(PyErr);

impl From<Disagreement> for Stop {
    fn from(error: Disagreement) -> Self {
        Self(PyRuntimeError::new_err(error.to_string()))
    }
}

/// Deals on the record, as ``newmarket trace`` writes them; one name fills all seats.
///
/// Deals come in sessions, unless ``fresh``. A player may be a program, as in ``duel``. Returns a list,
/// which also has who played, ``agents``, by seat, and ``seed`` and ``fresh``.
#[pyfunction]
#[pyo3(signature = (
    game, agents=None, *, deals=10, seed=1, fresh=false, move_ms=1000, start_ms=10_000,
    on_fault="stopper"
))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub(crate) fn trace(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    agents: Option<Players>,
    #[pyo3(from_py_with = whole::deals)] deals: u64,
    #[pyo3(from_py_with = whole::seed)] seed: u64,
    fresh: bool,
    #[pyo3(from_py_with = whole::move_ms)] move_ms: u64,
    #[pyo3(from_py_with = whole::start_ms)] start_ms: u64,
    on_fault: &str,
) -> PyResult<Py<PyAny>> {
    let mut programs = programs((move_ms, start_ms, on_fault.into()))?;
    let game = game.get().inner.clone();
    let Players(agents) = agents.unwrap_or_else(|| Players(vec![Named::Name("random".into())]));
    let mut players: Vec<Player> = match &agents[..] {
        [one] => {
            (0..game.players()).map(|_| one.seated(py, &mut programs)).collect::<PyResult<_>>()?
        }
        all => all.iter().map(|one| one.seated(py, &mut programs)).collect::<PyResult<_>>()?,
    };
    if players.len() != game.players() {
        let (agents, seats) = (players.len(), game.players());
        return Err(bad(format!(
            "{agents} agents for {seats} seats: expected {seats}, or one for all"
        )));
    }
    let names: Vec<String> = players.iter().map(|player| player.name().to_owned()).collect();
    let kind = if fresh { Deals::Fresh } else { Deals::InSessions };
    let lines = interruptible(py, Workers::one(&agents), move |stop| {
        let mut lines = Vec::new();
        let made = record(&game, &mut players, (deals, kind), seed, |record| {
            stop.check();
            lines.push(record.to_line());
            Ok::<(), Stop>(())
        });
        made.map(|()| lines).map_err(|Stop(error)| error)
    })??;
    for program in programs.reports().iter().filter(|program| program.faults() > 0) {
        py.import("warnings")?.call_method1("warn", (program.sentence(),))?;
    }
    // The program's own judge reads what it wrote.
    debug_assert!(newmarket_env::trace::check(Cursor::new(lines.join("\n"))).is_ok());
    trace_object(py, &lines, names, seed, fresh)
}

/// The `Trace` of these lines, with who played.
pub(crate) fn trace_object(
    py: Python<'_>,
    lines: &[String],
    agents: Vec<String>,
    seed: u64,
    fresh: bool,
) -> PyResult<Py<PyAny>> {
    let deals = py.import("json")?.call_method1("loads", (format!("[{}]", lines.join(",")),))?;
    let made = py.import("newmarket._trace")?.getattr("Trace")?;
    Ok(made.call1((deals, agents, seed, fresh))?.unbind())
}
