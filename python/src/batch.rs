//! Many tables, a row each, whoever is to act.

use newmarket_env::{Action, Autoreset, BatchEnv, BatchError, MAX_PLAYERS};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};

use crate::arrays::RowArrays;
use crate::errors::{self, bad, exclusive, shared};
use crate::game::{Game, action, episode};
use crate::observation::{Form, check_fingerprint};
use crate::pool;
use crate::seeds::{Seeds, TableSeed};
use crate::view::View;

/// The most tables that a batch may have.
const MOST: usize = 1 << 22;

/// Many tables, a row each.
#[pyclass(module = "newmarket")]
pub(crate) struct Batch {
    kinds: Vec<(Py<Game>, String)>,
    form: Form,
    threads: usize,
    autoreset: Autoreset,
    env: BatchEnv,
    at: Vec<TableSeed>,
    history: History,
    rows: RowArrays,
    actions: Vec<Action>,
}

/// The actions of each table's episode, and of the one before: with the seeds, all that a copy in
/// another process needs.
#[derive(Clone)]
pub(crate) struct History {
    now: Vec<Vec<u8>>,
    last: Vec<Vec<u8>>,
    /// The episode that `now` is of, and the one that `last` is of.
    episodes: Vec<[u64; 2]>,
    /// Whether a table stood at a decision before the step.
    open: Vec<bool>,
}

impl History {
    pub(crate) fn new(tables: usize) -> Self {
        let none = || vec![Vec::new(); tables];
        Self {
            now: none(),
            last: none(),
            episodes: vec![[0; 2]; tables],
            open: vec![false; tables],
        }
    }

    /// Before a step: whether each table stands at a decision.
    pub(crate) fn before(&mut self, open: impl Fn(usize) -> bool) {
        for (table, place) in self.open.iter_mut().enumerate() {
            *place = open(table);
        }
    }

    /// After a step by these actions.
    pub(crate) fn after(&mut self, actions: &[Action], episode: impl Fn(usize) -> u64) {
        for (table, &action) in actions.iter().enumerate() {
            self.note(table, self.open[table].then_some(action), episode(table));
        }
    }

    /// Notes a decision, and the episode that the table then stands in.
    pub(crate) fn note(&mut self, table: usize, action: Option<Action>, episode: u64) {
        if let Some(action) = action {
            self.now[table].push(action.index() as u8);
        }
        if self.episodes[table][0] != episode {
            self.episodes[table] = [episode, self.episodes[table][0]];
            std::mem::swap(&mut self.now[table], &mut self.last[table]);
            self.now[table].clear();
        }
    }

    /// Forgets a table, which stands at the beginning of this episode.
    pub(crate) fn clear(&mut self, table: usize, episode: u64) {
        self.now[table].clear();
        self.last[table].clear();
        self.episodes[table] = [episode; 2];
    }

    pub(crate) fn of<'py>(
        &self,
        py: Python<'py>,
        table: usize,
        TableSeed { seed, table: of }: TableSeed,
    ) -> PickledTable<'py> {
        let actions = |actions: &[Vec<u8>]| PyBytes::new(py, &actions[table]);
        (seed, of, self.episodes[table], actions(&self.last), actions(&self.now))
    }
}

/// A pickled table: seed, table, the episode and the one before, actions of the one before and of
/// this one.
pub(crate) type PickledTable<'py> = (u64, u64, [u64; 2], Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// A table as it was pickled.
pub(crate) type ReadTable = (u64, u64, [u64; 2], Vec<u8>, Vec<u8>);

