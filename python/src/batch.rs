//! Many tables, a row each, whoever is to act.

use newmarket_env::{Action, Autoreset, BatchEnv, BatchError};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use crate::arrays::{RewardsOf, RowArrays, read_actions};
use crate::errors::{self, bad, exclusive, shared};
use crate::game::Game;
use crate::history::{self, History, PickledTable, ReadTable};
use crate::observation::{Form, check_fingerprint};
use crate::options::{self, autoreset_name, check_tables};
use crate::pool;
use crate::seeds::{Seeds, TableSeed};
use crate::view::View;
use crate::whole;

/// Many tables, a row each, whoever is to act: for custom trainers.
///
/// ``game``: one for ``n`` tables, or a list of games or of ``(game, episode)``, one a table.
/// ``seed``: one, of which the tables are tables 0, 1, 2, ..., or a list, of which each is table
/// 0. ``threads``: 0 for one a core; the result is the same for any. ``form``: ``"packed"`` or
/// ``"f32"``. ``autoreset``: ``"same_step"`` (the step that ends an episode shows the next one),
/// ``"next_step"`` (the step after it, which ignores its action) or ``"disabled"`` (ended tables
/// ignore their actions).
///
/// **Seats**: column ``s`` of ``rewards`` is seat ``s`` of the table, whoever acts; a row of ``observations`` is of
/// the seat in ``seats``, and counts the others from it, to its left.
///
/// **Every step overwrites the same arrays**; copy what must stay. A step writes of packed
/// observations and their masks only what it changes, so these arrays are read-only. ``buffers``
/// gives it arrays of the caller's, by the names of the properties: writable, C-contiguous, of the
/// shapes and dtypes below, in shared memory for instance; all are then written whole. Batches can be copied and pickled
/// (arrays are then new). Two threads in one batch raise ``RuntimeError``; in two batches they run
/// side by side.
#[pyclass(module = "newmarket")]
pub(crate) struct Batch {
    kinds: Vec<(Py<Game>, String)>,
    form: Form,
    threads: usize,
    autoreset: Autoreset,
    env: BatchEnv,
    history: History,
    rows: RowArrays,
    actions: Vec<Action>,
}

/// What a pickled batch is.
type Pickled<'py> =
    (u64, Vec<(Py<Game>, String)>, &'static str, usize, &'static str, Vec<PickledTable<'py>>);

/// The games of the tables: one for all, or one each.
enum Games {
    One(Py<Game>),
    Each(Vec<Py<Game>>),
    Kinds(Vec<(Py<Game>, String)>),
}

impl FromPyObject<'_, '_> for Games {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let one = given.extract().map(Self::One);
        let each = one.or_else(|_| given.extract().map(Self::Each));
        each.or_else(|_| given.extract().map(Self::Kinds)).map_err(|_| {
            PyTypeError::new_err("game: expected a Game, or a list of them or of (Game, episode)")
        })
    }
}

impl Games {
    fn of(
        self,
        py: Python<'_>,
        n: Option<usize>,
        episode: &str,
    ) -> PyResult<Vec<(Py<Game>, String)>> {
        let one = |game: Py<Game>| (game, episode.to_owned());
        let kinds: Vec<_> = match self {
            Self::One(game) => {
                let tables = n.unwrap_or(1);
                check_tables(tables)?;
                return Ok((0..tables).map(|_| one(game.clone_ref(py))).collect());
            }
            Self::Each(games) => games.into_iter().map(one).collect(),
            Self::Kinds(kinds) => kinds,
        };
        check_tables(kinds.len())?;
        match n {
            Some(n) if n != kinds.len() => {
                Err(bad(format!("n is {n}, but there are {} games: leave n out", kinds.len())))
            }
            _ => Ok(kinds),
        }
    }
}

impl Batch {
    fn build(
        kinds: Vec<(Py<Game>, String)>,
        at: Vec<TableSeed>,
        (form, threads, autoreset): (Form, usize, Autoreset),
        rows: RowArrays,
    ) -> PyResult<Self> {
        let tables = kinds.iter().zip(&at).map(|((game, kind), at)| {
            let game = game.get();
            Ok((game.inner.clone(), game.episode(kind)?, at.node()))
        });
        let tables = tables.collect::<PyResult<Vec<_>>>()?;
        let threads = pool::check(threads)?;
        let mut env = BatchEnv::with_seeds(tables, autoreset);
        if threads == 1 {
            env = env.single_threaded();
        }
        let history = History::new(at, &env);
        Ok(Self { kinds, form, threads, autoreset, env, history, rows, actions: Vec::new() })
    }

    fn write(&mut self, py: Python<'_>) -> PyResult<()> {
        let Self { env, rows, .. } = self;
        rows.rows(py, |rows| env.observe_all(rows))?.map_err(|error| errors::batch(&error))
    }

