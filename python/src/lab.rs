//! Duels, studies, records of deals and exact answers, as Python objects.

use std::io::Cursor;
use std::sync::Arc;
use std::time::{Duration, Instant};

use newmarket::external::{Limits, OnFault, Programs, WithPrograms};
use newmarket_agents::{Deals, Disagreement, Player, record};
use newmarket_env::Seed;
use newmarket_eval::Duel;
use newmarket_eval::exact::{CfrPlus, Exploitability, OneDeal, Tree, policy};
use newmarket_eval::study::{Payoff, Setting, Study};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::agent::Named;
use crate::chance::Deal;
use crate::errors::{bad, bad_chain};
use crate::game::Game;
use crate::pool::interruptible;
use crate::watched::{watched, watched_agent};

/// A value as the Python objects of its JSON.
pub(crate) fn object(py: Python<'_>, value: &impl serde::Serialize) -> PyResult<Py<PyAny>> {
    let text = serde_json::to_string(value).map_err(bad)?;
    Ok(py.import("json")?.call_method1("loads", (text,))?.unbind())
}

fn at_least_one(deals: u64) -> PyResult<()> {
    if deals > 0 { Ok(()) } else { Err(bad("deals: expected at least 1")) }
}

/// None so far, and what programs are granted.
fn programs(move_ms: u64, start_ms: u64, on_fault: &str) -> PyResult<Programs> {
    let on_fault = match on_fault {
        "stopper" => OnFault::Stopper,
        "stop" => OnFault::Stop,
        _ => return Err(bad("on_fault: expected \"stopper\" or \"stop\"")),
    };
    if move_ms == 0 || start_ms == 0 {
        return Err(bad("move_ms, start_ms: expected at least 1"));
    }
    let (to_move, to_start) = (Duration::from_millis(move_ms), Duration::from_millis(start_ms));
    Ok(Programs::new(Limits { to_move, to_start, on_fault }))
}

/// The hero in each seat in turn against a table of the field, on the same deals.
///
/// Returns what ``newmarket duel --json`` prints: ``gain`` in chips a deal over the field in the
/// same seat, ``ci95`` half the width of its 95 % interval, ``separated``, and more.
///
/// A player may be a program, as ``'exec:["python3","bot.py"]'``, which is asked by the protocol
/// of ``engine/PROTOCOL.md``. It has ``start_ms`` milliseconds to start and ``move_ms`` for a
/// decision. At a fault ``"stopper"`` plays the rest of the deal for it; with ``on_fault="stop"``
/// a ``RuntimeError`` ends the call. ``programs`` of the result counts answers and faults.
#[pyfunction]
#[pyo3(signature = (
    hero, field, game, *, deals=1000, seed=1, threads=0, move_ms=1000, start_ms=10_000,
    on_fault="stopper"
))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
#[expect(clippy::needless_pass_by_value, reason = "Python's arguments are values")]
pub(crate) fn duel(
    py: Python<'_>,
    hero: Named,
    field: Named,
    game: &Bound<'_, Game>,
    deals: u64,
    seed: u64,
    threads: usize,
    move_ms: u64,
    start_ms: u64,
    on_fault: &str,
) -> PyResult<Py<PyAny>> {
    at_least_one(deals)?;
    let mut programs = programs(move_ms, start_ms, on_fault)?;
    let (hero, field) = (hero.seated(py, &mut programs)?, field.seated(py, &mut programs)?);
    let game = game.get().inner.clone();
    let result = interruptible(py, threads, move |stop| {
        let (hero, field) = (watched(hero, stop), watched(field, stop));
        let start = Instant::now();
        let duel = Duel { game, hero: &hero, field: &field, deals, seed };
        duel.run(|_| stop.check()).took(start.elapsed())
    })?;
    object(py, &WithPrograms { result, programs: programs.reports() })
}

