//! One table.

use newmarket_env::{Env, Observation};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

use crate::arrays;
use crate::errors::{bad, exclusive, illegal, shared};
use crate::game::{Game, action};
use crate::observation::{Form, check_fingerprint};
use crate::seeds::TableSeed;
use crate::view::{View, ids, phase_name};

/// One table. It always stands at a decision, or at the end of its episode.
///
/// ``episode``: ``"deal"`` (an empty layout, stacks from 0), ``"carried_deal"`` (the same with the layout,
/// the kitty and the dealer of a deal out of a session of random players, one of about a thousand, drawn by
/// the seed) or ``"session"``. Decisions with a
/// single choice are not asked for, unless ``show_forced``. A new table stands at episode 0 of
/// seed 0. Tables can be copied and pickled; two threads in one raise ``RuntimeError``.
#[pyclass(module = "newmarket")]
pub(crate) struct Table {
    game: Py<Game>,
    episode: String,
    forced: bool,
    pub(crate) env: Env,
    at: TableSeed,
    number: u64,
    /// The actions of the episode so far: with the seed, all that a copy needs.
    actions: Vec<u8>,
    payoffs: [i32; newmarket_env::MAX_PLAYERS],
}

/// What a pickled table is: fingerprint, game, kind of episode, forced decisions shown, seed,
/// table, episode, actions.
type Pickled<'py> = (u64, Py<Game>, String, bool, u64, u64, u64, Bound<'py, PyBytes>);

impl Table {
    fn begin(&mut self, at: TableSeed, number: u64) {
        (self.at, self.number) = (at, number);
        self.actions.clear();
        self.env.reset(at.node().child(number));
        self.payoffs = [0; newmarket_env::MAX_PLAYERS];
        self.count();
    }

    fn count(&mut self) {
        for (payoff, reward) in self.payoffs.iter_mut().zip(self.env.rewards()) {
            *payoff += reward;
        }
    }

    fn take(&mut self, id: i64) -> PyResult<()> {
        let action = action(id)?;
        self.env.step(action).map_err(|error| illegal(&error))?;
        self.actions.push(id as u8);
        self.count();
        Ok(())
    }

    fn seat_or(&self, seat: Option<usize>) -> PyResult<usize> {
        let seat = seat.unwrap_or_else(|| self.env.seat());
        let players = self.env.game().players();
        if seat < players {
            return Ok(seat);
        }
        Err(bad(format!("seat {seat}: expected 0 to {}", players - 1)))
    }

    /// What a seat may know now.
    pub(crate) fn view_of(&self, seat: usize) -> View {
        View { game: self.env.game().clone(), state: *self.env.state(), at: seat }
    }
}

#[pymethods]
impl Table {
    #[new]
    #[pyo3(signature = (game, episode="deal", *, show_forced=false))]
    fn new(game: Py<Game>, episode: &str, show_forced: bool) -> PyResult<Self> {
        let kind = game.get().episode(episode)?;
        let env = Env::new(game.get().inner.clone(), kind).show_forced(show_forced);
        let mut table = Self {
            game,
            episode: episode.into(),
            forced: show_forced,
            env,
            at: TableSeed { seed: 0, table: 0 },
            number: 0,
            actions: Vec::new(),
            payoffs: [0; newmarket_env::MAX_PLAYERS],
        };
        table.begin(table.at, 0);
        Ok(table)
    }

    /// Begin an episode of a seed (0 to 2**64 - 1); without a seed the next episode.
    #[pyo3(signature = (seed=None, *, table=0, episode=0))]
    fn reset(this: &Bound<'_, Self>, seed: Option<u64>, table: u64, episode: u64) -> PyResult<()> {
        let mut this = exclusive(this)?;
        let next = this.number.checked_add(1);
        let (at, number) = match seed {
            Some(seed) => (TableSeed { seed, table }, episode),
            None => (this.at, next.ok_or_else(|| bad("this is the last episode of its seed"))?),
        };
        this.begin(at, number);
        Ok(())
    }

    /// Take an action for the seat that is to act.
    ///
    /// Raises ``IllegalActionError`` if it is not legal, ``ValueError`` if there is no such
    /// action. Nothing has then changed.
    fn step(this: &Bound<'_, Self>, action: i64) -> PyResult<()> {
        exclusive(this)?.take(action)
    }

    /// The rules and the number of seats.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// Seed, table and episode.
    #[getter]
    fn seed(&self) -> (u64, u64, u64) {
        (self.at.seed, self.at.table, self.number)
    }

