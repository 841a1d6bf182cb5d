//! Who sits in the seats that are not the hero's.

use newmarket_agents::net::ActionSelection;
use newmarket_agents::{HeroSeat, OpponentSeats, Player};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString};

use crate::errors::bad;
use crate::source::Source;

/// Opponents by name, with what the files of those who have one say.
pub(crate) struct Opponents {
    names: Names,
    /// By name, each once.
    sources: Vec<(String, Source)>,
}

/// What pickled opponents are: their names, and what the file of each says.
pub(crate) type Pickled = (Py<PyAny>, Vec<(String, Py<PyAny>)>);

/// Names of opponents: one for all seats, one for each, or shares by name.
enum Names {
    One(String),
    Seats(Vec<String>),
    Shares(Vec<(String, f64)>),
}

impl Names {
    fn read(given: &Bound<'_, PyAny>) -> PyResult<Self> {
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

    fn each(&self) -> Vec<&str> {
        match self {
            Self::One(name) => vec![name],
            Self::Seats(names) => names.iter().map(String::as_str).collect(),
            Self::Shares(shares) => shares.iter().map(|(name, _)| name.as_str()).collect(),
        }
    }

    fn object(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
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
}

impl Opponents {
    /// The same opponent in all seats.
    pub(crate) fn one(name: &str) -> PyResult<Self> {
        Self::of(Names::One(name.into()))
    }

    pub(crate) fn read(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::of(Names::read(given)?)
    }

    fn of(names: Names) -> PyResult<Self> {
        let mut each = names.each();
        each.sort_unstable();
        each.dedup();
        let sources = each.into_iter().map(|name| Ok((name.to_owned(), Source::read(name)?)));
        let sources = sources.collect::<PyResult<_>>()?;
        Ok(Self { names, sources })
    }

    /// The names, and what their files say, for a pickle.
    pub(crate) fn object(&self, py: Python<'_>) -> PyResult<Pickled> {
        let source = |(name, source): &(String, Source)| Ok((name.clone(), source.object(py)?));
        let sources = self.sources.iter().map(source).collect::<PyResult<_>>()?;
        Ok((self.names.object(py)?, sources))
    }

    /// What [`Opponents::object`] has made.
    pub(crate) fn restore(
        names: &Bound<'_, PyAny>,
        sources: Vec<(String, Bound<'_, PyAny>)>,
    ) -> PyResult<Self> {
        let source = |(name, it): (String, Bound<'_, PyAny>)| Ok((name, Source::of_object(&it)?));
        let sources = sources.into_iter().map(source).collect::<PyResult<_>>()?;
        Ok(Self { names: Names::read(names)?, sources })
    }

    fn player(&self, name: &str) -> PyResult<Player> {
        let source = self.sources.iter().find(|(it, _)| it == name);
        let source = source.map_or(&Source::Named, |(_, source)| source);
        source.player(name, ActionSelection::Greedy)
    }

    /// The players, and which of them sits where. A list has a name for every seat, the hero's
    /// among them, where it is not used; or, where the hero's seat is fixed, one for every other.
    pub(crate) fn seating(
        &self,
        players: usize,
        hero: HeroSeat,
    ) -> PyResult<(Vec<Player>, OpponentSeats)> {
        match &self.names {
            Names::One(name) => {
                Ok((vec![self.player(name)?], OpponentSeats::Fixed(vec![0; players])))
            }
            Names::Seats(names) => {
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
                let all = names.iter().map(|name| self.player(name)).collect::<PyResult<_>>()?;
                Ok((all, OpponentSeats::Fixed((0..players).collect())))
            }
            Names::Shares(shares) => {
                let all = shares.iter().map(|(name, _)| self.player(name));
                let all = all.collect::<PyResult<_>>()?;
                Ok((all, OpponentSeats::Drawn(shares.iter().map(|(_, share)| *share).collect())))
            }
        }
    }
}
