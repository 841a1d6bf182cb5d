//! Who sits in the seats that are not the hero's.

use newmarket_agents::{HeroSeat, OpponentSeats, Player};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString};

use crate::agent;
use crate::errors::bad;

/// Names of opponents: one for all seats, one for each, or shares by name.
#[derive(Clone)]
pub(crate) enum Opponents {
    One(String),
    Seats(Vec<String>),
    Shares(Vec<(String, f64)>),
}

impl Opponents {
    pub(crate) fn read(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let wrong = || {
            bad("opponents: expected a name, a list of names (one a seat), or a dict of names and \
                 shares as {\"stopper\": 0.5, \"random\": 0.5}")
        };
        if let Ok(name) = given.cast::<PyString>() {
            return Ok(Self::One(name.to_string()));
        }
        if let Ok(shares) = given.cast::<PyMapping>() {
            let shares: Vec<(String, f64)> = shares.items()?.extract().map_err(|_| wrong())?;
            let good = shares.iter().all(|(_, share)| share.is_finite() && *share >= 0.0);
            if !good || shares.iter().map(|(_, share)| share).sum::<f64>() <= 0.0 {
                return Err(wrong());
            }
            return Ok(Self::Shares(shares));
        }
        given.extract().map(Self::Seats).map_err(|_| wrong())
    }

    pub(crate) fn object(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(match self {
            Self::One(name) => PyString::new(py, name).into_any().unbind(),
            Self::Seats(names) => names.clone().into_pyobject(py)?.unbind(),
            Self::Shares(shares) => {
                let dict = PyDict::new(py);
                for (name, share) in shares {
                    dict.set_item(name, share)?;
                }
                dict.into_any().unbind()
            }
        })
    }

    /// The players, and which of them sits where. A list has a name for every seat, the hero's
    /// among them, where it is not used; or, where the hero's seat is fixed, one for every other.
    pub(crate) fn seating(
        &self,
        players: usize,
        hero: HeroSeat,
    ) -> PyResult<(Vec<Player>, OpponentSeats)> {
        match self {
            Self::One(name) => {
                Ok((vec![agent::player(name)?], OpponentSeats::Fixed(vec![0; players])))
            }
            Self::Seats(names) => {
                let mut names = names.clone();
                if let (HeroSeat::Fixed(seat), true) = (hero, names.len() + 1 == players) {
                    let own = names.first().cloned().unwrap_or_else(|| "random".into());
                    names.insert(seat, own);
                }
                if names.len() != players {
                    return Err(bad(format!(
                        "{} opponents: expected a name for each of {players} seats, or one for all",
                        names.len()
                    )));
                }
                let all = names.iter().map(|name| agent::player(name)).collect::<PyResult<_>>()?;
                Ok((all, OpponentSeats::Fixed((0..players).collect())))
            }
            Self::Shares(shares) => {
                let all = shares.iter().map(|(name, _)| agent::player(name));
                let all = all.collect::<PyResult<_>>()?;
                Ok((all, OpponentSeats::Drawn(shares.iter().map(|(_, share)| *share).collect())))
            }
        }
    }
}
