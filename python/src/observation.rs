//! The only place that knows how an observation crosses the border: packed, as bytes, or as `f32`.

use newmarket_env::Observation;
use newmarket_env::encode::{self, Axis};
use numpy::ndarray::{ArrayView1, Dimension};
use numpy::{
    Element, PyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::bad;

/// Length of a packed observation.
pub(crate) const BYTES: usize = Observation::BYTES;

/// How observations are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Packed,
    F32,
}

impl Form {
    pub(crate) fn parse(name: &str) -> PyResult<Self> {
        match name {
            "packed" => Ok(Self::Packed),
            "f32" => Ok(Self::F32),
            _ => Err(bad(format!("unknown form `{name}`: expected packed or f32"))),
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Packed => "packed",
            Self::F32 => "f32",
        }
    }

    /// Bytes of an observation.
    pub(crate) const fn bytes(self) -> usize {
        match self {
            Self::Packed => BYTES,
            Self::F32 => Observation::LEN * size_of::<f32>(),
        }
    }

    /// One observation as a new array.
    pub(crate) fn array<'py>(self, py: Python<'py>, seen: &Observation) -> Bound<'py, PyAny> {
        match self {
            Self::Packed => PyArray1::from_slice(py, seen.as_bytes()).into_any(),
            Self::F32 => {
                let mut row = vec![0.0; Observation::LEN];
                seen.write(&mut row);
                PyArray1::from_vec(py, row).into_any()
            }
        }
    }
}

/// Reads a packed observation.
pub(crate) fn unpack_row(row: &[u8]) -> PyResult<Observation> {
    let row = row
        .try_into()
        .map_err(|_| bad(format!("a packed observation has {BYTES} bytes, not {}", row.len())))?;
    Observation::from_bytes(row).map_err(|error| bad(error.to_string()))
}

/// Unpack observations: ``uint8[..., PACKED]`` to ``float32[..., OBSERVATION]``.
///
/// Raises ``ValueError`` for bytes that are no packed observation.
#[pyfunction]
#[pyo3(signature = (packed, out=None))]
pub(crate) fn unpack<'py>(
    py: Python<'py>,
    packed: &Bound<'py, PyAny>,
    out: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
    let packed: &Bound<'_, PyArrayDyn<u8>> = typed(packed, "packed")?;
    let out = out.map(|out| typed(&out, "out").cloned()).transpose()?;
    let mut shape = packed.shape().to_vec();
    if shape.last() != Some(&BYTES) {
        return Err(bad(format!(
            "the last axis of packed observations is {BYTES}, not that of {shape:?}"
        )));
    }
    *shape.last_mut().expect("an axis") = Observation::LEN;
    let out = match out {
        Some(out) if out.shape() == shape => out,
        Some(out) => {
            return Err(bad(format!("out has the shape {:?}, expected {shape:?}", out.shape())));
        }
        None => PyArrayDyn::zeros(py, shape, false),
    };
    let read = packed.try_readonly().map_err(|_| bad("packed is in use elsewhere"))?;
    let rows = read.as_array();
    let rows = rows.as_standard_layout();
    let rows = rows.as_slice().ok_or_else(|| bad("packed observations must be contiguous"))?;
    let mut write = writable(&out, "out")?;
    let target = write.as_slice_mut().map_err(|_| bad("out must be C-contiguous"))?;
    py.detach(|| {
        for (row, target) in rows.chunks_exact(BYTES).zip(target.chunks_exact_mut(Observation::LEN))
        {
            unpack_row(row)?.write(target);
        }
        PyResult::Ok(())
    })?;
    drop(write);
    Ok(out)
}

/// What was given in the place of an array, for an error.
pub(crate) fn kind(given: &Bound<'_, PyAny>) -> String {
    match given.cast::<PyUntypedArray>() {
        Ok(array) => format!("{:?} {}", array.shape(), array.dtype()),
        Err(_) => given.get_type().to_string(),
    }
}

