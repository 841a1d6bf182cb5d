//! Studies, as Python objects.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use newmarket::laboratory::{self, Failure, StudyLength};
use newmarket_agents::Player;
use newmarket_agents::strategy::Base;
use newmarket_eval::study::{self, Candidate, Section, Setting, StrategyStudy, Study, usual_rules};
use pyo3::prelude::*;

use super::{at_least_one, failed, game_near, object, payoff_by_name};
use crate::agent::Named;
use crate::errors::{bad, bad_chain};
use crate::game::Game;
use crate::pool::{Stop, Workers};
use crate::progress::{Count, Progress};
use crate::watched::watched;

/// The length of a study: a number of deals, the half-width of its intervals, or minutes.
type LengthOf = (Option<u64>, Option<f64>, Option<f64>);

/// The one that is given.
fn length((deals, ci, minutes): LengthOf) -> PyResult<StudyLength> {
    let positive = |parameter: &str, number: f64| {
        let right = number > 0.0 && number.is_finite();
        let wrong = || bad(format!("{parameter}: {number}: expected a number above 0"));
        if right { Ok(number) } else { Err(wrong()) }
    };
    match (deals, ci, minutes) {
        (Some(deals), None, None) => {
            at_least_one("deals", deals)?;
            Ok(StudyLength::Deals(deals))
        }
        (None, Some(ci), None) => Ok(StudyLength::Ci(positive("ci", ci)?)),
        (None, None, Some(minutes)) => {
            let seconds = 60.0 * positive("minutes", minutes)?;
            let time = Duration::try_from_secs_f64(seconds);
            Ok(StudyLength::Time(time.map_err(|error| bad(format!("minutes: {error}")))?))
        }
        _ => Err(bad("deals, ci, minutes: expected one of them alone")),
    }
}

fn choice(name: &str) -> PyResult<Study> {
    let names = Study::ALL.map(Study::name).join(", ");
    let study = Study::ALL.into_iter().find(|it| it.name() == name);
    study.ok_or_else(|| {
        bad(format!("study: `{name}`: expected {names}, advice, strategy, tips or all"))
    })
}

/// The games that a study is about where none is named, each with 4 players or as near to that as it allows.
#[pyfunction]
pub(crate) fn _usual_games(study: &str) -> PyResult<Vec<Game>> {
    let names = match study {
        "advice" => study::advice::games(),
        "tips" => study::tips::GAMES.to_vec(),
        "strategy" => vec!["newmarket"],
        _ => vec![choice(study)?.usual_games()[0]],
    };
    let game = |name| game_near(usual_rules(name).map_err(|error| bad_chain(&error))?, 4);
    names.into_iter().map(game).collect()
}

/// Plays a study at its length, and tells how far it is.
fn play(
    length: StudyLength,
    (stop, count): (&Stop, &Count),
    work: impl Fn(u64) -> u64,
    run: impl Fn(u64, &(dyn Fn(u64) + Sync)) -> Result<Section, Failure>,
) -> Result<Section, Failure> {
    laboratory::at_length(length, |deals| {
        count.begin(work(deals));
        run(deals, &|played| {
            stop.check();
            count.add(played);
        })
    })
}

/// What a choice is worth: a section of what ``newmarket study --json`` prints.
#[pyfunction]
#[pyo3(signature = (study, game, *, field, player, payoff, length, seed, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
#[expect(clippy::needless_pass_by_value, reason = "Python's arguments are values")]
pub(crate) fn _study(
    py: Python<'_>,
    study: &str,
    game: &Bound<'_, Game>,
    field: Named,
    player: Named,
    payoff: &str,
    length: LengthOf,
    seed: u64,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    let (study, payoff, length) = (choice(study)?, payoff_by_name(payoff)?, self::length(length)?);
    let workers = Workers::of(threads, [&field, &player]);
    let (field, player) = (field.player(py)?, player.player(py)?);
    let game = game.get().inner.clone();
    let section = Progress::new(progress, 0).run(py, workers, move |stop, count| {
        let (field, player) = (&watched(field, stop), &watched(player, stop));
        let work = |deals| study.work(&game, deals);
        play(length, (stop, count), work, |deals, done| {
            let setting = Setting { game: game.clone(), field, player, deals, seed, payoff };
            Ok(study.run(&setting, done)?)
        })
    })?;
    object(py, &section.map_err(|failure| failed(&failure))?)
}