/// What a pickled batch is.
type Pickled<'py> =
    (u64, Vec<(Py<Game>, String)>, &'static str, usize, &'static str, Vec<PickledTable<'py>>);

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

/// Reads actions, any array or sequence of integers, into `out`.
pub(crate) fn read_actions(given: &Bound<'_, PyAny>, out: &mut Vec<Action>) -> PyResult<()> {
    out.clear();
    if let Ok(given) = given.extract::<PyReadonlyArray1<'_, i64>>() {
        for &id in given.as_array() {
            out.push(action(id)?);
        }
        return Ok(());
    }
    let numpy = given.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (given,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    if shape.len() != 1 || !(kind == "i" || kind == "u") {
        return Err(bad(format!(
            "actions: expected a vector of integers, not shape {shape:?} of kind `{kind}`"
        )));
    }
    let array = array.call_method1("astype", ("int64",))?;
    for &id in array.extract::<PyReadonlyArray1<'_, i64>>()?.as_array() {
        out.push(action(id)?);
    }
    Ok(())
}

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
        let tables = kinds
            .iter()
            .zip(&at)
            .map(|((game, kind), at)| Ok((game.get().inner.clone(), episode(kind)?, at.node())));
        let tables = tables.collect::<PyResult<Vec<_>>>()?;
        let threads = pool::check(threads)?;
        let mut env = BatchEnv::with_seeds(tables, autoreset);
        if threads == 1 {
            env = env.single_threaded();
        }
        let history = History::new(kinds.len());
        Ok(Self { kinds, form, threads, autoreset, env, at, history, rows, actions: Vec::new() })
    }

    fn write(&mut self, py: Python<'_>) -> PyResult<()> {
        let Self { env, rows, .. } = self;
        rows.rows(py, |rows| env.observe_all(rows))?.map_err(|error| errors::batch(&error))
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
        n: Option<usize>,
        seed: Seeds,
        episode: &str,
        threads: usize,
        form: &str,
        autoreset: &str,
        buffers: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let (form, autoreset) = (Form::parse(form)?, self::autoreset(autoreset)?);
        let kinds = game.of(py, n, episode)?;
        let at = seed.tables(kinds.len())?;
        let rows = RowArrays::new(py, kinds.len(), form, MAX_PLAYERS, buffers)?;
        let mut batch = Self::build(kinds, at, (form, threads, autoreset), rows)?;
        batch.write(py)?;
        Ok(batch)
    }

    #[pyo3(signature = (seed=None))]
    fn reset(this: &Bound<'_, Self>, seed: Option<Seeds>) -> PyResult<()> {
        let mut it = exclusive(this)?;
        if let Some(seed) = seed {
            it.at = seed.tables(it.env.len())?;
            for table in 0..it.env.len() {
                let node = it.at[table].node();
                it.env.reset_table_to(table, node, 0);
                it.history.clear(table, 0);
            }
        } else {
            for table in 0..it.env.len() {
                it.next(table);
            }
        }
        it.write(this.py())
    }

    #[pyo3(signature = (table, seed=None))]
    fn reset_table(this: &Bound<'_, Self>, table: usize, seed: Option<u64>) -> PyResult<()> {
        let mut it = exclusive(this)?;
        let table = it.table(table)?;
        if let Some(seed) = seed {
            it.at[table] = TableSeed { seed, table: 0 };
            let node = it.at[table].node();
            it.env.reset_table_to(table, node, 0);
            it.history.clear(table, 0);
        } else {
            it.next(table);
        }
        it.write(this.py())
    }

    fn step(this: &Bound<'_, Self>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut it = exclusive(this)?;
        let it = &mut *it;
        read_actions(actions, &mut it.actions)?;
        let Self { env, rows, actions, threads, history, .. } = it;
        let pool = if *threads == 1 { None } else { Some(pool::pool(*threads)?) };
        let stepped = rows.rows(this.py(), |rows| {
            history.before(|table| !env.legal(table).is_empty());
            match pool {
                None => env.step(actions, rows)?,
                Some(pool) => pool.install(|| env.step(actions, rows))?,
            }
            history.after(actions, |table| env.episode(table));
            Ok(())
        })?;
        stepped.map_err(|error: BatchError| errors::batch(&error))
    }

    fn __len__(&self) -> usize {
        self.env.len()
    }

    #[getter]
    fn observations(&self, py: Python<'_>) -> Py<PyAny> {
        self.rows.observations(py)
    }

    #[getter]
    fn mask(&self, py: Python<'_>) -> Py<PyArray2<i8>> {
        self.rows.mask(py)
    }

    #[getter]
    fn seats(&self, py: Python<'_>) -> Py<PyArray1<u8>> {
        self.rows.seats(py)
    }

    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyArray2<f32>> {
        self.rows.rewards(py)
    }

    #[getter]
    fn over(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.rows.over(py)
    }

    #[getter]
    fn form(&self) -> &'static str {
        self.form.name()
    }

    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    #[getter]
    fn autoreset(&self) -> &'static str {
        autoreset_name(self.autoreset)
    }

    fn seed(&self, table: usize) -> PyResult<(u64, u64, u64)> {
        let TableSeed { seed, table: of } = self.at[self.table(table)?];
        Ok((seed, of, self.env.episode(table)))
    }

    fn game(&self, py: Python<'_>, table: usize) -> PyResult<Py<Game>> {
        Ok(self.kinds[self.table(table)?].0.clone_ref(py))
    }

    #[pyo3(signature = (table, seat, form="f32"))]
    fn final_observation<'py>(
        &self,
        py: Python<'py>,
        table: usize,
        seat: usize,
        form: &str,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (form, table) = (Form::parse(form)?, self.table(table)?);
        if seat >= self.env.game(table).players() {
            return Err(bad(format!("seat {seat} of {}", self.env.game(table).players())));
        }
        let view = self.env.observe_final(table, seat);
        Ok(view.map(|view| form.array(py, &newmarket_env::Observation::of(&view))))
    }

    fn copy(this: &Bound<'_, Self>) -> PyResult<Self> {
        let (py, it) = (this.py(), shared(this)?);
        let copy = Self {
            kinds: it.kinds.iter().map(|(game, kind)| (game.clone_ref(py), kind.clone())).collect(),
            form: it.form,
            threads: it.threads,
            autoreset: it.autoreset,
            env: it.env.clone(),
            at: it.at.clone(),
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
            "Batch({} tables, form={:?}, threads={}, autoreset={:?})",
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
        let (py, form, autoreset) = (of.py(), Form::parse(form)?, self::autoreset(autoreset)?);
        if tables.len() != kinds.len() {
            return Err(bad("a pickled batch with more tables than games, or fewer"));
        }
        let at = tables.iter().map(|it| TableSeed { seed: it.0, table: it.1 }).collect();
        let rows = RowArrays::new(py, kinds.len(), form, MAX_PLAYERS, None)?;
        let mut batch = Self::build(kinds, at, (form, threads, autoreset), rows)?;
        for (table, (.., [number, first], last, now)) in tables.into_iter().enumerate() {
            let node = batch.at[table].node();
            batch.env.reset_table_to(table, node, first);
            batch.history.clear(table, first);
            for id in last {
                batch.replay(table, id)?;
            }
            if batch.env.episode(table) != number {
                batch.env.reset_table_to(table, node, number);
                batch.history.note(table, None, number);
            }
            for id in now {
                batch.replay(table, id)?;
            }
        }
        batch.write(py)?;
        Ok(batch)
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let (py, make) = (this.py(), this.get_type().getattr("_restore")?);
        let it = shared(this)?;
        let kinds =
            it.kinds.iter().map(|(game, kind)| (game.clone_ref(py), kind.clone())).collect();
        let tables =
            (0..it.env.len()).map(|table| it.history.of(py, table, it.at[table])).collect();
        let fingerprint = newmarket_env::encode::fingerprint();
        let threads = it.threads;
        let autoreset = autoreset_name(it.autoreset);
        Ok((make, (fingerprint, kinds, it.form.name(), threads, autoreset, tables)))
    }

    /// What a seat of a table may know now.
    #[pyo3(signature = (table, seat=None))]
    fn view(&self, table: usize, seat: Option<usize>) -> PyResult<View> {
        let table = self.table(table)?;
        let seen = self.env.observe(table, 0);
        let seat = seat.unwrap_or_else(|| seen.actor().unwrap_or(0));
        if seat >= seen.game().players() {
            return Err(bad(format!("seat {seat} of {}", seen.game().players())));
        }
        let state = *self.env.state(table);
        Ok(View { game: self.env.game(table).clone(), state, at: seat })
    }
}

impl Batch {
    /// Begins a table's next episode.
    fn next(&mut self, table: usize) {
        self.env.reset_table(table);
        self.history.note(table, None, self.env.episode(table));
    }

    fn replay(&mut self, table: usize, id: u8) -> PyResult<()> {
        let action = action(i64::from(id))?;
        self.env.step_table(table, action).map_err(|error| errors::batch(&error))?;
        self.history.note(table, Some(action), self.env.episode(table));
        Ok(())
    }
}
