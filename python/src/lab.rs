//! The laboratory, as Python objects: what the commands of the program print as JSON.

pub(crate) mod duel;
pub(crate) mod exploit;
pub(crate) mod ladder;
pub(crate) mod review;
pub(crate) mod study;
pub(crate) mod survey;
pub(crate) mod trace;

use std::time::Duration;

use newmarket::external::{Limits, OnFault, Programs};
use newmarket::laboratory::Failure;
use newmarket_agents::Player;
use newmarket_agents::paired::widening;
use newmarket_env::Rules;
use newmarket_eval::study::Payoff;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::agent::Named;
use crate::errors::{bad, bad_chain};
use crate::game::{Game, read_rules};

/// A value as the Python objects of its JSON.
pub(crate) fn object(py: Python<'_>, value: &impl serde::Serialize) -> PyResult<Py<PyAny>> {
    let text = serde_json::to_string(value).map_err(bad)?;
    Ok(py.import("json")?.call_method1("loads", (text,))?.unbind())
}

/// Refuses nothing to do, by the name of the parameter.
fn at_least_one(parameter: &str, number: u64) -> PyResult<()> {
    if number > 0 { Ok(()) } else { Err(bad(format!("{parameter}: 0: expected at least 1"))) }
}

/// A payoff by its name.
fn payoff_by_name(name: &str) -> PyResult<Payoff> {
    let payoff = Payoff::ALL.into_iter().find(|it| it.name() == name);
    payoff.ok_or_else(|| bad(format!("payoff: `{name}`: expected session, deal")))
}

/// What programs are granted: milliseconds for a decision and to start, and what happens at a fault.
type Granted = (u64, u64, String);

/// No programs so far, and what they are granted.
fn programs((move_ms, start_ms, on_fault): Granted) -> PyResult<Programs> {
    let on_fault = match &*on_fault {
        "stopper" => OnFault::Stopper,
        "stop" => OnFault::Stop,
        _ => return Err(bad("on_fault: expected \"stopper\" or \"stop\"")),
    };
    at_least_one("move_ms", move_ms)?;
    at_least_one("start_ms", start_ms)?;
    let (to_move, to_start) = (Duration::from_millis(move_ms), Duration::from_millis(start_ms));
    Ok(Programs::new(Limits { to_move, to_start, on_fault }))
}

/// Players that results tell apart by their names.
fn players_apart(
    py: Python<'_>,
    parameter: &str,
    given: &[Named],
    programs: &mut Programs,
) -> PyResult<Vec<Player>> {
    let players: Vec<Player> =
        given.iter().map(|one| one.seated(py, programs)).collect::<PyResult<_>>()?;
    for (at, player) in players.iter().enumerate() {
        if players[..at].iter().any(|other| other.name() == player.name()) {
            return Err(bad(format!(
                "{parameter}: two players are called `{}`: expected names that differ",
                player.name()
            )));
        }
    }
    Ok(players)
}

/// Why a command of the program would have failed.
fn failed(failure: &Failure) -> PyErr {
    match failure {
        Failure::User(line) => bad(line),
        _ => PyRuntimeError::new_err(failure.to_string()),
    }
}

/// Rules at a table of the allowed number of players that is nearest to `players`.
#[pyfunction]
pub(crate) fn _game_near(rules: &Bound<'_, PyAny>, players: usize) -> PyResult<Game> {
    game_near(read_rules(rules)?, players)
}

fn game_near(rules: Rules, players: usize) -> PyResult<Game> {
    let (least, most) = rules.players;
    let game = newmarket_env::Game::new(rules, players.clamp(least, most));
    Ok(Game::at(game.map_err(|error| bad_chain(&error))?.into()))
}

/// How much wider 95 % intervals must be so that so many of them hold at once.
#[pyfunction]
pub(crate) fn _widening(rows: u64) -> f64 {
    widening(rows)
}
