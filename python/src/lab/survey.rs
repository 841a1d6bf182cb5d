//! Surveys, as Python objects.

use std::time::Instant;

use newmarket::external::WithPrograms;
use newmarket_agents::Player;
use newmarket_eval::survey::{Survey, SurveyTables};
use pyo3::prelude::*;

use super::{Granted, at_least_one, object, players_apart, programs};
use crate::agent::Named;
use crate::errors::bad;
use crate::pool::Workers;
use crate::progress::Progress;
use crate::watched::watched;

/// A player at many tables: what ``newmarket survey --json`` prints. ``tables``: as for
/// ``--tables``.
#[pyfunction]
#[pyo3(signature = (
    hero, fields, *, tables, half_width, margin, deals, seed, threads, programs, progress
))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
#[expect(clippy::needless_pass_by_value, reason = "Python's arguments are values")]
pub(crate) fn _survey(
    py: Python<'_>,
    hero: Named,
    fields: Vec<Named>,
    tables: &str,
    half_width: f64,
    margin: f64,
    deals: u64,
    seed: u64,
    threads: usize,
    programs: Granted,
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    at_least_one("deals", deals)?;
    for (parameter, antes) in [("half_width", half_width), ("margin", margin)] {
        if !(antes > 0.0 && antes.is_finite()) {
            return Err(bad(format!("{parameter}: {antes}: expected a positive number of antes")));
        }
    }
    if fields.is_empty() {
        return Err(bad("fields: expected at least one player"));
    }
    let mut programs = self::programs(programs)?;
    let workers = Workers::of(threads, [&hero].into_iter().chain(&fields));
    let hero = hero.seated(py, &mut programs)?;
    let fields = players_apart(py, "fields", &fields, &mut programs)?;
    let wrong = |fault| bad(format!("tables: `{tables}`: {fault}"));
    let tables = tables.parse::<SurveyTables>().map_err(wrong)?.of_seed(seed);
    let total = (tables.len() * fields.len()) as u64;
    let result = Progress::new(progress, total).run(py, workers, move |stop, count| {
        let hero = &watched(hero, stop);
        let fields: Vec<Player> = fields.into_iter().map(|field| watched(field, stop)).collect();
        let (fields, tables, start) = (&fields[..], &tables[..], Instant::now());
        let survey = Survey { hero, fields, tables, half_width, margin, most_deals: deals, seed };
        let rows = survey.pending().map(|row| {
            stop.check();
            let row = row.play();
            count.add(1);
            row
        });
        survey.report(rows.collect()).took(start.elapsed())
    })?;
    object(py, &WithPrograms { result, programs: programs.reports() })
}
