//! Arrays that a batch writes into: its own, or the caller's.

use newmarket_env::{
    Action, ActionMask, BatchError, Change, Encoder, Entry, MAX_PLAYERS, Observation,
    PlainObservations, PlainRewards, PlainRows, Rows, View,
};
use numpy::{
    Element, PyArray, PyArray1, PyArray2, PyArrayDescr, PyArrayMethods, PyReadonlyArray1,
    PyUntypedArrayMethods, ndarray::Dimension,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice};

use crate::errors::{self, bad};
use crate::game::action;
use crate::observation::{BYTES, Form, writable};

/// A mask as a new array, `[ACTIONS]` `int8`.
pub(crate) fn mask(py: Python<'_>, legal: ActionMask) -> Bound<'_, PyArray1<i8>> {
    let mut row = [0; Action::COUNT];
    legal.write(&mut row);
    PyArray1::from_slice(py, &row)
}

/// Observations in either form.
#[derive(Debug)]
enum ObservationArray {
    Packed(Py<PyArray2<u8>>),
    F32(Py<PyArray2<f32>>),
}

/// Rewards of all seats, or of the hero.
#[derive(Debug)]
enum RewardArray {
    Seats(Py<PyArray2<f32>>),
    Hero(Py<PyArray1<f32>>),
}

/// Whose rewards a row has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RewardsOf {
    /// `[tables, MAX_PLAYERS]`.
    Seats,
    /// `[tables]`.
    Hero,
}

impl RewardsOf {
    const fn count(self) -> usize {
        match self {
            Self::Seats => MAX_PLAYERS,
            Self::Hero => 1,
        }
    }
}

/// What a batch writes, one row a table.
#[derive(Debug)]
pub(crate) struct RowArrays {
    form: Form,
    rewards_of: RewardsOf,
    /// What the observations, rewards, masks and seats below are views of, in this order, unless the
    /// caller brings arrays: one piece is held with one look at who else holds it. (`over` is apart,
    /// since bytes cannot be written as `bool` safely.)
    own: Option<Py<PyArray1<u8>>>,
    /// Whether a step need only write what it has changed, since others may only read packed rows and
    /// masks.
    in_place: bool,
    observations: ObservationArray,
    mask: Py<PyArray2<i8>>,
    seats: Py<PyArray1<u8>>,
    rewards: RewardArray,
    over: Py<PyArray1<bool>>,
}

const NAMES: [&str; 5] = ["observations", "mask", "seats", "rewards", "over"];

impl RowArrays {
    /// Arrays for so many tables. If the caller brings some, these are used and the others are made, and
    /// all are written whole; else packed observations are filled in place if a step can tell what it
    /// changes.
    pub(crate) fn new(
        py: Python<'_>,
        tables: usize,
        (form, in_place): (Form, bool),
        rewards: RewardsOf,
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        match given {
            Some(given) if !given.is_empty() => Self::with(given, tables, form, rewards),
            _ => {
                let bytes = tables * row_bytes(form, rewards);
                let over = PyArray1::zeros(py, tables, false);
                Self::of(PyArray1::zeros(py, bytes, false), over, (form, in_place), rewards)
            }
        }
    }

    /// Arrays that the caller brings, or some of them.
    fn with(
        given: &Bound<'_, PyDict>,
        tables: usize,
        form: Form,
        rewards_of: RewardsOf,
    ) -> PyResult<Self> {
        for name in given.keys() {
            let name: String = name.extract()?;
            if !NAMES.contains(&&*name) {
                return Err(bad(format!(
                    "buffers: unknown `{name}`: expected {}",
                    NAMES.join(", ")
                )));
            }
        }
        let observations = match form {
            Form::Packed => ObservationArray::Packed(taken(given, NAMES[0], [tables, BYTES])?),
            Form::F32 => ObservationArray::F32(taken(given, NAMES[0], [tables, Observation::LEN])?),
        };
        let rewards = match rewards_of {
            RewardsOf::Seats => {
                RewardArray::Seats(taken(given, NAMES[3], [tables, rewards_of.count()])?)
            }
            RewardsOf::Hero => RewardArray::Hero(taken(given, NAMES[3], [tables])?),
        };
        Ok(Self {
            form,
            rewards_of,
            own: None,
            in_place: false,
            observations,
            mask: taken(given, NAMES[1], [tables, Action::COUNT])?,
            seats: taken(given, NAMES[2], [tables])?,
            rewards,
            over: taken(given, NAMES[4], [tables])?,
        })
    }

