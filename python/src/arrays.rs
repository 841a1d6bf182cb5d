//! Arrays that a batch writes into: its own, or the caller's.

use newmarket_env::{Action, ActionMask, BatchError, Entry, MAX_PLAYERS, Observation, Rows};
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
    write_mask(legal, &mut row);
    PyArray1::from_slice(py, &row)
}

/// The bits of a byte, one an entry.
const BITS: [[i8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut at = 0;
    while at < 256 * 8 {
        table[at / 8][at % 8] = ((at / 8) >> (at % 8) & 1) as i8;
        at += 1;
    }
    table
};

/// Writes 1 for each legal action, eight at a time: those of a decision most often lie so close.
#[inline]
fn write_mask(legal: ActionMask, row: &mut [i8; Action::COUNT]) {
    *row = [0; Action::COUNT];
    let mut bits = legal.bits();
    while bits != 0 {
        let first = (bits.trailing_zeros() as usize).min(Action::COUNT - 8);
        row[first..first + 8].copy_from_slice(&BITS[usize::from((bits >> first) as u8)]);
        bits &= !(0xff << first);
    }
}

/// Observations in either form.
#[derive(Debug)]
pub(crate) enum ObservationArray {
    Packed(Py<PyArray2<u8>>),
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

impl RowArrays {
    /// Arrays for so many tables; those that the caller brings are used, the others are made.
    pub(crate) fn new(
        py: Python<'_>,
        tables: usize,
        form: Form,
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
        let observations = match &self.observations {
            ObservationArray::Packed(array) => ObservationArray::Packed(duplicate(array.bind(py))?),
            ObservationArray::F32(array) => ObservationArray::F32(duplicate(array.bind(py))?),
        };
        Ok(Self {
            observations,
            mask: duplicate(self.mask.bind(py))?,
            seats: duplicate(self.seats.bind(py))?,
            rewards: duplicate(self.rewards.bind(py))?,
            over: duplicate(self.over.bind(py))?,
        })
    }

    pub(crate) fn observations(&self, py: Python<'_>) -> Py<PyAny> {
        match &self.observations {
            ObservationArray::Packed(array) => array.clone_ref(py).into_any(),
            ObservationArray::F32(array) => array.clone_ref(py).into_any(),
        }
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
        with: impl FnOnce(&mut NumpyRows<'_>) -> T + Send,
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
                let observations = Observations::Packed(rows(array.as_slice_mut())?);
                held.run(py, observations, with)
            }
            ObservationArray::F32(array) => {
                let mut array = writable(array.bind(py), NAMES[0])?;
                let observations = Observations::F32(rows(array.as_slice_mut())?);
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
        observations: Observations<'_>,
        with: impl FnOnce(&mut NumpyRows<'_>) -> T + Send,
    ) -> PyResult<T> {
        let seats = self.rewards.shape()[1];
        let mut rows = NumpyRows {
            observations,
            mask: rows(self.mask.as_slice_mut())?,
            seats: slice(self.seats.as_slice_mut())?,
            rewards: slice(self.rewards.as_slice_mut())?,
            each: seats,
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
    let array = ids.as_array();
    let ids = array.as_standard_layout();
    let ids = ids.as_slice().unwrap_or_default();
    out.resize(ids.len(), Action::KEEP);
    for (place, &id) in out.iter_mut().zip(ids) {
        *place = action(id)?;
    }
    Ok(())
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

enum Observations<'a> {
    Packed(&'a mut [[u8; BYTES]]),
    F32(&'a mut [[f32; Observation::LEN]]),
}

/// Rows of arrays, one a table.
pub(crate) struct NumpyRows<'a> {
    observations: Observations<'a>,
    mask: &'a mut [[i8; Action::COUNT]],
    seats: &'a mut [u8],
    rewards: &'a mut [f32],
    /// Entries in a row of rewards: one a seat, or 1 for the reward of the seat that is seen.
    each: usize,
    over: &'a mut [bool],
}

impl NumpyRows<'_> {
    /// Whether the last step ended an episode, by table.
    pub(crate) fn over(&self) -> &[bool] {
        self.over
    }
}

impl Rows for NumpyRows<'_> {
    type Part<'p>
        = NumpyRows<'p>
    where
        Self: 'p;

    fn check(&self, tables: usize) -> Result<(), BatchError> {
        let len = self.over.len();
        let fits = len == tables;
        if fits { Ok(()) } else { Err(BatchError::Length { what: "over", len, expected: tables }) }
    }

    fn split_at(&mut self, at: usize) -> (NumpyRows<'_>, NumpyRows<'_>) {
        let (observations, observations_) = match &mut self.observations {
            Observations::Packed(rows) => {
                let (rows, rows_) = rows.split_at_mut(at);
                (Observations::Packed(rows), Observations::Packed(rows_))
            }
            Observations::F32(rows) => {
                let (rows, rows_) = rows.split_at_mut(at);
                (Observations::F32(rows), Observations::F32(rows_))
            }
        };
        let (mask, mask_) = self.mask.split_at_mut(at);
        let (seats, seats_) = self.seats.split_at_mut(at);
        let (rewards, rewards_) = self.rewards.split_at_mut(at * self.each);
        let (over, over_) = self.over.split_at_mut(at);
        let each = self.each;
        (
            NumpyRows { observations, mask, seats, rewards, each, over },
            NumpyRows {
                observations: observations_,
                mask: mask_,
                seats: seats_,
                rewards: rewards_,
                each,
                over: over_,
            },
        )
    }

    #[expect(clippy::inline_always, reason = "part of the loop of a batch")]
    #[inline(always)]
    fn write_row(&mut self, row: usize, entry: &Entry) {
        match &mut self.observations {
            Observations::Packed(rows) => entry.pack(&mut rows[row]),
            Observations::F32(rows) => entry.observation().write(&mut rows[row]),
        }
        write_mask(entry.legal, &mut self.mask[row]);
        let seat = entry.view.seat();
        self.seats[row] = seat as u8;
        if self.each == 1 {
            self.rewards[row] = entry.rewards[seat] as f32;
        } else {
            let rewards = &mut self.rewards[row * MAX_PLAYERS..][..MAX_PLAYERS];
            for (reward, chips) in rewards.iter_mut().zip(entry.rewards) {
                *reward = chips as f32;
            }
        }
        self.over[row] = entry.over;
    }
}