/// What strategies, tips or the lists of ``basic`` gain: a section of what ``newmarket study strategy --json``,
/// ``tips`` or ``advice`` print.
#[pyfunction]
#[pyo3(signature = (
    study, files, folder, games, *, base, over, fields, parts, by_seat, sessions, payoff, length, seed,
    threads, progress
))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
#[expect(clippy::needless_pass_by_value, reason = "Python's arguments are values")]
pub(crate) fn _strategies(
    py: Python<'_>,
    study: &str,
    files: Vec<String>,
    folder: Option<PathBuf>,
    games: Vec<Bound<'_, Game>>,
    base: Option<Named>,
    over: Option<Named>,
    fields: Vec<Named>,
    parts: bool,
    by_seat: bool,
    sessions: u64,
    payoff: &str,
    length: LengthOf,
    seed: u64,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    let (payoff, length) = (payoff_by_name(payoff)?, self::length(length)?);
    let mut given = Given::default();
    let workers = Workers::of(threads, base.iter().chain(&over).chain(&fields));
    let over = over.map(|over| given.over(py, &over)).transpose()?;
    let base = base.map(|base| given.named(py, &base)).transpose()?.map(Base::Named);
    let fields: Vec<String> =
        fields.iter().map(|field| given.named(py, field)).collect::<PyResult<_>>()?;
    let candidates: Result<Vec<Candidate>, Failure> = match study {
        "strategy" => files.iter().map(|name| laboratory::candidate(name, over.as_ref())).collect(),
        "tips" => laboratory::tips(folder.as_deref(), base.as_ref()),
        _ => laboratory::advice(),
    };
    let candidates = candidates.map_err(|failure| failed(&failure))?;
    let games: Vec<Arc<newmarket_env::Game>> =
        games.iter().map(|game| game.get().inner.clone()).collect();
    let (study, ours) = (study.to_owned(), folder.is_none());
    let section = Progress::new(progress, 0).run(py, workers, move |stop, count| {
        let make = |name: &str, base: &Base| given.player(name, base).map(|it| watched(it, stop));
        let of = |deals: u64| StrategyStudy {
            candidates: &candidates,
            games: &games,
            fields: &fields,
            make: &make,
            deals,
            sessions,
            seed,
            payoff,
            parts,
            by_seat,
        };
        play(
            length,
            (stop, count),
            |deals| of(deals).work(),
            |deals, done| {
                Ok(match &*study {
                    "strategy" => of(deals).run(done)?,
                    "tips" => study::tips::run(&of(deals), ours, done)?,
                    _ => study::advice::run(&of(deals), done)?,
                })
            },
        )
    })?;
    object(py, &section.map_err(|failure| failed(&failure))?)
}

/// Players that were given as objects, by their names.
#[derive(Default)]
struct Given {
    players: BTreeMap<String, Player>,
    /// All names so far, and whether each is of an object.
    named: Vec<(String, bool)>,
}

impl Given {
    /// The name by which a player is made again.
    fn named(&mut self, py: Python<'_>, player: &Named) -> PyResult<String> {
        let made = player.player(py)?;
        let name = made.name().to_owned();
        let objects = !matches!(player, Named::Name(_));
        let named = &mut self.named;
        if named.iter().any(|(other, is_object)| *other == name && (*is_object || objects)) {
            return Err(bad(format!(
                "two players are called `{name}`: expected names that differ"
            )));
        }
        named.push((name.clone(), objects));
        if objects {
            self.players.insert(name.clone(), made);
        }
        Ok(name)
    }

    /// A player that strategies are measured over: a file, or a player.
    fn over(&mut self, py: Python<'_>, player: &Named) -> PyResult<(String, Base)> {
        if let Named::Name(name) = player {
            return laboratory::over(name).map_err(|failure| failed(&failure));
        }
        let name = self.named(py, player)?;
        Ok((name.clone(), Base::Named(name)))
    }

    fn player(&self, name: &str, base: &Base) -> Result<Player, String> {
        match base {
            Base::Named(named) if self.players.contains_key(named) => {
                Ok(self.players[named].another())
            }
            _ => laboratory::strategy_player(name, base),
        }
    }
}
