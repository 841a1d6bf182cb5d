//! Options of tables, by their names in Python.

use newmarket_agents::HeroSeat;
use newmarket_env::Autoreset;
use pyo3::prelude::*;

use crate::errors::bad;

/// The most tables that a batch may have.
const MOST: usize = 1 << 22;

/// Autoreset by its name in Gymnasium.
pub(crate) fn autoreset(name: &str) -> PyResult<Autoreset> {
    match name {
        "next_step" => Ok(Autoreset::NextStep),
        "same_step" => Ok(Autoreset::SameStep),
        "disabled" => Ok(Autoreset::Disabled),
        _ => Err(bad(format!(
            "unknown autoreset `{name}`: expected next_step, same_step or disabled"
        ))),
    }
}

pub(crate) const fn autoreset_name(autoreset: Autoreset) -> &'static str {
    match autoreset {
        Autoreset::NextStep => "next_step",
        Autoreset::SameStep => "same_step",
        Autoreset::Disabled => "disabled",
    }
}

/// A number of tables that a batch may have.
pub(crate) fn check_tables(tables: usize) -> PyResult<()> {
    if (1..=MOST).contains(&tables) {
        return Ok(());
    }
    Err(bad(format!("{tables} tables: expected 1 to {MOST}")))
}

/// The seat of the hero.
pub(crate) fn read_seat(seat: &Bound<'_, PyAny>, players: usize) -> PyResult<HeroSeat> {
    if seat.extract::<&str>().is_ok_and(|name| name == "random") {
        return Ok(HeroSeat::Drawn);
    }
    match seat.extract::<usize>() {
        Ok(seat) if seat < players => Ok(HeroSeat::Fixed(seat)),
        _ => Err(bad(format!("seat: expected random, or a seat from 0 to {}", players - 1))),
    }
}

/// Whether an illegal action raises; else it is replaced.
pub(crate) fn read_illegal(name: &str) -> PyResult<bool> {
    match name {
        "replace" => Ok(false),
        "raise" => Ok(true),
        _ => Err(bad(format!("unknown on_illegal `{name}`: expected replace or raise"))),
    }
}