    /// Views of one piece of memory.
    fn of<'py>(
        own: Bound<'py, PyArray1<u8>>,
        over: Bound<'py, PyArray1<bool>>,
        (form, in_place): (Form, bool),
        rewards_of: RewardsOf,
    ) -> PyResult<Self> {
        let (py, mut at) = (own.py(), 0);
        let tables = own.len() / row_bytes(form, rewards_of);
        if tables != over.len() {
            return Err(bad(format!("over has {} entries, expected {tables}", over.len())));
        }
        let mut view = |nth: usize, kind: Bound<'py, PyArrayDescr>| {
            let end = at + tables * parts(form, rewards_of)[nth];
            let part = own.get_item(PySlice::new(py, at as isize, end as isize, 1))?;
            at = end;
            part.call_method1("view", (kind,))?.call_method1("reshape", (tables, -1))
        };
        let in_place = in_place && form == Form::Packed;
        let observations = match form {
            Form::Packed => {
                let rows = view(0, numpy::dtype::<u8>(py))?;
                rows.call_method1("setflags", (!in_place,))?;
                ObservationArray::Packed(rows.cast_into()?.unbind())
            }
            Form::F32 => {
                let rows = view(0, numpy::dtype::<f32>(py))?;
                ObservationArray::F32(rows.cast_into()?.unbind())
            }
        };
        let rewards = view(1, numpy::dtype::<f32>(py))?;
        let rewards = match rewards_of {
            RewardsOf::Seats => RewardArray::Seats(rewards.cast_into()?.unbind()),
            RewardsOf::Hero => {
                RewardArray::Hero(rewards.call_method0("ravel")?.cast_into()?.unbind())
            }
        };
        let mask = view(2, numpy::dtype::<i8>(py))?;
        mask.call_method1("setflags", (!in_place,))?;
        Ok(Self {
            form,
            rewards_of,
            in_place,
            observations,
            rewards,
            mask: mask.cast_into()?.unbind(),
            seats: view(3, numpy::dtype::<u8>(py))?.call_method0("ravel")?.cast_into()?.unbind(),
            over: over.unbind(),
            own: Some(own.unbind()),
        })
    }

    /// Copies in arrays of their own.
    pub(crate) fn duplicate(&self, py: Python<'_>) -> PyResult<Self> {
        let over = duplicate(self.over.bind(py))?;
        if let Some(own) = &self.own {
            let own = duplicate(own.bind(py))?;
            return Self::of(own, over, (self.form, self.in_place), self.rewards_of);
        }
        let observations = match &self.observations {
            ObservationArray::Packed(rows) => {
                ObservationArray::Packed(duplicate(rows.bind(py))?.unbind())
            }
            ObservationArray::F32(rows) => {
                ObservationArray::F32(duplicate(rows.bind(py))?.unbind())
            }
        };
        let rewards = match &self.rewards {
            RewardArray::Seats(rewards) => {
                RewardArray::Seats(duplicate(rewards.bind(py))?.unbind())
            }
            RewardArray::Hero(rewards) => RewardArray::Hero(duplicate(rewards.bind(py))?.unbind()),
        };
        Ok(Self {
            form: self.form,
            rewards_of: self.rewards_of,
            own: None,
            in_place: false,
            observations,
            mask: duplicate(self.mask.bind(py))?.unbind(),
            seats: duplicate(self.seats.bind(py))?.unbind(),
            rewards,
            over: over.unbind(),
        })
    }

    pub(crate) fn observations(&self, py: Python<'_>) -> Py<PyAny> {
        match &self.observations {
            ObservationArray::Packed(rows) => rows.clone_ref(py).into_any(),
            ObservationArray::F32(rows) => rows.clone_ref(py).into_any(),
        }
    }

    pub(crate) fn mask(&self, py: Python<'_>) -> Py<PyArray2<i8>> {
        self.mask.clone_ref(py)
    }

    pub(crate) fn seats(&self, py: Python<'_>) -> Py<PyArray1<u8>> {
        self.seats.clone_ref(py)
    }

    pub(crate) fn rewards(&self, py: Python<'_>) -> Py<PyAny> {
        match &self.rewards {
            RewardArray::Seats(rewards) => rewards.clone_ref(py).into_any(),
            RewardArray::Hero(rewards) => rewards.clone_ref(py).into_any(),
        }
    }

    pub(crate) fn over(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.over.clone_ref(py)
    }

    /// Writes how `tables` stand, `of` so many, without a step: rewards are 0. The other rows stay.
    pub(crate) fn write<'v>(
        &self,
        py: Python<'_>,
        tables: &[usize],
        of: usize,
        seen: impl Fn(usize) -> (View<'v>, ActionMask) + Sync,
    ) -> PyResult<()> {
        let written = self.rows(py, |rows| {
            rows.check(of)?;
            for &table in tables {
                let (view, legal) = seen(table);
                let (rewards, over) = ([0; MAX_PLAYERS], legal.is_empty());
                let (change, encoder) = (Change::Anything, &Encoder::new(view.game()));
                rows.write_row(table, &Entry { view, legal, rewards, over, change, encoder });
            }
            Ok(())
        })?;
        written.map_err(|error: BatchError| errors::batch(&error))
    }

    /// Calls `with` with the rows of the arrays, which nobody else may use meanwhile.
    pub(crate) fn rows<T: Send>(
        &self,
        py: Python<'_>,
        with: impl FnOnce(&mut PlainRows<'_>) -> T + Send,
    ) -> PyResult<T> {
        let mut over = writable(self.over.bind(py), NAMES[4])?;
        let over = slice(over.as_slice_mut())?;
        if let Some(own) = &self.own {
            let mut own = writable(own.bind(py), "the arrays of a batch")?;
            let own = slice(own.as_slice_mut())?;
            let tables = own.len() / row_bytes(self.form, self.rewards_of);
            let [first, second, third, fourth] = parts(self.form, self.rewards_of);
            let (observations, rest) = own.split_at_mut(tables * first);
            let (rewards, rest) = rest.split_at_mut(tables * second);
            let (mask, rest) = rest.split_at_mut(tables * third);
            let seats = &mut rest[..tables * fourth];
            let observations = match self.form {
                Form::Packed if self.in_place => {
                    PlainObservations::PackedInPlace(observations.as_chunks_mut().0)
                }
                Form::Packed => PlainObservations::Packed(observations.as_chunks_mut().0),
                Form::F32 => PlainObservations::F32(numbers(observations)?.as_chunks_mut().0),
            };
            let rewards = numbers(rewards)?;
            let rewards = match self.rewards_of {
                RewardsOf::Seats => PlainRewards::Seats(rewards.as_chunks_mut().0),
                RewardsOf::Hero => PlainRewards::Actor(rewards),
            };
            let mask = numbers(mask)?.as_chunks_mut().0;
            let mut rows = PlainRows { observations, mask, seats, rewards, over };
            return Ok(py.detach(|| with(&mut rows)));
        }
        let mut mask = writable(self.mask.bind(py), NAMES[1])?;
        let mut seats = writable(self.seats.bind(py), NAMES[2])?;
        let (mut of_seats, mut of_hero);
        let rewards = match &self.rewards {
            RewardArray::Seats(rewards) => {
                of_seats = writable(rewards.bind(py), NAMES[3])?;
                PlainRewards::Seats(slice(of_seats.as_slice_mut())?.as_chunks_mut().0)
            }
            RewardArray::Hero(rewards) => {
                of_hero = writable(rewards.bind(py), NAMES[3])?;
                PlainRewards::Actor(slice(of_hero.as_slice_mut())?)
            }
        };
        let (mask, seats) =
            (slice(mask.as_slice_mut())?.as_chunks_mut().0, slice(seats.as_slice_mut())?);
        let rest = |observations| {
            let mut rows = PlainRows { observations, mask, seats, rewards, over };
            Ok(py.detach(|| with(&mut rows)))
        };
        match &self.observations {
            ObservationArray::Packed(array) => {
                let mut array = writable(array.bind(py), NAMES[0])?;
                rest(PlainObservations::Packed(slice(array.as_slice_mut())?.as_chunks_mut().0))
            }
            ObservationArray::F32(array) => {
                let mut array = writable(array.bind(py), NAMES[0])?;
                rest(PlainObservations::F32(slice(array.as_slice_mut())?.as_chunks_mut().0))
            }
        }
    }
}