/// The same, which must be an array of such numbers.
pub(crate) fn typed<'a, 'py, T: Element, D: Dimension>(
    given: &'a Bound<'py, PyAny>,
    name: &str,
) -> PyResult<&'a Bound<'py, PyArray<T, D>>> {
    given.cast().map_err(|_| {
        let (dtype, given) = (numpy::dtype::<T>(given.py()), kind(given));
        bad(format!("{name}: expected an array of {dtype}, not {given}"))
    })
}

/// An array that may be written to, and that nobody else uses now.
pub(crate) fn writable<'py, T: Element, D: Dimension>(
    array: &Bound<'py, PyArray<T, D>>,
    name: &str,
) -> PyResult<numpy::PyReadwriteArray<'py, T, D>> {
    array.try_readwrite().map_err(|_| bad(format!("{name} is read-only, or in use elsewhere")))
}

/// A batch of observations in either form, `[n, PACKED]` `uint8` or `[n, OBSERVATION]` `float32`.
pub(crate) enum Seen {
    Packed(Vec<Observation>),
    F32(Vec<f32>),
}

impl Seen {
    pub(crate) fn rows(&self) -> usize {
        match self {
            Self::Packed(rows) => rows.len(),
            Self::F32(numbers) => numbers.len() / Observation::LEN,
        }
    }

    pub(crate) fn read(array: &Bound<'_, PyAny>) -> PyResult<Self> {
        let in_use = || bad("observations are in use elsewhere");
        if let Ok(packed) = array.cast::<PyArray2<u8>>() {
            let packed = packed.try_readonly().map_err(|_| in_use())?;
            let packed = packed.as_array();
            let rows = packed.rows().into_iter();
            let read = rows.map(|row| unpack_row(&row.to_vec())).collect::<PyResult<Vec<_>>>();
            return Ok(Self::Packed(read?));
        }
        if let Ok(rows) = array.cast::<PyArray2<f32>>() {
            let rows = rows.try_readonly().map_err(|_| in_use())?;
            let rows = rows.as_array();
            if rows.ncols() == Observation::LEN {
                let wrong = |row: ArrayView1<'_, f32>| row.iter().any(|it| !it.is_finite());
                if let Some(row) = rows.rows().into_iter().position(wrong) {
                    return Err(bad(format!("row {row} has a number that is not finite")));
                }
                return Ok(Self::F32(rows.iter().copied().collect()));
            }
        }
        Err(bad(format!(
            "expected observations [n, {BYTES}] uint8 or [n, {}] float32, not {}",
            Observation::LEN,
            kind(array)
        )))
    }
}

/// What stands where in an observation: name, meaning, start, length, scale, axis.
///
/// A count of 1 (a chip, a card, a rank) is written as ``scale``; facts are 0 or 1. ``axis`` says
/// how entries are numbered: ``"card"`` (13 * suit + rank), ``"suit"`` (4 * other + suit) or
/// ``"other"``. Seats are relative: 0 is the viewer, 1 sits to their left.
#[pyfunction]
pub(crate) fn spans(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    encode::SPANS
        .iter()
        .map(|span| {
            let entry = PyDict::new(py);
            entry.set_item("name", span.name)?;
            entry.set_item("about", span.about)?;
            entry.set_item("start", span.start)?;
            entry.set_item("len", span.len)?;
            entry.set_item("scale", span.scale)?;
            let axis = match span.axis {
                Axis::Other => "other",
                Axis::Suit => "suit",
                Axis::Card => "card",
            };
            entry.set_item("axis", axis)?;
            Ok(entry)
        })
        .collect()
}

/// The version and the fingerprint of the encoding; a network goes with one fingerprint.
#[pyfunction]
pub(crate) fn encoding() -> (u32, u64) {
    (encode::VERSION, encode::fingerprint())
}

/// Refuses what was pickled under another encoding.
pub(crate) fn check_fingerprint(fingerprint: u64) -> PyResult<()> {
    if fingerprint == encode::fingerprint() {
        return Ok(());
    }
    Err(bad(format!(
        "pickled by another version: its encoding is {fingerprint:016x}, this one's is {:016x}",
        encode::fingerprint()
    )))
}