/// What a choice is worth: ``"lead"``, ``"ante"``, ``"dead-hand"``, ``"truth"``.
///
/// ``field`` sits in all seats, ``player`` is how the seat plays on whose choice is studied. ``payoff`` is
/// ``"session"``, with what chips that stay on the table are worth later, or ``"deal"``, in which they are lost.
/// Returns a section of ``newmarket study --json``: tables of figures with their intervals.
#[pyfunction]
#[pyo3(signature = (
    study, game=None, *, field=Named::Name("stopper".into()),
    player=Named::Name("basic".into()), payoff="session", deals=1000, seed=1, threads=0
), text_signature = "(study, game=None, *, field='stopper', player='basic', payoff='session', \
    deals=1000, seed=1, threads=0)")]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub(crate) fn study(
    py: Python<'_>,
    study: &str,
    game: Option<&Bound<'_, Game>>,
    field: Named,
    player: Named,
    payoff: &str,
    deals: u64,
    seed: u64,
    threads: usize,
) -> PyResult<Py<PyAny>> {
    at_least_one(deals)?;
    let names = Study::ALL.map(Study::name).join(", ");
    let study = Study::ALL.into_iter().find(|it| it.name() == study);
    let study = study.ok_or_else(|| bad(format!("unknown study: expected {names}")))?;
    let payoff = Payoff::ALL.into_iter().find(|it| it.name() == payoff);
    let payoff = payoff.ok_or_else(|| bad("unknown payoff: expected session, deal"))?;
    let (field, player) = (field.into_player(py)?, player.into_player(py)?);
    let game = if let Some(game) = game {
        game.get().inner.clone()
    } else {
        let rules = newmarket_eval::study::usual_rules(study.usual_games()[0]);
        let rules = rules.map_err(|error| bad_chain(&error))?;
        let players = 4.clamp(rules.players.0, rules.players.1);
        Arc::new(newmarket_env::Game::new(rules, players).map_err(|error| bad_chain(&error))?)
    };
    let section = interruptible(py, threads, move |stop| {
        let (field, player) = (&watched(field, stop), &watched(player, stop));
        let setting = Setting { game, field, player, deals, seed, payoff };
        study.run(&setting, &|_| stop.check())
    })?;
    object(py, &section.map_err(|error| bad_chain(&error))?)
}

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
    agents: Option<Vec<Named>>,
    deals: u64,
    seed: u64,
    fresh: bool,
    move_ms: u64,
    start_ms: u64,
    on_fault: &str,
) -> PyResult<Py<PyAny>> {
    let mut programs = programs(move_ms, start_ms, on_fault)?;
    let game = game.get().inner.clone();
    let agents = agents.unwrap_or_else(|| vec![Named::Name("random".into())]);
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
    let lines = interruptible(py, 1, move |stop| {
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
    let deals = py.import("json")?.call_method1("loads", (format!("[{}]", lines.join(",")),))?;
    let made = py.import("newmarket._trace")?.getattr("Trace")?;
    Ok(made.call1((deals, names, seed, fresh))?.unbind())
}

/// What was solved, with its game.
#[derive(serde::Serialize)]
struct Solved {
    rules: String,
    rules_file: serde_json::Map<String, serde_json::Value>,
    players: usize,
    #[serde(flatten)]
    exploitability: Exploitability,
}

impl Solved {
    fn of(game: &newmarket_env::Game, exploitability: Exploitability) -> Self {
        let rules = game.rules();
        Self {
            rules: rules.title().into(),
            rules_file: rules.to_file(),
            players: game.players(),
            exploitability,
        }
    }
}

/// How exploitable a player is on a small pack, exactly, as ``newmarket exploit --json``.
///
/// ``None`` solves the game by so many iterations of CFR+.
#[pyfunction]
#[pyo3(signature = (agent, game, *, iterations=1000, draws=100, seed=1, max_states=5_000_000))]
pub(crate) fn exploit(
    py: Python<'_>,
    agent: Option<Named>,
    game: &Bound<'_, Game>,
    iterations: u64,
    draws: u32,
    seed: u64,
    max_states: u64,
) -> PyResult<Py<PyAny>> {
    let game = game.get().inner.clone();
    let agent = agent.map(|agent| agent.player(py)).transpose()?;
    let agent = match agent.map(Player::fair) {
        Some(None) => return Err(bad("an agent that sees all cards is no strategy")),
        Some(agent) => agent,
        None => None,
    };
    let found = interruptible(py, 1, move |stop| {
        let deal = OneDeal::new(game.clone(), max_states)?;
        let tree = Tree::grow(&deal, max_states)?;
        let exploitability = match agent {
            Some(agent) => tree.exploitability(&policy::of_agent(
                &mut *watched_agent(agent, stop),
                &tree,
                &deal,
                draws,
                Seed::new(seed),
            )),
            None => CfrPlus::new(&tree).run(iterations, |_| stop.check()),
        };
        Ok(Solved::of(&game, exploitability))
    })?;
    object(py, &found.map_err(|error: newmarket_eval::exact::TreeError| bad_chain(&error))?)
}

/// How exploitable a strategy is that ``chances`` tells, as ``exploit``.
///
/// ``chances`` is called with a ``Deal`` for every information set, and returns how likely each of the
/// legal actions is to be taken there.
#[pyfunction]
#[pyo3(signature = (game, chances, *, max_states=5_000_000))]
pub(crate) fn _exploit_strategy(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    chances: &Bound<'_, PyAny>,
    max_states: u64,
) -> PyResult<Py<PyAny>> {
    let game = game.get().inner.clone();
    let grown = interruptible(py, 1, {
        let game = game.clone();
        move |_| {
            let deal = OneDeal::new(game, max_states)?;
            Ok((Tree::grow(&deal, max_states)?, deal))
        }
    })?;
    let (tree, deal) =
        grown.map_err(|error: newmarket_eval::exact::TreeError| bad_chain(&error))?;
    let mut failed = Ok(());
    let ask = |number: usize, choices: usize| -> PyResult<Vec<f64>> {
        let position = tree.example(number);
        let at = Deal::after(&game, deal.dealer(), &deal.dealt(position), position.actions())?;
        let history = at.moves().to_vec();
        let told: Vec<f64> = chances.call1((at,))?.extract()?;
        let sum: f64 = told.iter().sum();
        let wrong = told.iter().any(|chance| !(0.0..=1.0).contains(chance));
        if told.len() != choices {
            let given = told.len();
            return Err(bad(format!(
                "{given} probabilities: expected {choices}, one a legal action, after {history:?}"
            )));
        }
        if wrong || (sum - 1.0).abs() > 1e-6 {
            return Err(bad(format!(
                "probabilities {told:?}: expected some from 0 to 1 that sum to 1, after {history:?}"
            )));
        }
        Ok(told.into_iter().map(|chance| chance / sum).collect())
    };
    let profile = tree.profile(|number, choices| {
        let even = || vec![1.0 / choices as f64; choices];
        if failed.is_err() {
            return even();
        }
        ask(number, choices).unwrap_or_else(|error| {
            failed = Err(error);
            even()
        })
    });
    failed?;
    let exploitability = interruptible(py, 1, move |_| tree.exploitability(&profile))?;
    object(py, &Solved::of(&game, exploitability))
}
