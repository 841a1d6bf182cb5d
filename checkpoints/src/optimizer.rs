//! An optimizer's state as plain arrays and numbers in a fixed order: same state, same bytes.

use std::collections::BTreeMap;

use newmarket_net::NamedArray;
use serde::{Deserialize, Serialize};

/// An optimizer's state (for Adam: two moments and a step counter for each parameter).
///
/// A name is `<id>.<field>` as in `1.momentum.moment_1`, where the id of a parameter is its
/// position in the weights' fixed order, from 1.
#[derive(Debug, Clone, PartialEq)]
pub struct OptimizerState {
    /// Sorted by name.
    pub(crate) tensors: Vec<NamedArray>,
    pub(crate) scalars: BTreeMap<String, Scalar>,
    /// The module path of each parameter id.
    pub(crate) paths: BTreeMap<String, String>,
}

/// A number of an optimizer's state.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scalar {
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    Uint(u64),
    /// A floating-point number, by its bits, for JSON need not keep them.
    F64Bits(u64),
    /// A truth value.
    Bool(bool),
}

/// Why arrays are not the state of an optimizer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptimizerError {
    /// A tensor of some type other than `f32`.
    #[error("optimizer: `{name}` is {got}, must be f32")]
    Type {
        /// Which tensor.
        name: String,
        /// Its type.
        got: String,
    },
    /// Its name does not begin with a parameter's position.
    #[error("optimizer: `{name}` does not name a parameter, must be as in `1.momentum.moment_1`")]
    Name {
        /// The name.
        name: String,
    },
}

impl OptimizerState {
    /// A state from its parts; the names of the tensors as above.
    ///
    /// # Errors
    ///
    /// If a name does not begin with a parameter's position.
    pub fn from_parts(
        mut tensors: Vec<NamedArray>,
        scalars: BTreeMap<String, Scalar>,
        paths: BTreeMap<String, String>,
    ) -> Result<Self, OptimizerError> {
        for array in &tensors {
            check_name(&array.name)?;
        }
        tensors.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self { tensors, scalars, paths })
    }

    /// Its tensors, sorted by name.
    pub fn tensors(&self) -> &[NamedArray] {
        &self.tensors
    }

    /// Its numbers by name, as in `1.momentum.time`.
    pub fn scalars(&self) -> &BTreeMap<String, Scalar> {
        &self.scalars
    }
}

fn check_name(name: &str) -> Result<(), OptimizerError> {
    match name.split('.').next().map(str::parse::<u64>) {
        Some(Ok(_)) => Ok(()),
        _ => Err(OptimizerError::Name { name: name.to_string() }),
    }
}

/// Values as little-endian bytes.
pub(crate) fn bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// Values from little-endian bytes.
pub(crate) fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}
