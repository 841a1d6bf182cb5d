//! Many tables with a hero each: the opponents play inside.

use newmarket_agents::{HeroSeat, PassedOver, Setup};
use newmarket_env::{Autoreset, BatchError, Observation};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyType};

use crate::arrays::{RewardsOf, RowArrays, read_actions};
use crate::errors::{self, bad, exclusive};
use crate::game::Game;
use crate::history::{self, History, PickledTable, ReadTable};
use crate::observation::{Form, check_fingerprint, writable};
use crate::opponents::{self, Opponents};
use crate::options::{self, autoreset_name, check_tables, read_illegal, read_seat};
use crate::pool::{self, raising};
use crate::seeds::{Seeds, TableSeed};
use crate::whole;

/// Many tables with one hero each; the opponents play inside: one decision process a row.
///
/// ``opponents``: a player (a name, an ``Agent`` or a ``Player``) for all other seats, a list with one for
/// each seat (the hero's own is not used, and may be left out where its seat is fixed), or shares by player,
/// from which every seat's opponent is drawn in every episode. ``seat``: the hero's, ``"random"`` (the default:
/// drawn in every episode) or a number. ``on_illegal``: ``"raise"``, or ``"replace"`` by the
/// lowest legal action. The rest is as for ``Batch``, ``buffers`` included; all arrays are written
/// whole, and may be written to.
///
/// **Seats**: rewards and observations are the hero's, wherever it sits: ``seats`` has its seat at each table. An
/// observation counts the others from the hero, to its left.
///
/// Episodes in which the hero has no decision are passed over: ``skipped`` counts them, and
/// ``skipped_gain`` has the hero's chips in them, which are in no reward. ``ValueError`` if the hero
/// decides nothing in 10,000 episodes in a row. After an exception in a function of an opponent, the tables
/// can be reset with a seed, and nothing else.
#[pyclass(module = "newmarket")]
pub(crate) struct Seated {
    setup: Asked,
    inner: newmarket_agents::Seated,
    history: History,
    /// What had been skipped before these tables were pickled.
    skipped: Vec<PassedOver>,
    rows: RowArrays,
    actions: Vec<newmarket_env::Action>,
    illegal: Py<PyArray1<bool>>,
    /// Whether an opponent's function raised an exception in the middle of a step.
    broken: bool,
}

/// What was asked for.
struct Asked {
    game: Py<Game>,
    episode: String,
    opponents: Opponents,
    seat: HeroSeat,
    form: Form,
    threads: usize,
    autoreset: Autoreset,
    raise: bool,
}

impl Asked {
    /// The threads that step the tables: one, if functions of Python are asked, which take turns.
    fn stepping(&self) -> usize {
        if self.opponents.asks() { 1 } else { self.threads }
    }
}

