//! The weights of a checkpoint as numpy arrays, and back.

use std::path::{Path, PathBuf};

use newmarket_checkpoints::{Checkpoint, Encoding, Provenance, roster};
use newmarket_env::{Action, Observation};
use newmarket_net::{NamedArray, NetConfig, Weights};
use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};

use crate::errors::{self, bad, bad_chain};
use crate::observation::typed;

/// The weights of a checkpoint or run folder, or of ``"champion"``, and facts about it; ``net:`` may
/// stand before it.
///
/// Layers are ``trunk.K``, ``policy`` and ``value``, each with ``weight`` ``[inputs, outputs]``
/// and ``bias`` ``[outputs]``; between the layers of the trunk negative numbers become 0.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "a path of Python's is made for the call")]
pub(crate) fn read_checkpoint(
    py: Python<'_>,
    path: PathBuf,
) -> PyResult<(Bound<'_, PyDict>, Bound<'_, PyDict>)> {
    let named = path.to_str().and_then(roster::network);
    let path = named.map_or(&*path, |named| named.path);
    let checkpoint = roster::net_checkpoint(path).map_err(|error| errors::file(&error))?;
    let weights = PyDict::new(py);
    for array in checkpoint.weights.arrays() {
        let flat = numpy::PyArray1::from_slice(py, &array.data);
        weights.set_item(&array.name, flat.reshape(array.shape.clone())?)?;
    }
    let about = PyDict::new(py);
    let config = checkpoint.weights.config();
    about.set_item("hidden", config.hidden.clone())?;
    about.set_item("weights_blake3", checkpoint.weights_hash())?;
    about.set_item("update", checkpoint.run.update)?;
    about.set_item("decisions", checkpoint.run.decisions)?;
    about.set_item("seed", checkpoint.run.seed)?;
    about.set_item("training", &checkpoint.run.training)?;
    Ok((weights, about))
}

/// Write weights as a checkpoint that ``Agent("net:PATH")`` and the program play.
///
/// ``training`` is a note of how they came about. Returns the BLAKE3 hash of the weights.
#[pyfunction]
#[pyo3(signature = (path, weights, *, training=""))]
#[expect(clippy::needless_pass_by_value, reason = "a path of Python's is made for the call")]
pub(crate) fn write_checkpoint(
    path: PathBuf,
    weights: &Bound<'_, PyMapping>,
    training: &str,
) -> PyResult<String> {
    let given = PyDict::new(weights.py());
    given.update(weights)?;
    let weights = given;
    let mut hidden = Vec::new();
    while let Some(bias) = weights.get_item(format!("trunk.{}.bias", hidden.len()))? {
        let bias = array(&bias, &format!("trunk.{}.bias", hidden.len()))?;
        hidden.push(bias.len());
    }
    let config = NetConfig { inputs: Observation::LEN, hidden, actions: Action::COUNT };
    let expected = Weights::layout(&config);
    if let Some(name) = weights.keys().iter().find(|key| {
        let known = |name: &str| expected.iter().any(|(known, _)| known == name);
        !key.extract::<String>().is_ok_and(|name| known(&name))
    }) {
        let names: Vec<&str> = expected.iter().map(|(name, _)| &**name).collect();
        return Err(bad(format!("unknown array {name}: expected {}", names.join(", "))));
    }
    let mut arrays = Vec::new();
    for (name, shape) in &expected {
        let given = weights.get_item(name)?;
        let given = given.ok_or_else(|| bad(format!("no array `{name}`: expected {shape:?}")))?;
        let given = array(&given, name)?;
        if given.shape() != &shape[..] {
            return Err(bad(format!("`{name}` has shape {:?}: expected {shape:?}", given.shape())));
        }
        let data = given.as_array().iter().copied().collect();
        arrays.push(NamedArray { name: name.clone(), shape: shape.clone(), data });
    }
    let weights = Weights::from_arrays(&config, arrays).map_err(|error| bad_chain(&error))?;
    let run = Provenance {
        encoding: Encoding::current(),
        training: training.into(),
        ..Provenance::default()
    };
    let checkpoint = Checkpoint::new(run, weights);
    checkpoint.write(Path::new(&path)).map_err(|error| errors::file(&error))?;
    Ok(checkpoint.weights_hash())
}

fn array<'py>(given: &Bound<'py, PyAny>, name: &str) -> PyResult<PyReadonlyArrayDyn<'py, f32>> {
    let given: &Bound<'_, PyArrayDyn<f32>> = typed(given, name)?;
    given.try_readonly().map_err(|_| bad(format!("`{name}` is in use elsewhere")))
}
