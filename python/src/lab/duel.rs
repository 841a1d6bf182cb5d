//! Duels, as Python objects.

use std::time::Instant;

use newmarket::external::WithPrograms;
use newmarket_eval::study::Payoff;
use newmarket_eval::{Duel, SessionDuel};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray as _, PyArray2};
use pyo3::prelude::*;

use super::{Granted, at_least_one, object, payoff_by_name, programs};
use crate::agent::Named;
use crate::errors::bad;
use crate::game::Game;
use crate::pool::Workers;
use crate::progress::Progress;
use crate::watched::watched;

/// The result of a duel, and what was gained in each deal.
type Duelled<'py> = (Py<PyAny>, Option<Bound<'py, PyArray2<i32>>>);

/// A duel on deals: what ``newmarket duel --json`` prints, and ``int32[deals, players]`` if ``by_deal``.
#[pyfunction]
#[pyo3(signature = (
    hero, field, over, game, *, payoff, deals, by_deal, by_kind, seed, threads, programs, progress
))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
#[expect(clippy::needless_pass_by_value, reason = "Python's arguments are values")]
pub(crate) fn _duel<'py>(
    py: Python<'py>,
    hero: Named,
    field: Named,
    over: Option<Named>,
    game: &Bound<'_, Game>,
    payoff: &str,
    deals: u64,
    by_deal: bool,
    by_kind: bool,
    seed: u64,
    threads: usize,
    programs: Granted,
    progress: Option<Py<PyAny>>,
) -> PyResult<Duelled<'py>> {
    at_least_one("deals", deals)?;
    let payoff = payoff_by_name(payoff)?;
    let mut programs = self::programs(programs)?;
    let workers = Workers::of(threads, [&hero, &field].into_iter().chain(&over));
    let (hero, field) = (hero.seated(py, &mut programs)?, field.seated(py, &mut programs)?);
    let over = over.map(|over| over.seated(py, &mut programs)).transpose()?;
    let game = game.get().inner.clone();
    let players = game.players();
    let kinds = |game| Duel { game, hero: &hero, field: &field, deals, seed }.kinds().count();
    let parts = if by_kind { 1 + kinds(game.clone()) } else { 1 };
    let total = deals * parts as u64;
    let (result, gains) = Progress::new(progress, total)
        .run(py, workers, move |stop, count| {
            let (hero, field) = (&watched(hero, stop), &watched(field, stop));
            let over = over.map(|over| watched(over, stop));
            let (over, start, mut gains) = (over.as_ref(), Instant::now(), Vec::new());
            let done = |played| {
                stop.check();
                count.add(played);
            };
            let duel = Duel { game, hero, field, deals, seed };
            let mut report = match payoff {
                Payoff::Session => duel.run_in_sessions(over, done),
                Payoff::Deal => duel.run_each(over, done, |gain| {
                    if by_deal {
                        gains.extend_from_slice(&gain.by_role[..players]);
                    }
                }),
            };
            if by_kind {
                report.by_kind = duel.by_kind(over, done).ok_or(
                "by_kind: a player that sees all cards has no decisions that another could take",
            )?;
            }
            Ok((report.took(start.elapsed()), gains))
        })?
        .map_err(|error: &str| bad(error))?;
    let gains = by_deal
        .then(|| Array2::from_shape_vec([deals as usize, players], gains).map_err(bad))
        .transpose()?
        .map(|gains| gains.into_pyarray(py));
    Ok((object(py, &WithPrograms { result, programs: programs.reports() })?, gains))
}

/// A duel on whole sessions: what ``newmarket duel --sessions K --json`` prints.
#[pyfunction]
#[pyo3(signature = (hero, field, game, *, sessions, seed, threads, programs, progress))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
#[expect(clippy::needless_pass_by_value, reason = "Python's arguments are values")]
pub(crate) fn _sessions(
    py: Python<'_>,
    hero: Named,
    field: Named,
    game: &Bound<'_, Game>,
    sessions: u64,
    seed: u64,
    threads: usize,
    programs: Granted,
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    at_least_one("sessions", sessions)?;
    let mut programs = self::programs(programs)?;
    let workers = Workers::of(threads, [&hero, &field]);
    let (hero, field) = (hero.seated(py, &mut programs)?, field.seated(py, &mut programs)?);
    let game = game.get().inner.clone();
    let result = Progress::new(progress, sessions).run(py, workers, move |stop, count| {
        let (hero, field) = (&watched(hero, stop), &watched(field, stop));
        let start = Instant::now();
        let duel = SessionDuel { game, hero, field, sessions, seed };
        duel.run(|played| {
            stop.check();
            count.add(played);
        })
        .took(start.elapsed())
    })?;
    object(py, &WithPrograms { result, programs: programs.reports() })
}
