//! Analysis of a position, by what one seat knows.

use newmarket_agents::search::Omniscient;
use newmarket_agents::trials::{
    AgentTrials, Given, Tried, TriedChoice, WeighedWorld, weighed_worlds,
};
use newmarket_agents::{Agent, Player};
use newmarket_env::worlds::{DEAD, PLACES};
use newmarket_env::{Card, CardSet, Hands, Phase, Seed, Worlds};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::agent::{Asked, Named};
use crate::errors::bad;
use crate::pool::{Workers, interruptible};
use crate::progress::Progress;
use crate::view::{View, phase_name};
use crate::watched::watched_agent;
use crate::whole;

/// The most worlds of one call.
const MOST_WORLDS: i64 = 100_000;

/// A number of worlds, at least `least`.
fn count(worlds: i64, name: &str, least: i64) -> PyResult<usize> {
    if (least..=MOST_WORLDS).contains(&worlds) {
        return Ok(worlds as usize);
    }
    Err(bad(format!("{name}: expected {least} to {MOST_WORLDS} worlds, not {worlds}")))
}

fn check_doubt(doubt: f64) -> PyResult<f64> {
    if doubt > 0.0 && doubt <= 1.0 {
        return Ok(doubt);
    }
    Err(bad(format!("doubt: expected more than 0, at most 1, not {doubt}")))
}

/// The player of a parameter, which must see no more than its seat knows.
fn fair(py: Python<'_>, parameter: &str, named: &Named) -> PyResult<Box<dyn Agent>> {
    match named.player(py)? {
        Player::Fair(agent) => Ok(agent),
        Player::Open(_) => Err(bad(format!(
            "{parameter}: `{}` sees all cards: expected a player that sees what its seat may know",
            Omniscient::NAME
        ))),
        Player::Events(agent) => Err(bad(format!(
            "{parameter}: `{}` needs the events of the deal: expected a player that decides by a view",
            agent.name()
        ))),
    }
}

/// An analysis, as Python reads it.
#[derive(Serialize)]
struct Analysed {
    rules: String,
    rules_file: Map<String, Value>,
    players: usize,
    seat: usize,
    phase: &'static str,
    player: String,
    given: Option<String>,
    effective_worlds: f64,
    choices: Vec<Choice>,
}

#[derive(Serialize)]
struct Choice {
    action: usize,
    name: String,
    chips: f64,
    ci95: f64,
    behind: f64,
    behind_ci95: f64,
}

impl Choice {
    fn of(tried: &TriedChoice) -> Self {
        let &TriedChoice { action, chips, ci95, behind, behind_ci95 } = tried;
        let (name, action) = (action.to_string(), action.index());
        Self { action, name, chips, ci95, behind, behind_ci95 }
    }
}

/// What ``newmarket.analyse`` finds, as fields of its ``Analysis``.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "what an analysis is of")]
#[expect(clippy::needless_pass_by_value, reason = "Python's arguments are values")]
pub(crate) fn _analyse(
    py: Python<'_>,
    view: &Bound<'_, PyAny>,
    worlds: i64,
    player: Named,
    given: Option<Named>,
    doubt: f64,
    #[pyo3(from_py_with = whole::seed)] seed: u64,
    #[pyo3(from_py_with = whole::threads)] threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    let view = Asked::read(view)?.view;
    view.due()?;
    let (worlds, doubt) = (count(worlds, "worlds", 2)?, check_doubt(doubt)?);
    let workers = Workers::of(threads, [&player].into_iter().chain(&given));
    let player = fair(py, "player", &player)?;
    let given = given.map(|given| fair(py, "given", &given)).transpose()?;
    let names = (player.name().to_owned(), given.as_ref().map(|given| given.name().to_owned()));
    let at = view.clone();
    let tried = Progress::new(progress, worlds as u64).run(py, workers, move |stop, count| {
        let player = watched_agent(player, stop);
        let given = given.map(|given| watched_agent(given, stop));
        let given = given.as_deref().map(|agent| Given { agent, doubt });
        let trials = AgentTrials { player: &*player, given, worlds, seed: Seed::new(seed) };
        trials.run(&at.inner(), &|done| {
            stop.check();
            count.add(done as u64);
        })
    })?;
    let Tried { choices, effective_worlds } = tried;
    let rules = view.game.rules();
    let analysed = Analysed {
        rules: rules.title().into(),
        rules_file: rules.to_file(),
        players: view.game.players(),
        seat: view.at,
        phase: phase_name(view.inner().phase()),
        player: names.0,
        given: names.1,
        effective_worlds,
        choices: choices.iter().map(Choice::of).collect(),
    };
    crate::lab::object(py, &analysed)
}

/// [`View::worlds`].
pub(crate) fn worlds<'py>(
    py: Python<'py>,
    view: &View,
    (n, seed): (i64, u64),
    given: Option<&Named>,
    doubt: f64,
    threads: usize,
) -> PyResult<Bound<'py, PyList>> {
    let (n, doubt) = (count(n, "n", 1)?, check_doubt(doubt)?);
    let workers = Workers::of(threads, given);
    let given = given.map(|given| fair(py, "given", given)).transpose()?;
    if given.is_some() && view.inner().phase() == Phase::Over {
        return Err(bad("given: the deal is over, and worlds are weighed before its end only"));
    }
    let at = view.clone();
    let draw = move |given: Option<Given>| weighed_worlds(&at.inner(), n, given, Seed::new(seed));
    let drawn = match given {
        None => py.detach(|| draw(None)),
        Some(agent) => interruptible(py, workers, move |stop| {
            let agent = watched_agent(agent, stop);
            draw(Some(Given { agent: &*agent, doubt }))
        })?,
    };
    let (aces, players) = (view.game.rules().aces, view.game.players());
    let list = PyList::empty(py);
    for WeighedWorld { hands, weight } in drawn {
        let world = PyDict::new(py);
        let named = |cards: CardSet| cards.notation(aces);
        let seats: Vec<Vec<String>> = hands.seats[..players].iter().copied().map(named).collect();
        world.set_item("hands", seats)?;
        world.set_item("dead", named(hands.dead))?;
        world.set_item("weight", weight)?;
        list.append(world)?;
    }
    Ok(list)
}

/// [`View::card_probabilities`].
pub(crate) fn card_probabilities<'py>(
    py: Python<'py>,
    view: &View,
) -> PyResult<Bound<'py, PyDict>> {
    let seen = view.inner();
    let chances = if seen.is_dealt() { Worlds::of(&seen).chances() } else { before_deal(&seen) };
    let places = (0..view.game.players()).chain([DEAD]);
    let table = PyDict::new(py);
    for card in seen.hidden() {
        let row: Vec<f64> = places.clone().map(|place| chances[place][card.index()]).collect();
        table.set_item(card.notation(view.game.rules().aces), row)?;
    }
    Ok(table)
}

/// Where cards will be dealt to: any card to any hand, in proportion to its size. `[places, cards]`
fn before_deal(view: &newmarket_env::View) -> [[f64; 52]; PLACES] {
    let pack: Vec<Card> = view.game().pack().iter().collect();
    let Hands { seats, dead } = view.game().deal(&pack, view.dealer(), view.seats_in());
    let mut chances = [[0.0; 52]; PLACES];
    for (place, cards) in seats.into_iter().enumerate().chain([(DEAD, dead)]) {
        chances[place] = [cards.len() as f64 / pack.len() as f64; 52];
    }
    chances
}
