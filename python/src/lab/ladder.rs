//! Ladders, as Python objects.

use std::time::Instant;

use newmarket::external::WithPrograms;
use newmarket_agents::Player;
use newmarket_eval::ladder::{Ladder, Length};
use pyo3::prelude::*;

use super::{Granted, object, players_apart, programs};
use crate::agent::Named;
use crate::errors::bad;
use crate::game::Game;
use crate::pool::Workers;
use crate::progress::Progress;
use crate::watched::watched;

/// All players of a list against each other: what ``newmarket ladder --json`` prints.
#[pyfunction]
#[pyo3(signature = (
    agents, game, *, deals, sessions, until_separated, seed, threads, programs, progress
))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
#[expect(clippy::needless_pass_by_value, reason = "Python's arguments are values")]
pub(crate) fn _ladder(
    py: Python<'_>,
    agents: Vec<Named>,
    game: &Bound<'_, Game>,
    deals: u64,
    sessions: Option<u64>,
    until_separated: bool,
    seed: u64,
    threads: usize,
    programs: Granted,
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    let mut programs = self::programs(programs)?;
    let length = sessions.map_or(Length::Deals(deals), Length::Sessions);
    let least = if until_separated { Ladder::FIRST_LOOK } else { Ladder::FEWEST };
    if length.count() < least {
        let (unit, count) = (length.unit(), length.count());
        return Err(bad(format!("{unit}s: {count}: expected {least} or more")));
    }
    if agents.len() < 2 {
        return Err(bad(format!("agents: {}: expected two or more", agents.len())));
    }
    let workers = Workers::of(threads, &agents);
    let agents = players_apart(py, "agents", &agents, &mut programs)?;
    let game = game.get().inner.clone();
    let result = Progress::new(progress, length.count()).run(py, workers, move |stop, count| {
        let agents: Vec<Player> = agents.into_iter().map(|agent| watched(agent, stop)).collect();
        let (agents, start) = (&agents[..], Instant::now());
        let ladder = Ladder { game, agents, length, seed, until_separated };
        ladder
            .run(|played| {
                stop.check();
                count.add(played);
            })
            .took(start.elapsed())
    })?;
    object(py, &WithPrograms { result, programs: programs.reports() })
}