/// What a pickled object is.
type Pickled<'py> = (
    u64,
    Py<Game>,
    String,
    opponents::Pickled,
    Py<PyAny>,
    (&'static str, usize, &'static str, &'static str),
    Vec<(PickledTable<'py>, u64, i64)>,
);

impl Seated {
    /// Tables of these seeds, at the first decision of each hero.
    fn tables(
        py: Python<'_>,
        setup: &Asked,
        at: &[TableSeed],
    ) -> PyResult<newmarket_agents::Seated> {
        let game = setup.game.get().inner.clone();
        let (players, seating) = setup.opponents.seating(game.players(), setup.seat)?;
        let made = Setup {
            game,
            episode: setup.game.get().episode(&setup.episode)?,
            players,
            seating,
            hero: setup.seat,
            autoreset: setup.autoreset,
        };
        let seeds: Vec<_> = at.iter().map(|at| at.node()).collect();
        py.detach(|| raising(|| newmarket_agents::Seated::new(made, &seeds, setup.stepping())))
    }

    fn build(
        py: Python<'_>,
        setup: Asked,
        at: Vec<TableSeed>,
        buffers: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let tables = at.len();
        let rows = RowArrays::new(py, tables, (setup.form, false), RewardsOf::Hero, buffers)?;
        let inner = Self::tables(py, &setup, &at)?;
        let history = History::new(at, &inner);
        let illegal = PyArray1::zeros(py, tables, false).unbind();
        let (skipped, actions) = (vec![PassedOver::default(); tables], Vec::new());
        Ok(Self { setup, inner, history, skipped, rows, actions, illegal, broken: false })
    }

    fn write(&mut self, py: Python<'_>) -> PyResult<()> {
        let Self { inner, rows, .. } = self;
        rows.rows(py, |rows| inner.observe_all(rows))?.map_err(|error| errors::batch(&error))
    }

    fn table(&self, table: usize) -> PyResult<usize> {
        if table < self.inner.len() {
            return Ok(table);
        }
        Err(PyIndexError::new_err(format!("table {table} of {}", self.inner.len())))
    }

    /// What a table has skipped, with what it had skipped before it was pickled.
    fn with_before(&self, table: usize, skipped: PassedOver) -> PassedOver {
        let before = self.skipped[table];
        PassedOver {
            episodes: before.episodes + skipped.episodes,
            gain: before.gain + skipped.gain,
        }
    }

    fn passed_over(&self, table: usize) -> PassedOver {
        self.with_before(table, self.inner.skipped(table))
    }

    /// What a table had skipped when its last episode that ended did.
    fn passed_over_at_end(&self, table: usize) -> PassedOver {
        let ended = self.inner.ended(table);
        ended.map_or_else(PassedOver::default, |end| self.with_before(table, end.1))
    }

    /// Refuses tables at which the hero never decides anything.
    fn check_decisions(&self) -> PyResult<()> {
        match (0..self.inner.len()).find(|&table| self.inner.legal(table).is_empty()) {
            None => Ok(()),
            Some(table) => Err(bad(format!(
                "seat {} decides nothing in {} episodes of this game in a row: expected rules and a \
                 seat with decisions",
                self.inner.hero(table),
                self.inner.skipped(table).episodes,
            ))),
        }
    }

    fn reset_one(&mut self, table: usize, seed: Option<TableSeed>) -> PyResult<()> {
        self.check_whole()?;
        let Self { inner, .. } = self;
        let reset = || match seed {
            Some(seed) => inner.reset_table_to(table, seed.node(), 0),
            None => inner.reset_table(table),
        };
        raising(reset).inspect_err(|_| self.broken = true)?;
        if let Some(seed) = seed {
            self.skipped[table] = PassedOver::default();
            self.history.begin_seed(table, seed, &self.inner);
        } else {
            self.history.begin(table, &self.inner);
        }
        Ok(())
    }

    /// Sets the tables up again, each at episode 0 of its seed.
    fn begin_anew(&mut self, py: Python<'_>, seeds: &[TableSeed]) -> PyResult<()> {
        self.inner = Self::tables(py, &self.setup, seeds)?;
        self.history = History::new(seeds.to_vec(), &self.inner);
        self.skipped.fill(PassedOver::default());
        self.broken = false;
        Ok(())
    }

    /// Refuses tables that an exception has left in the middle of a step.
    fn check_whole(&self) -> PyResult<()> {
        if self.broken {
            return Err(bad(
                "a function of an opponent raised an exception: call reset with a seed",
            ));
        }
        Ok(())
    }
}

#[pymethods]
impl Seated {
    #[new]
    #[pyo3(signature = (
        game, n=1, seed=Seeds::One(0), *, opponents=None, seat=None, episode="deal", threads=1,
        form="packed", autoreset="same_step", on_illegal="raise", buffers=None
    ), text_signature = "(game, n=1, seed=0, *, opponents=None, seat=None, episode='deal', \
        threads=1, form='packed', autoreset='same_step', on_illegal='raise', buffers=None)")]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn new(
        py: Python<'_>,
        game: Py<Game>,
        #[pyo3(from_py_with = whole::n)] n: usize,
        seed: Seeds,
        opponents: Option<&Bound<'_, PyAny>>,
        seat: Option<&Bound<'_, PyAny>>,
        episode: &str,
        #[pyo3(from_py_with = whole::threads)] threads: usize,
        form: &str,
        autoreset: &str,
        on_illegal: &str,
        buffers: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        check_tables(n)?;
        let players = game.get().inner.players();
        let opponents = match opponents {
            Some(opponents) => Opponents::read(opponents)?,
            None => Opponents::one("stopper")?,
        };
        let setup = Asked {
            opponents,
            seat: seat.map_or(Ok(HeroSeat::Drawn), |seat| read_seat(seat, players))?,
            episode: episode.into(),
            form: Form::parse(form)?,
            threads: pool::check(threads)?,
            autoreset: options::autoreset(autoreset)?,
            raise: read_illegal(on_illegal)?,
            game,
        };
        let mut made = Self::build(py, setup, seed.tables(n)?, buffers)?;
        made.check_decisions()?;
        made.write(py)?;
        Ok(made)
    }

    /// Begin episode 0 of a seed at every table; without a seed, the next of each.
    #[pyo3(signature = (seed=None))]
    fn reset(this: &Bound<'_, Self>, seed: Option<Seeds>) -> PyResult<()> {
        let mut it = exclusive(this)?;
        let tables = it.inner.len();
        let seeds = seed.map(|seed| seed.tables(tables)).transpose()?;
        if let (true, Some(seeds)) = (it.broken, &seeds) {
            it.begin_anew(this.py(), seeds)?;
        } else {
            for table in 0..tables {
                it.reset_one(table, seeds.as_ref().map(|seeds| seeds[table]))?;
            }
        }
        it.write(this.py())
    }

    /// The same at one table, which with a seed becomes table ``of`` of it. Other rows stay as they are.
    #[pyo3(signature = (table, seed=None, *, of=0))]
    fn reset_table(
        this: &Bound<'_, Self>,
        #[pyo3(from_py_with = whole::row)] table: usize,
        #[pyo3(from_py_with = whole::seed_or_none)] seed: Option<u64>,
        of: u64,
    ) -> PyResult<()> {
        Self::reset_tables(this, vec![table], Some(vec![seed]), of)
    }

    /// The same at these tables, each with a seed of its own or, for ``None``, without.
    #[pyo3(signature = (tables, seeds=None, *, of=0))]
    #[expect(clippy::needless_pass_by_value, reason = "Python's arguments are values")]
    fn reset_tables(
        this: &Bound<'_, Self>,
        tables: Vec<usize>,
        seeds: Option<Vec<Option<u64>>>,
        of: u64,
    ) -> PyResult<()> {
        let mut it = exclusive(this)?;
        tables.iter().try_for_each(|&table| it.table(table).map(drop))?;
        let seeds = seeds.unwrap_or_else(|| vec![None; tables.len()]);
        if seeds.len() != tables.len() {
            let (seeds, tables) = (seeds.len(), tables.len());
            return Err(bad(format!("{seeds} seeds for {tables} tables: expected one a table")));
        }
        if it.broken && (0..it.inner.len()).all(|table| tables.contains(&table)) {
            let seed_of = |table| {
                let at = tables.iter().position(|&other| other == table)?;
                seeds[at].map(|seed| TableSeed { seed, table: of })
            };
            if let Some(seeds) = (0..it.inner.len()).map(seed_of).collect::<Option<Vec<_>>>() {
                it.begin_anew(this.py(), &seeds)?;
            }
        }
        for (&table, seed) in tables.iter().zip(seeds) {
            it.reset_one(table, seed.map(|seed| TableSeed { seed, table: of }))?;
        }
        let Self { inner, rows, .. } = &*it;
        rows.write(this.py(), &tables, inner.len(), |table| {
            (inner.observe(table), inner.legal(table))
        })
    }

    /// Take the hero's action at every table; the opponents answer. As ``Batch.step``.
    fn step(this: &Bound<'_, Self>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut it = exclusive(this)?;
        let it = &mut *it;
        it.check_whole()?;
        read_actions(actions, &mut it.actions)?;
        let Self { inner, rows, actions, setup, history, illegal, broken, .. } = it;
        let threads = setup.stepping();
        let pool = if threads == 1 { None } else { Some(pool::own(threads)?) };
        let mut replaced = writable(illegal.bind(this.py()), "illegal")?;
        let replaced = replaced.as_slice_mut().map_err(|_| bad("illegal is not contiguous"))?;
        let raise = setup.raise;
        rows.rows(this.py(), |rows| {
            replaced.fill(false);
            if !raise && actions.len() == inner.len() {
                for (table, action) in actions.iter_mut().enumerate() {
                    let legal = inner.legal(table);
                    if let (false, Some(first)) = (legal.contains(*action), legal.first()) {
                        (*action, replaced[table]) = (first, true);
                    }
                }
            }
            let stepped = raising(|| match pool {
                None => inner.step(actions, rows),
                Some(pool) => pool.install(|| inner.step(actions, rows)),
            });
            let stepped = stepped.inspect_err(|_| *broken = true)?;
            stepped.map_err(|error: BatchError| errors::batch(&error))?;
            history.step(actions, rows.over, inner);
            Ok(())
        })?
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    /// What the hero may know: ``uint8[n, PACKED]`` or ``float32[n, OBSERVATION]``.
    #[getter]
    fn observations(&self, py: Python<'_>) -> Py<PyAny> {
        self.rows.observations(py)
    }

    /// The hero's legal actions, ``int8[n, ACTIONS]``; all 0 at the end.
    #[getter]
    fn mask(&self, py: Python<'_>) -> Py<PyArray2<i8>> {
        self.rows.mask(py)
    }

    /// The hero's seat, ``uint8[n]``.
    #[getter]
    fn seats(&self, py: Python<'_>) -> Py<PyArray1<u8>> {
        self.rows.seats(py)
    }

    /// Chips that the hero gained since its last decision, ``float32[n]``.
    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyAny> {
        self.rows.rewards(py)
    }

    /// Whether the last step ended an episode, ``bool[n]``.
    #[getter]
    fn over(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.rows.over(py)
    }

    /// Whether the last step replaced an illegal action, ``bool[n]``.
    #[getter]
    fn illegal(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.illegal.clone_ref(py)
    }

    /// ``"packed"`` or ``"f32"``.
    #[getter]
    fn form(&self) -> &'static str {
        self.setup.form.name()
    }

    /// Threads that step it.
    #[getter]
    fn threads(&self) -> usize {
        self.setup.threads
    }

    /// What happens to a table whose episode is over.
    #[getter]
    fn autoreset(&self) -> &'static str {
        autoreset_name(self.setup.autoreset)
    }

    /// The game of all tables.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.setup.game.clone_ref(py)
    }

    /// Seed, table and episode that are played at a table.
    fn seed(&self, #[pyo3(from_py_with = whole::row)] table: usize) -> PyResult<(u64, u64, u64)> {
        let table = self.table(table)?;
        let TableSeed { seed, table: of } = self.history.seed(table);
        Ok((seed, of, self.inner.episode(table)))
    }

    /// Episodes of a table in which the hero had no decision, since it was given its seed.
    fn skipped(&self, #[pyo3(from_py_with = whole::row)] table: usize) -> PyResult<u64> {
        Ok(self.passed_over(self.table(table)?).episodes)
    }

    /// Chips that the hero gained in these episodes. They are in no reward.
    fn skipped_gain(&self, #[pyo3(from_py_with = whole::row)] table: usize) -> PyResult<i64> {
        Ok(self.passed_over(self.table(table)?).gain)
    }

    /// ``skipped`` of all tables, ``uint64[n]``, a new array.
    #[getter]
    fn skips<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        let tables = 0..self.inner.len();
        PyArray1::from_iter(py, tables.map(|table| self.passed_over(table).episodes))
    }

    /// ``skipped_gain`` of all tables, ``int64[n]``, a new array.
    #[getter]
    fn skip_gains<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let tables = 0..self.inner.len();
        PyArray1::from_iter(py, tables.map(|table| self.passed_over(table).gain))
    }

    /// The hero's seat in each table's last episode that ended, ``uint8[n]``, a new array.
    #[getter]
    fn final_seats<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let ended = |table| self.inner.ended(table).map_or(0, |end| end.0 as u8);
        PyArray1::from_iter(py, (0..self.inner.len()).map(ended))
    }

    /// ``skipped`` as it was at that end, ``uint64[n]``, a new array.
    #[getter]
    fn final_skips<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        let tables = 0..self.inner.len();
        PyArray1::from_iter(py, tables.map(|table| self.passed_over_at_end(table).episodes))
    }

    /// ``skipped_gain`` as it was at that end, ``int64[n]``, a new array.
    #[getter]
    fn final_skip_gains<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let tables = 0..self.inner.len();
        PyArray1::from_iter(py, tables.map(|table| self.passed_over_at_end(table).gain))
    }

    /// What the hero could know at the end of a table's last episode, if one ended.
    #[pyo3(signature = (table, form="f32"))]
    fn final_observation<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = whole::row)] table: usize,
        form: &str,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (form, table) = (Form::parse(form)?, self.table(table)?);
        let view = self.inner.observe_final(table);
        Ok(view.map(|view| form.array(py, &Observation::of(&view))))
    }

    /// What the hero of a table may know now.
    fn view(&self, #[pyo3(from_py_with = whole::row)] table: usize) -> PyResult<crate::view::View> {
        let table = self.table(table)?;
        let game = self.setup.game.get().inner.clone();
        Ok(crate::view::View::of(game, &self.inner.observe(table)))
    }

    fn __copy__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (make, pickled) = Self::__reduce__(this)?;
        make.call1(pickled)
    }

    fn __deepcopy__<'py>(
        this: &Bound<'py, Self>,
        _memo: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Self::__copy__(this)
    }

    /// Tables that stand where these do, with arrays of their own.
    fn copy<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::__copy__(this)
    }

    fn __repr__(&self) -> String {
        format!(
            "<Seated at {} tables, form='{}', threads={}, autoreset='{}'>",
            self.inner.len(),
            self.form(),
            self.setup.threads,
            self.autoreset()
        )
    }

    #[classmethod]
    #[expect(clippy::too_many_arguments, reason = "what a pickled object is")]
    fn _restore(
        of: &Bound<'_, PyType>,
        fingerprint: u64,
        game: Py<Game>,
        episode: String,
        opponents: (Bound<'_, PyAny>, Vec<Bound<'_, PyAny>>),
        seat: &Bound<'_, PyAny>,
        options: (String, usize, String, String),
        tables: Vec<(ReadTable, u64, i64)>,
    ) -> PyResult<Self> {
        check_fingerprint(fingerprint)?;
        check_tables(tables.len())?;
        let (seats, who) = opponents;
        let (form, threads, autoreset, on_illegal) = options;
        let setup = Asked {
            opponents: Opponents::restore(&seats, &who)?,
            seat: read_seat(seat, game.get().inner.players())?,
            episode,
            form: Form::parse(&form)?,
            threads: pool::check(threads)?,
            autoreset: options::autoreset(&autoreset)?,
            raise: read_illegal(&on_illegal)?,
            game,
        };
        let skips: Vec<(u64, i64)> = tables.iter().map(|it| (it.1, it.2)).collect();
        let tables: Vec<ReadTable> = tables.into_iter().map(|it| it.0).collect();
        let mut made = Self::build(of.py(), setup, history::seeds(&tables), None)?;
        let Self { inner, history, .. } = &mut made;
        *history = raising(|| History::restore(tables, inner))??;
        for (table, (episodes, gain)) in skips.into_iter().enumerate() {
            let again = made.inner.skipped(table);
            made.skipped[table] = PassedOver {
                episodes: episodes.saturating_sub(again.episodes),
                gain: gain - again.gain,
            };
        }
        made.write(of.py())?;
        Ok(made)
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let (py, make) = (this.py(), this.get_type().getattr("_restore")?);
        let mut it = exclusive(this)?;
        let tables = it.history.pickled(py).into_iter().enumerate();
        let tables = tables.map(|(table, played)| {
            let PassedOver { episodes, gain } = it.passed_over(table);
            (played, episodes, gain)
        });
        let tables = tables.collect();
        let Asked { game, episode, opponents, seat, form, threads, autoreset, raise } = &it.setup;
        let seat = match seat {
            HeroSeat::Drawn => PyString::new(py, "random").into_any().unbind(),
            HeroSeat::Fixed(seat) => seat.into_pyobject(py)?.into_any().unbind(),
        };
        let on_illegal = if *raise { "raise" } else { "replace" };
        let options = (form.name(), *threads, autoreset_name(*autoreset), on_illegal);
        let (game, opponents) = (game.clone_ref(py), opponents.object(py)?);
        let fingerprint = newmarket_env::encode::fingerprint();
        Ok((make, (fingerprint, game, episode.clone(), opponents, seat, options, tables)))
    }
}
