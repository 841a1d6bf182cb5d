//! Arrays that a batch writes into: its own, or the caller's.

use newmarket_env::{Action, ActionMask, Observation, PlainObservations, PlainRewards, PlainRows};
use numpy::{
    Element, PyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1,
    PyReadwriteArray2, PyUntypedArrayMethods, ndarray::Dimension,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::bad;
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
pub(crate) enum ObservationArray {
    Packed(Py<PyArray2<u8>>),
    /// Rows that nobody else writes to, so that a step need only write what it has changed; and the
    /// view of them that others see.
    PackedInPlace(Py<PyArray2<u8>>, Py<PyAny>),
    F32(Py<PyArray2<f32>>),
}

/// What a batch writes, one row a table.
#[derive(Debug)]
pub(crate) struct RowArrays {
    observations: ObservationArray,
    mask: Py<PyArray2<i8>>,
    seats: Py<PyArray1<u8>>,
    rewards: Py<PyArray2<f32>>,
    over: Py<PyArray1<bool>>,
}

const NAMES: [&str; 5] = ["observations", "mask", "seats", "rewards", "over"];

impl ObservationArray {
    /// New packed rows that others may only read.
    fn in_place(py: Python<'_>, tables: usize) -> PyResult<Self> {
        Self::read_only(PyArray2::zeros(py, [tables, BYTES], false))
    }

    fn read_only(rows: Bound<'_, PyArray2<u8>>) -> PyResult<Self> {
        let seen = rows.call_method0("view")?;
        seen.call_method1("setflags", (false,))?;
        Ok(Self::PackedInPlace(rows.unbind(), seen.unbind()))
    }

    /// The array that others see.
    fn seen(&self, py: Python<'_>) -> Py<PyAny> {
        match self {
            Self::Packed(array) => array.clone_ref(py).into_any(),
            Self::PackedInPlace(_, seen) => seen.clone_ref(py),
            Self::F32(array) => array.clone_ref(py).into_any(),
        }
    }

    /// A copy in an array of its own.
    fn duplicate(&self, py: Python<'_>) -> PyResult<Self> {
        Ok(match self {
            Self::Packed(array) => Self::Packed(duplicate(array.bind(py))?),
            Self::PackedInPlace(array, _) => {
                Self::read_only(duplicate(array.bind(py))?.into_bound(py))?
            }
            Self::F32(array) => Self::F32(duplicate(array.bind(py))?),
        })
    }
}

impl RowArrays {
    /// Arrays for so many tables; those that the caller brings are used, the others are made. Packed
    /// observations that are made are filled in place if a step can tell what it changes.
    pub(crate) fn new(
        py: Python<'_>,
        tables: usize,
        (form, in_place): (Form, bool),
        rewards: usize,
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let given = match given {
            Some(given) => given.copy()?,
            None => PyDict::new(py),
        };
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
            Form::Packed if in_place && !given.contains(NAMES[0])? => {
                ObservationArray::in_place(py, tables)?
            }
            Form::Packed => ObservationArray::Packed(taken(&given, NAMES[0], [tables, BYTES])?),
            Form::F32 => {
                ObservationArray::F32(taken(&given, NAMES[0], [tables, Observation::LEN])?)
            }
        };
        Ok(Self {
            observations,
            mask: taken(&given, NAMES[1], [tables, Action::COUNT])?,
            seats: taken(&given, NAMES[2], [tables])?,
            rewards: taken(&given, NAMES[3], [tables, rewards])?,
            over: taken(&given, NAMES[4], [tables])?,
        })
    }

    /// Copies in arrays of their own.
    pub(crate) fn duplicate(&self, py: Python<'_>) -> PyResult<Self> {
        Ok(Self {
            observations: self.observations.duplicate(py)?,
            mask: duplicate(self.mask.bind(py))?,
            seats: duplicate(self.seats.bind(py))?,
            rewards: duplicate(self.rewards.bind(py))?,
            over: duplicate(self.over.bind(py))?,
        })
    }

    pub(crate) fn observations(&self, py: Python<'_>) -> Py<PyAny> {
        self.observations.seen(py)
    }

    pub(crate) fn mask(&self, py: Python<'_>) -> Py<PyArray2<i8>> {
        self.mask.clone_ref(py)
    }

    pub(crate) fn seats(&self, py: Python<'_>) -> Py<PyArray1<u8>> {
        self.seats.clone_ref(py)
    }

    pub(crate) fn rewards(&self, py: Python<'_>) -> Py<PyArray2<f32>> {
        self.rewards.clone_ref(py)
    }

    pub(crate) fn over(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.over.clone_ref(py)
    }

    /// Calls `with` with the rows of the arrays, which nobody else may use meanwhile.
    pub(crate) fn rows<T: Send>(
        &self,
        py: Python<'_>,
        with: impl FnOnce(&mut PlainRows<'_>) -> T + Send,
    ) -> PyResult<T> {
        let mut held = Held {
            mask: writable(self.mask.bind(py), NAMES[1])?,
            seats: writable(self.seats.bind(py), NAMES[2])?,
            rewards: writable(self.rewards.bind(py), NAMES[3])?,
            over: writable(self.over.bind(py), NAMES[4])?,
        };
        match &self.observations {
            ObservationArray::Packed(array) => {
                let mut array = writable(array.bind(py), NAMES[0])?;
                let observations = PlainObservations::Packed(rows(array.as_slice_mut())?);
                held.run(py, observations, with)
            }
            ObservationArray::PackedInPlace(array, _) => {
                let mut array = writable(array.bind(py), NAMES[0])?;
                let observations = PlainObservations::PackedInPlace(rows(array.as_slice_mut())?);
                held.run(py, observations, with)
            }
            ObservationArray::F32(array) => {
                let mut array = writable(array.bind(py), NAMES[0])?;
                let observations = PlainObservations::F32(rows(array.as_slice_mut())?);
                held.run(py, observations, with)
            }
        }
    }
}

fn duplicate<T: Element + Clone, D: Dimension>(
    array: &Bound<'_, PyArray<T, D>>,
) -> PyResult<Py<PyArray<T, D>>> {
    let read = array.try_readonly().map_err(|_| bad("a buffer is in use elsewhere"))?;
    Ok(PyArray::from_array(array.py(), &read.as_array()).unbind())
}

fn slice<T>(slice: Result<&mut [T], numpy::AsSliceError>) -> PyResult<&mut [T]> {
    slice.map_err(|_| bad("a buffer is not C-contiguous any more"))
}

/// Rows of a length that is known when this is compiled.
fn rows<T, const N: usize>(all: Result<&mut [T], numpy::AsSliceError>) -> PyResult<&mut [[T; N]]> {
    Ok(slice(all)?.as_chunks_mut().0)
}

/// Arrays that are held while they are written to.
struct Held<'py> {
    mask: PyReadwriteArray2<'py, i8>,
    seats: PyReadwriteArray1<'py, u8>,
    rewards: PyReadwriteArray2<'py, f32>,
    over: PyReadwriteArray1<'py, bool>,
}

impl Held<'_> {
    fn run<T: Send>(
        &mut self,
        py: Python<'_>,
        observations: PlainObservations<'_>,
        with: impl FnOnce(&mut PlainRows<'_>) -> T + Send,
    ) -> PyResult<T> {
        let rewards = if self.rewards.shape()[1] == 1 {
            PlainRewards::Actor(slice(self.rewards.as_slice_mut())?)
        } else {
            PlainRewards::Seats(rows(self.rewards.as_slice_mut())?)
        };
        let mut rows = PlainRows {
            observations,
            mask: rows(self.mask.as_slice_mut())?,
            seats: slice(self.seats.as_slice_mut())?,
            rewards,
            over: slice(self.over.as_slice_mut())?,
        };
        Ok(py.detach(|| with(&mut rows)))
    }
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
