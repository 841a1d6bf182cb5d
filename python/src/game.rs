//! Rules at a table of so many players.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use newmarket_env::{Action, DealStarts, Episode, Exchange, Rules, Seed, rules};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyType};

use crate::errors::{bad, bad_chain};
use crate::whole;

/// Sessions out of which deals with carried chips are taken; those of one game are always the same.
const SESSIONS: usize = 100;
const SESSIONS_SEED: u64 = 1;

/// Rules at a table of so many players. Equal games are equal, as keys too, and can be pickled.
///
/// ``rules``: a named game (``named_games()``), the path of a rules file, or changes to a named
/// game as ``{"base": "newmarket", "per_card": 2}``.
///
/// Raises ``ValueError`` for rules that there are none of, or that do not seat so many.
#[pyclass(frozen, eq, hash, module = "newmarket")]
pub(crate) struct Game {
    pub(crate) inner: Arc<newmarket_env::Game>,
    /// What deals with carried chips begin from, once somebody plays any.
    carried: OnceLock<Arc<DealStarts>>,
}

impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.inner == other.inner
    }
}

impl Hash for Game {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.inner.rules().to_toml(), self.inner.players()).hash(state);
    }
}

impl Game {
    fn of(rules: Rules, players: usize) -> PyResult<Self> {
        let inner = newmarket_env::Game::new(rules, players).map_err(|error| bad_chain(&error))?;
        Ok(Self::at(Arc::new(inner)))
    }

    /// The same game as this one.
    pub(crate) fn at(inner: Arc<newmarket_env::Game>) -> Self {
        Self { inner, carried: OnceLock::new() }
    }

    /// What is played between two resets.
    pub(crate) fn episode(&self, name: &str) -> PyResult<Episode> {
        let carried =
            || Arc::new(DealStarts::random(&self.inner, SESSIONS, Seed::new(SESSIONS_SEED)));
        match name {
            "deal" => Ok(Episode::Deal),
            "carried_deal" => Ok(Episode::Carried(self.carried.get_or_init(carried).clone())),
            "session" => Ok(Episode::Session),
            _ => Err(bad(format!(
                "unknown episode `{name}`: expected deal, carried_deal or session"
            ))),
        }
    }
}

/// Rules by their name, by the path of a file, or as changes to a named game.
pub(crate) fn read_rules(rules: &Bound<'_, PyAny>) -> PyResult<Rules> {
    if let Ok(name) = rules.cast::<PyString>() {
        return Rules::load(name.to_str()?).map_err(|error| bad_chain(&error));
    }
    if let Ok(path) = rules.extract::<std::path::PathBuf>() {
        return Rules::load(&path.to_string_lossy()).map_err(|error| bad_chain(&error));
    }
    let wrong = || {
        bad(
            "rules: expected a name, a path, or a dict as {\"base\": \"newmarket\", \"per_card\": 2}",
        )
    };
    let rules = rules.cast::<PyDict>().map_err(|_| wrong())?;
    let json = rules.py().import("json")?.call_method1("dumps", (rules,))?;
    let mut changes: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(json.cast::<PyString>()?.to_str()?).map_err(|_| wrong())?;
    let Some(serde_json::Value::String(base)) = changes.shift_remove("base") else {
        return Err(wrong());
    };
    Rules::from_overrides(&base, &changes).map_err(|error| bad_chain(&error))
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (rules=None, players=4))]
    fn new(
        rules: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = whole::players)] players: usize,
    ) -> PyResult<Self> {
        match rules {
            Some(rules) => Self::of(read_rules(rules)?, players),
            None => Self::of(Rules::load("newmarket").map_err(|error| bad_chain(&error))?, players),
        }
    }

    /// The rules of the text of a rules file.
    #[classmethod]
    fn from_toml(
        _: &Bound<'_, PyType>,
        text: &str,
        #[pyo3(from_py_with = whole::players)] players: usize,
    ) -> PyResult<Self> {
        let rules = Rules::from_toml(text, "the rules").map_err(|error| bad_chain(&error))?;
        Self::of(rules, players)
    }

    /// Seats at the table.
    #[getter]
    fn players(&self) -> usize {
        self.inner.players()
    }

    /// The name of the rules.
    #[getter]
    fn title(&self) -> &str {
        self.inner.rules().title()
    }

    /// The rules in full, as the text of a rules file.
    #[getter]
    fn toml(&self) -> String {
        self.inner.rules().to_toml()
    }

    /// The rules for people: a sentence or a few about each thing, in the order of a deal.
    #[getter]
    fn rules_in_words(&self) -> Vec<String> {
        self.inner.rules().in_words()
    }

    /// The rules as changes to a named game: ``Game(game.rules, game.players)`` is this game again.
    #[getter]
    fn rules(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        crate::lab::object(py, &self.inner.rules().to_file())
    }

    /// The cards in play, by suits and ranks, as ``"KH"``.
    #[getter]
    fn pack(&self) -> Vec<String> {
        self.inner.pack().notation(self.inner.rules().aces)
    }

    /// Cells of the layout.
    #[getter]
    fn cells(&self) -> usize {
        self.inner.cells()
    }

    /// No seat gains or loses more chips in one deal.
    #[getter]
    fn most_chips(&self) -> i64 {
        let (rules, players) = (self.inner.rules(), self.inner.players() as i64);
        let exchange = match rules.exchange {
            Exchange::None => 0,
            Exchange::Dealer { fee } => fee,
            Exchange::DealerOrAuction { max_bid } => max_bid,
            Exchange::OfferChain { price } => price,
        };
        // A seat that bets puts in a chip, and one more a raise: fewer than 64 of them.
        let stakes = i64::from(rules.full_ante(true).max(rules.full_ante(false)));
        players * (stakes + 52 * i64::from(rules.per_card) + i64::from(exchange) + 64)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (rules, players) = (self.inner.rules(), self.players());
        // A name alone, where it says all.
        if Rules::named(rules.title()).is_some_and(|named| named == *rules) {
            return Ok(format!("Game('{}', players={players})", rules.title()));
        }
        Ok(format!("Game({}, players={players})", self.rules(py)?.bind(py).repr()?))
    }

    fn __reduce__(this: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String, usize))> {
        let make = this.get_type().getattr("from_toml")?.unbind();
        Ok((make, (this.get().toml(), this.get().players())))
    }

    fn __copy__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __deepcopy__(this: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        this
    }
}

/// The names of all actions, by their ids.
#[pyfunction]
pub(crate) fn action_names() -> Vec<String> {
    Action::ALL.iter().map(ToString::to_string).collect()
}

/// The names of the games that come with the package.
#[pyfunction]
pub(crate) fn named_games() -> Vec<&'static str> {
    rules::NAMES.to_vec()
}

/// The action of an id.
#[inline]
pub(crate) fn action(id: i64) -> PyResult<Action> {
    usize::try_from(id).ok().and_then(Action::try_from_index).ok_or_else(|| bad_action(id))
}

#[cold]
fn bad_action(id: i64) -> PyErr {
    bad(format!("action {id}: expected an id from 0 to {}", Action::COUNT - 1))
}
