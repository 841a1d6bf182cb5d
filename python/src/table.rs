//! One table.

use std::io::Cursor;
use std::sync::Arc;

use newmarket_agents::{Runner, record_actions};
use newmarket_env::{Action, DealDriver, Env, Episode, Observation, Session};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

use crate::arrays;
use crate::errors::{bad, exclusive, illegal, shared};
use crate::game::{Game, action};
use crate::observation::{Form, check_fingerprint};
use crate::position::{self, Cards, Chosen, Play, Start};
use crate::seeds::TableSeed;
use crate::view::{View, ids, phase_name};
use crate::whole;

/// One table. It always stands at a decision, or at the end of its episode.
///
/// ``episode``: ``"deal"`` (an empty layout, stacks from 0), ``"carried_deal"`` (the same with the layout,
/// the kitty and the dealer of a deal out of a session of random players, one of about a thousand, drawn by
/// the seed) or ``"session"``. Decisions with a
/// single choice are not asked for, unless ``show_forced``. A new table stands at episode 0 of
/// seed 0. Tables can be copied and pickled; two threads in one raise ``RuntimeError``.
/// ``rewards`` and ``payoffs`` are by seat of the table; ``observe`` and ``view`` are of the seat to act, unless
/// another is named, and an observation counts seats from its viewer.
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

/// What a table that begins at a position is called in the place of its kind of episode.
const POSITION: &str = "position";

/// What a pickled table is: fingerprint, game, kind of episode, forced decisions shown; seed, table,
/// episode; actions, the table and the cards before the deal if they were given.
type Pickled<'py> =
    (u64, Py<Game>, String, bool, (u64, u64, u64), Bound<'py, PyBytes>, Option<Start>);

impl Table {
    /// A table of such episodes, at the first one of seed 0.
    fn of(game: Py<Game>, episode: &str, kind: Episode, forced: bool) -> Self {
        let env = Env::new(game.get().inner.clone(), kind).show_forced(forced);
        let mut table = Self {
            game,
            episode: episode.into(),
            forced,
            env,
            at: TableSeed { seed: 0, table: 0 },
            number: 0,
            actions: Vec::new(),
            payoffs: [0; newmarket_env::MAX_PLAYERS],
        };
        table.begin(table.at, 0);
        table
    }

    /// A table at the beginning of a deal whose cards are given.
    fn given(game: Py<Game>, start: &Start, forced: bool) -> PyResult<Self> {
        let session = Arc::new(start.session(&game.get().inner)?);
        Ok(Self::of(game, POSITION, Episode::Given(session), forced))
    }

    /// The session that was played here, before its first deal.
    fn session(&self) -> Session {
        if self.episode == "session" {
            return Session::new(self.env.game(), self.at.node().child(self.number));
        }
        self.env.session().clone()
    }

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
        self.decide(action(id)?)
    }

    /// Takes an action for the seat that is to act.
    pub(crate) fn decide(&mut self, action: Action) -> PyResult<()> {
        self.env.step(action).map_err(|error| illegal(&error))?;
        self.actions.push(action.index() as u8);
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
        View::of(self.env.game().clone(), &self.env.observe(seat))
    }
}

#[pymethods]
impl Table {
    #[new]
    #[pyo3(signature = (game, episode="deal", *, show_forced=false))]
    fn new(game: Py<Game>, episode: &str, show_forced: bool) -> PyResult<Self> {
        let kind = game.get().episode(episode)?;
        Ok(Self::of(game, episode, kind, show_forced))
    }

    /// A table in the middle of a single deal: from the cards as they were dealt and what has happened since.
    ///
    /// ``hands``: the cards of each seat, ``["3C", "KH", ...]`` or ``"3C KH ..."``; ``dead``: the dead hand, the
    /// rest of the pack if it is not given. ``layout``, by cell, ``kitty`` and ``stacks``, by seat, are the chips
    /// before the antes of the deal: nothing and scores of 0 if they are not given. What happened comes in three
    /// parts, in this order, each of which may be missing: ``stakes``, the chips that each seat put on each cell, as
    /// ``View.all_stakes``; ``actions``, further decisions that had a choice, by id or in words, as in
    /// ``View.choices``; ``plays``, cards in the order of time, as ``View.plays``, or without their seats. The
    /// table goes on to the next decision with a choice, unless ``show_forced``. Its ``seed`` is 0, and ``reset()``
    /// begins the deal again.
    ///
    /// Raises ``ValueError`` for what cannot be: wrong cards or chips, or what the rules do not allow.
    #[classmethod]
    #[pyo3(signature = (
        game, hands, dead=None, *, dealer=0, layout=None, kitty=0, stacks=None, stakes=None,
        actions=None, plays=None, show_forced=false
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn from_position(
        _: &Bound<'_, PyType>,
        game: Py<Game>,
        #[pyo3(from_py_with = position::hands)] hands: Vec<Cards>,
        #[pyo3(from_py_with = position::dead)] dead: Option<Cards>,
        #[pyo3(from_py_with = whole::dealer)] dealer: usize,
        layout: Option<Vec<i32>>,
        kitty: i32,
        stacks: Option<Vec<i32>>,
        stakes: Option<Vec<Vec<i32>>>,
        #[pyo3(from_py_with = position::actions)] actions: Option<Vec<Chosen>>,
        #[pyo3(from_py_with = position::plays)] plays: Option<Vec<Play>>,
        show_forced: bool,
    ) -> PyResult<Self> {
        let start = Start { hands, dead, dealer, layout, kitty, stacks };
        let mut table = Self::given(game, &start, show_forced)?;
        if let Some(stakes) = stakes {
            table.place(&stakes)?;
        }
        table.decide_all(&actions.unwrap_or_default())?;
        table.follow(&plays.unwrap_or_default())?;
        Ok(table)
    }

