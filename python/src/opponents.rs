//! Who sits in the seats that are not the hero's.

use newmarket_agents::{HeroSeat, OpponentSeats, Player};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyString};

use crate::errors::bad;
use crate::source::Who;

/// Opponents, with what the files of those who have one say.
pub(crate) struct Opponents {
    seats: Seats,
    who: Vec<Who>,
}

/// What pickled opponents are: how they are seated, and who they are.
pub(crate) type Pickled = (Py<PyAny>, Vec<Py<PyAny>>);

/// Where opponents sit.
enum Seats {
    /// The only one in all seats.
    All,
    /// Each in a seat of its own.
    Each,
    /// In every seat one of them, drawn by these shares.
    Shares(Vec<f64>),
}

impl Opponents {
    /// The same opponent in all seats.
    pub(crate) fn one(name: &str) -> PyResult<Self> {
        Ok(Self { seats: Seats::All, who: vec![Who::named(name.to_owned())?] })
    }

    /// One player, a list of them (one a seat), or a mapping of players and shares.
    pub(crate) fn read(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let wrong = || {
            bad(
                "opponents: expected a player, a list of players (one a seat), or a dict of players \
                 and shares as {\"stopper\": 0.5, \"random\": 0.5}",
            )
        };
        if let Ok(shares) = given.cast::<PyMapping>() {
            let shares: Vec<(Bound<'_, PyAny>, f64)> =
                shares.items()?.extract().map_err(|_| wrong())?;
            let good = shares.iter().all(|(_, share)| share.is_finite() && *share >= 0.0);
            if !good || shares.iter().map(|(_, share)| share).sum::<f64>() <= 0.0 {
                return Err(wrong());
            }
            let who = shares.iter().map(|(who, _)| Who::read(who)).collect::<PyResult<_>>()?;
            let shares = shares.into_iter().map(|(_, share)| share).collect();
            return Ok(Self { seats: Seats::Shares(shares), who });
        }
        let is_one = given.is_instance_of::<PyString>();
        match given.extract::<Vec<Bound<'_, PyAny>>>() {
            Ok(all) if !is_one => {
                let who = all.iter().map(Who::read).collect::<PyResult<_>>()?;
                Ok(Self { seats: Seats::Each, who })
            }
            _ => {
                let who = Who::read(given);
                let who = who.map_err(|error| match error {
                    error if error.is_instance_of::<PyTypeError>(given.py()) => wrong(),
                    error => error,
                })?;
                Ok(Self { seats: Seats::All, who: vec![who] })
            }
        }
    }

    /// Whether one of them asks functions of Python.
    pub(crate) fn asks(&self) -> bool {
        self.who.iter().filter_map(Who::composition).any(|player| player.asks())
    }

    /// The opponents as objects, for a pickle.
    pub(crate) fn object(&self, py: Python<'_>) -> PyResult<Pickled> {
        let seats = match &self.seats {
            Seats::All => py.None(),
            Seats::Each => true.into_pyobject(py)?.to_owned().into_any().unbind(),
            Seats::Shares(shares) => shares.clone().into_pyobject(py)?.into_any().unbind(),
        };
        let who = self.who.iter().map(|who| who.object(py)).collect::<PyResult<_>>()?;
        Ok((seats, who))
    }

    /// What [`Opponents::object`] has made.
    pub(crate) fn restore(seats: &Bound<'_, PyAny>, who: &[Bound<'_, PyAny>]) -> PyResult<Self> {
        let who: Vec<Who> = who.iter().map(Who::of_object).collect::<PyResult<_>>()?;
        let seats = match seats.extract::<Vec<f64>>() {
            Ok(shares) if shares.len() == who.len() => Seats::Shares(shares),
            Ok(_) => return Err(bad("pickled opponents: expected a share for each")),
            Err(_) if seats.is_none() && who.len() == 1 => Seats::All,
            Err(_) => Seats::Each,
        };
        Ok(Self { seats, who })
    }

    /// The players, and which of them sits where. A list has one for every seat, the hero's
    /// among them, where it is not used; or, where the hero's seat is fixed, one for every other.
    pub(crate) fn seating(
        &self,
        players: usize,
        hero: HeroSeat,
    ) -> PyResult<(Vec<Player>, OpponentSeats)> {
        let mut all = self.who.iter().map(Who::player).collect::<PyResult<Vec<_>>>()?;
        let seats = match &self.seats {
            Seats::All => OpponentSeats::Fixed(vec![0; players]),
            Seats::Shares(shares) => OpponentSeats::Drawn(shares.clone()),
            Seats::Each => {
                if let (HeroSeat::Fixed(seat), true) = (hero, all.len() + 1 == players) {
                    let unused = Opponents::one("random")?.who[0].player()?;
                    all.insert(seat, unused);
                }
                if all.len() != players {
                    return Err(bad(format!(
                        "opponents: {} players: expected one for each of {players} seats, or one for all",
                        all.len()
                    )));
                }
                OpponentSeats::Fixed((0..players).collect())
            }
        };
        Ok((all, seats))
    }
}