    /// Begins episode 0 of a seed at a table; without one, its next episode.
    fn reset_one(&mut self, table: usize, seed: Option<TableSeed>) {
        if let Some(seed) = seed {
            self.env.reset_table_to(table, seed.node(), 0);
            self.history.begin_seed(table, seed, &self.env);
        } else {
            self.env.reset_table(table);
            self.history.turn(table, &self.env);
        }
    }

    fn table(&self, table: usize) -> PyResult<usize> {
        if table < self.env.len() {
            return Ok(table);
        }
        Err(PyIndexError::new_err(format!("table {table} of {}", self.env.len())))
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (
        game, n=None, seed=Seeds::One(0), *, episode="deal", threads=1, form="packed",
        autoreset="same_step", buffers=None
    ), text_signature = "(game, n=None, seed=0, *, episode='deal', threads=1, form='packed', \
        autoreset='same_step', buffers=None)")]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn new(
        py: Python<'_>,
        game: Games,
        #[pyo3(from_py_with = whole::n_or_none)] n: Option<usize>,
        seed: Seeds,
        episode: &str,
        #[pyo3(from_py_with = whole::threads)] threads: usize,
        form: &str,
        autoreset: &str,
        buffers: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let (form, autoreset) = (Form::parse(form)?, options::autoreset(autoreset)?);
        let kinds = game.of(py, n, episode)?;
        let at = seed.tables(kinds.len())?;
        let rows = RowArrays::new(py, kinds.len(), (form, true), RewardsOf::Seats, buffers)?;
        let mut batch = Self::build(kinds, at, (form, threads, autoreset), rows)?;
        batch.write(py)?;
        Ok(batch)
    }

    /// Begin episode 0 of a seed at every table; without a seed, the next of each.
    #[pyo3(signature = (seed=None))]
    fn reset(this: &Bound<'_, Self>, seed: Option<Seeds>) -> PyResult<()> {
        let mut it = exclusive(this)?;
        let tables = it.env.len();
        let seeds = seed.map(|seed| seed.tables(tables)).transpose()?;
        for table in 0..tables {
            it.reset_one(table, seeds.as_ref().map(|seeds| seeds[table]));
        }
        it.write(this.py())
    }

    /// The same at one table, which with a seed becomes table 0 of it. Other rows stay as they are.
    #[pyo3(signature = (table, seed=None))]
    fn reset_table(
        this: &Bound<'_, Self>,
        #[pyo3(from_py_with = whole::row)] table: usize,
        #[pyo3(from_py_with = whole::seed_or_none)] seed: Option<u64>,
    ) -> PyResult<()> {
        let mut it = exclusive(this)?;
        let table = it.table(table)?;
        it.reset_one(table, seed.map(|seed| TableSeed { seed, table: 0 }));
        let Self { env, rows, .. } = &*it;
        rows.write(this.py(), &[table], env.len(), |table| {
            let seat = env.state(table).actor().unwrap_or(0);
            (env.observe(table, seat), env.legal(table))
        })
    }

    /// Take an action at every table, ``[n]`` of integers; fastest as ``int64``.
    ///
    /// Raises ``IllegalActionError`` if one is not legal, ``ValueError`` for a wrong shape or id.
    /// No table has then changed.
    fn step(this: &Bound<'_, Self>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut it = exclusive(this)?;
        let it = &mut *it;
        read_actions(actions, &mut it.actions)?;
        let Self { env, rows, actions, threads, history, .. } = it;
        let pool = if *threads == 1 { None } else { Some(pool::own(*threads)?) };
        let stepped = rows.rows(this.py(), |rows| {
            match pool {
                None => env.step(actions, rows)?,
                Some(pool) => pool.install(|| env.step(actions, rows))?,
            }
            history.step(actions, rows.over, env);
            Ok(())
        })?;
        stepped.map_err(|error: BatchError| errors::batch(&error))
    }

    fn __len__(&self) -> usize {
        self.env.len()
    }

    /// What the seat to act may know: ``uint8[n, PACKED]`` or ``float32[n, OBSERVATION]``.
    ///
    /// Packed rows are read-only, unless ``buffers`` were given.
    #[getter]
    fn observations(&self, py: Python<'_>) -> Py<PyAny> {
        self.rows.observations(py)
    }

    /// Its legal actions, ``int8[n, ACTIONS]``; all 0 at the end.
    ///
    /// Beside packed rows they are read-only, unless ``buffers`` were given.
    #[getter]
    fn mask(&self, py: Python<'_>) -> Py<PyArray2<i8>> {
        self.rows.mask(py)
    }

    /// Which seat it is, ``uint8[n]``; 0 at the end.
    #[getter]
    fn seats(&self, py: Python<'_>) -> Py<PyArray1<u8>> {
        self.rows.seats(py)
    }

    /// Chips that each seat gained in the last step, ``float32[n, MAX_PLAYERS]``.
    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyAny> {
        self.rows.rewards(py)
    }

    /// Whether the last step ended an episode, ``bool[n]``.
    #[getter]
    fn over(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.rows.over(py)
    }

    /// ``"packed"`` or ``"f32"``.
    #[getter]
    fn form(&self) -> &'static str {
        self.form.name()
    }

    /// Threads that step it.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    /// What happens to a table whose episode is over.
    #[getter]
    fn autoreset(&self) -> &'static str {
        autoreset_name(self.autoreset)
    }

    /// Seed, table and episode that are played at a table.
    fn seed(&self, #[pyo3(from_py_with = whole::row)] table: usize) -> PyResult<(u64, u64, u64)> {
        let TableSeed { seed, table: of } = self.history.seed(self.table(table)?);
        Ok((seed, of, self.env.episode(table)))
    }

    /// The game of a table.
    fn game(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = whole::row)] table: usize,
    ) -> PyResult<Py<Game>> {
        Ok(self.kinds[self.table(table)?].0.clone_ref(py))
    }

    /// What a seat could know at the end of a table's last episode, if one ended.
    #[pyo3(signature = (table, seat, form="f32"))]
    fn final_observation<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = whole::row)] table: usize,
        #[pyo3(from_py_with = whole::seat)] seat: usize,
        form: &str,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (form, table) = (Form::parse(form)?, self.table(table)?);
        if seat >= self.env.game(table).players() {
            return Err(bad(format!("seat {seat} of {}", self.env.game(table).players())));
        }
        let view = self.env.observe_final(table, seat);
        Ok(view.map(|view| form.array(py, &newmarket_env::Observation::of(&view))))
    }

    /// A batch that stands where this one does, with arrays of its own.
    fn copy(this: &Bound<'_, Self>) -> PyResult<Self> {
        let (py, it) = (this.py(), shared(this)?);
        let copy = Self {
            kinds: it.kinds.iter().map(|(game, kind)| (game.clone_ref(py), kind.clone())).collect(),
            form: it.form,
            threads: it.threads,
            autoreset: it.autoreset,
            env: it.env.clone(),
            history: it.history.clone(),
            rows: it.rows.duplicate(py)?,
            actions: Vec::new(),
        };
        Ok(copy)
    }

    fn __copy__(this: &Bound<'_, Self>) -> PyResult<Self> {
        Self::copy(this)
    }

    fn __deepcopy__(this: &Bound<'_, Self>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::copy(this)
    }

    fn __repr__(&self) -> String {
        format!(
            "<Batch of {} tables, form='{}', threads={}, autoreset='{}'>",
            self.env.len(),
            self.form.name(),
            self.threads,
            self.autoreset()
        )
    }

    #[classmethod]
    fn _restore(
        of: &Bound<'_, PyType>,
        fingerprint: u64,
        kinds: Vec<(Py<Game>, String)>,
        form: &str,
        threads: usize,
        autoreset: &str,
        tables: Vec<ReadTable>,
    ) -> PyResult<Self> {
        check_fingerprint(fingerprint)?;
        check_tables(kinds.len())?;
        let (py, form, autoreset) = (of.py(), Form::parse(form)?, options::autoreset(autoreset)?);
        if tables.len() != kinds.len() {
            return Err(bad("a pickled batch with more tables than games, or fewer"));
        }
        let rows = RowArrays::new(py, kinds.len(), (form, true), RewardsOf::Seats, None)?;
        let options = (form, threads, autoreset);
        let mut batch = Self::build(kinds, history::seeds(&tables), options, rows)?;
        batch.history = History::restore(tables, &mut batch.env)?;
        batch.write(py)?;
        Ok(batch)
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let (py, make) = (this.py(), this.get_type().getattr("_restore")?);
        let mut it = exclusive(this)?;
        let kinds =
            it.kinds.iter().map(|(game, kind)| (game.clone_ref(py), kind.clone())).collect();
        let tables = it.history.pickled(py);
        let fingerprint = newmarket_env::encode::fingerprint();
        let threads = it.threads;
        let autoreset = autoreset_name(it.autoreset);
        Ok((make, (fingerprint, kinds, it.form.name(), threads, autoreset, tables)))
    }

    /// What a seat (that to act) of a table may know now.
    #[pyo3(signature = (table, seat=None))]
    fn view(
        &self,
        #[pyo3(from_py_with = whole::row)] table: usize,
        #[pyo3(from_py_with = whole::seat_or_none)] seat: Option<usize>,
    ) -> PyResult<View> {
        let table = self.table(table)?;
        let seen = self.env.observe(table, 0);
        let seat = seat.unwrap_or_else(|| seen.actor().unwrap_or(0));
        if seat >= seen.game().players() {
            return Err(bad(format!("seat {seat} of {}", seen.game().players())));
        }
        Ok(View::of(self.env.game(table).clone(), &self.env.observe(table, seat)))
    }
}