    /// Begin an episode of a seed (0 to 2**64 - 1); without a seed the next episode, or again the deal of
    /// ``from_position``.
    #[pyo3(signature = (seed=None, *, table=0, episode=0))]
    fn reset(
        this: &Bound<'_, Self>,
        #[pyo3(from_py_with = whole::seed_or_none)] seed: Option<u64>,
        #[pyo3(from_py_with = whole::table)] table: u64,
        #[pyo3(from_py_with = whole::episode)] episode: u64,
    ) -> PyResult<()> {
        let mut this = exclusive(this)?;
        if this.episode == POSITION {
            if seed.is_some() {
                return Err(bad("seed: a table from a position has none: expected reset()"));
            }
            let at = this.at;
            this.begin(at, 0);
            return Ok(());
        }
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
        #[pyo3(from_py_with = whole::seat_or_none)] seat: Option<usize>,
        form: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (form, seat) = (Form::parse(form)?, self.seat_or(seat)?);
        Ok(form.array(py, &Observation::of(&self.env.observe(seat))))
    }

    /// What a seat (that to act) may know, for agents and for people.
    #[pyo3(signature = (seat=None))]
    fn view(
        &self,
        #[pyo3(from_py_with = whole::seat_or_none)] seat: Option<usize>,
    ) -> PyResult<View> {
        Ok(self.view_of(self.seat_or(seat)?))
    }

    /// The table as a seat (that to act) sees it, as the text of a picture. Notebooks show it.
    #[pyo3(signature = (seat=None))]
    fn svg<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = whole::seat_or_none)] seat: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let view = self.view(seat)?.into_pyobject(py)?;
        View::svg(&view)
    }

    fn _repr_html_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.svg(py, None)
    }

    /// All hands as they were dealt, the dead hand last: for referees, not for players.
    fn dealt(&self) -> Vec<Vec<String>> {
        let (game, session) = (self.env.game(), self.env.session());
        let (hands, aces) = (session.hands(game), game.rules().aces);
        let seats = hands.seats[..game.players()].iter().chain([&hands.dead]);
        seats.map(|cards| cards.notation(aces)).collect()
    }

    /// The deals of this episode so far, as ``newmarket.trace`` gives them, for ``newmarket check`` and others.
    ///
    /// Only deals that are over can be checked, and only they are in it. With ``unfinished`` the deal that is
    /// under way is its last line, with the events and chips so far. It shows all cards. ``agents`` is empty.
    #[pyo3(signature = (*, unfinished=false))]
    fn trace(&self, py: Python<'_>, unfinished: bool) -> PyResult<Py<PyAny>> {
        let game = self.env.game();
        let driver = if self.forced { DealDriver::ALL } else { DealDriver::CHOICES };
        let single = self.episode != "session";
        let run = if single { Runner::of_deal } else { Runner::of_session };
        let actions = self.actions.iter().map(|&id| Action::from_index(usize::from(id)));
        let deals = record_actions(game, run(game, self.session(), driver), actions);
        let deals = deals.map_err(|error| illegal(&error))?;
        let over: Vec<String> =
            deals.iter().filter(|deal| deal.over).map(|deal| deal.record.to_line()).collect();
        // The program's own judge reads what was written.
        debug_assert!(
            over.is_empty() || newmarket_env::trace::check(Cursor::new(over.join("\n"))).is_ok()
        );
        let open = deals.iter().filter(|deal| unfinished && !deal.over);
        let lines: Vec<String> =
            over.into_iter().chain(open.map(|deal| deal.record.to_line())).collect();
        crate::lab::trace::trace_object(py, &lines, Vec::new(), self.at.seed, single)
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

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let TableSeed { seed, table } = self.at;
        let what = if self.env.is_over() {
            "over".into()
        } else {
            format!("seat {} to act: {}", self.env.seat(), self.phase())
        };
        let game = self.game.bind(py).repr()?;
        let which = if self.episode == POSITION {
            "a position".into()
        } else {
            format!("{} of seed={seed}, table={table}, episode={}", self.episode, self.number)
        };
        Ok(format!("<Table of {game}, {which}; {what}>"))
    }

    #[classmethod]
    #[expect(clippy::too_many_arguments, reason = "what a pickled table is")]
    fn _restore(
        _: &Bound<'_, PyType>,
        fingerprint: u64,
        game: Py<Game>,
        episode: &str,
        forced: bool,
        at: (u64, u64, u64),
        actions: &[u8],
        start: Option<Start>,
    ) -> PyResult<Self> {
        check_fingerprint(fingerprint)?;
        let mut restored = match start {
            Some(start) => Self::given(game, &start, forced)?,
            None => Self::new(game, episode, forced)?,
        };
        let (seed, table, number) = at;
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
            (it.at.seed, it.at.table, it.number),
            PyBytes::new(py, &it.actions),
            (it.episode == POSITION).then(|| Start::of(it.env.game(), it.env.session())),
        );
        Ok((make, pickled))
    }
}