/// Bytes of a row of observations, rewards, masks and seats.
const fn parts(form: Form, rewards: RewardsOf) -> [usize; 4] {
    [form.bytes(), rewards.count() * size_of::<f32>(), Action::COUNT, 1]
}

/// Bytes of a row of all four.
const fn row_bytes(form: Form, rewards: RewardsOf) -> usize {
    let [observations, rewards, mask, seats] = parts(form, rewards);
    observations + rewards + mask + seats
}

fn duplicate<'py, T: Element + Clone, D: Dimension>(
    array: &Bound<'py, PyArray<T, D>>,
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    let read = array.try_readonly().map_err(|_| bad("a buffer is in use elsewhere"))?;
    Ok(PyArray::from_array(array.py(), &read.as_array()))
}

/// Bytes as numbers of another kind.
fn numbers<T: bytemuck::Pod>(bytes: &mut [u8]) -> PyResult<&mut [T]> {
    bytemuck::try_cast_slice_mut(bytes)
        .map_err(|error| bad(format!("an array of numpy's: {error}")))
}

fn slice<T>(slice: Result<&mut [T], numpy::AsSliceError>) -> PyResult<&mut [T]> {
    slice.map_err(|_| bad("a buffer is not C-contiguous any more"))
}

/// Reads actions, any array or sequence of integers, into `out`.
pub(crate) fn read_actions(given: &Bound<'_, PyAny>, out: &mut Vec<Action>) -> PyResult<()> {
    if let Ok(given) = given.extract::<PyReadonlyArray1<'_, i64>>() {
        return actions(&given, out);
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
    actions(&array.extract::<PyReadonlyArray1<'_, i64>>()?, out)
}

fn actions(ids: &PyReadonlyArray1<'_, i64>, out: &mut Vec<Action>) -> PyResult<()> {
    let read = match ids.as_slice() {
        Ok(ids) => Action::read_all(ids, out),
        // Strided: a column, for instance.
        Err(_) => Action::read_all(&ids.as_array().to_vec(), out),
    };
    read.or_else(|wrong| action(wrong).map(drop))
}

/// The buffer of this name, or a new array of zeros.
fn taken<T: Element, D: Dimension>(
    given: &Bound<'_, PyDict>,
    name: &str,
    shape: impl numpy::ndarray::IntoDimension<Dim = D>,
) -> PyResult<Py<PyArray<T, D>>> {
    let (py, shape) = (given.py(), shape.into_dimension());
    let Some(array) = given.get_item(name)? else {
        return Ok(PyArray::zeros(py, shape, false).unbind());
    };
    let expected = || {
        let dtype = numpy::dtype::<T>(py);
        bad(format!(
            "buffers: {name}: expected a writable C-contiguous array {:?} of {dtype}",
            shape.slice()
        ))
    };
    let array = array.cast_into::<PyArray<T, D>>().map_err(|_| expected())?;
    if array.shape() != shape.slice() || !array.is_c_contiguous() {
        return Err(expected());
    }
    drop(array.try_readwrite().map_err(|_| expected())?);
    Ok(array.unbind())
}