    /// The seat to act; 0 at the end.
    #[getter]
    fn seat(&self) -> usize {
        self.env.seat()
    }

    /// Whether the episode is over.
    #[getter]
    fn over(&self) -> bool {
        self.env.is_over()
    }

    /// Chips that each seat gained in the last step.
    #[getter]
    fn rewards(&self) -> Vec<f64> {
        self.env.rewards().iter().copied().map(f64::from).collect()
    }

    /// Chips that each seat gained in this episode so far, as counted in rewards.
    #[getter]
    fn payoffs(&self) -> Vec<f64> {
        let players = self.env.game().players();
        self.payoffs[..players].iter().copied().map(f64::from).collect()
    }

    /// The legal actions; none at the end.
    #[getter]
    fn legal(&self) -> Vec<usize> {
        ids(self.env.legal())
    }

    /// What is due, as in ``View.phase``.
    #[getter]
    fn phase(&self) -> &'static str {
        if self.env.is_over() { "over" } else { phase_name(self.env.state().phase()) }
    }

    /// The actions of this episode so far, ``uint8[n]``.
    #[getter]
    fn actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_slice(py, &self.actions)
    }

    /// The legal actions as ``int8[ACTIONS]``, a new array.
    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        arrays::mask(py, self.env.legal())
    }

    /// What a seat (that to act) may know, a new array, as in ``View.observe``.
    #[pyo3(signature = (seat=None, form="f32"))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        seat: Option<usize>,
        form: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (form, seat) = (Form::parse(form)?, self.seat_or(seat)?);
        Ok(form.array(py, &Observation::of(&self.env.observe(seat))))
    }

    /// What a seat (that to act) may know, for agents and for people.
    #[pyo3(signature = (seat=None))]
    fn view(&self, seat: Option<usize>) -> PyResult<View> {
        Ok(self.view_of(self.seat_or(seat)?))
    }

    /// All hands as they were dealt, the dead hand last: for referees, not for players.
    fn dealt(&self) -> Vec<Vec<String>> {
        let (game, session) = (self.env.game(), self.env.session());
        let (hands, aces) = (session.hands(game), game.rules().aces);
        let seats = hands.seats[..game.players()].iter().chain([&hands.dead]);
        seats.map(|cards| cards.notation(aces)).collect()
    }

    /// A table that stands where this one does.
    fn copy(this: &Bound<'_, Self>) -> PyResult<Self> {
        let this_ = shared(this)?;
        Ok(Self {
            game: this_.game.clone_ref(this.py()),
            episode: this_.episode.clone(),
            forced: this_.forced,
            env: this_.env.clone(),
            at: this_.at,
            number: this_.number,
            actions: this_.actions.clone(),
            payoffs: this_.payoffs,
        })
    }

    fn __copy__(this: &Bound<'_, Self>) -> PyResult<Self> {
        Self::copy(this)
    }

    fn __deepcopy__(this: &Bound<'_, Self>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::copy(this)
    }

    fn __repr__(&self) -> String {
        let TableSeed { seed, table } = self.at;
        let what = if self.env.is_over() {
            "over".into()
        } else {
            format!("seat {} to act: {}", self.env.seat(), self.phase())
        };
        format!("Table(seed={seed}, table={table}, episode={}, {what})", self.number)
    }

    #[classmethod]
    #[expect(clippy::too_many_arguments, reason = "what a pickled table is")]
    fn _restore(
        _: &Bound<'_, PyType>,
        fingerprint: u64,
        game: Py<Game>,
        episode: &str,
        forced: bool,
        seed: u64,
        table: u64,
        number: u64,
        actions: &[u8],
    ) -> PyResult<Self> {
        check_fingerprint(fingerprint)?;
        let mut restored = Self::new(game, episode, forced)?;
        restored.begin(TableSeed { seed, table }, number);
        for &id in actions {
            restored.take(i64::from(id))?;
        }
        Ok(restored)
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let (py, make) = (this.py(), this.get_type().getattr("_restore")?);
        let it = shared(this)?;
        let pickled = (
            newmarket_env::encode::fingerprint(),
            it.game.clone_ref(py),
            it.episode.clone(),
            it.forced,
            it.at.seed,
            it.at.table,
            it.number,
            PyBytes::new(py, &it.actions),
        );
        Ok((make, pickled))
    }
}
