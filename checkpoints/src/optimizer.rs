//! An optimizer's state as plain arrays and numbers, to and from burn.
//!
//! burn keeps it in a hash map and packs it in that map's order, so its own bytes may differ
//! between two equal states. Here it is taken apart and put in order: same state, same bytes.

use std::collections::BTreeMap;

use burn::optim::ModuleOptimizer;
use burn_pack::{Bytes, DType, Reader, Tensor, Writer};
use newmarket_agents::net::NamedArray;
use serde::{Deserialize, Serialize};

/// A burn optimizer's state (for Adam: two moments and a step counter for each parameter).
///
/// A name is `<id>.<field>` as in `1.momentum.moment_1`, where the id of a parameter is its
/// position in the weights' fixed order, from 1
/// ([`PolicyNet`](newmarket_agents::net::PolicyNet) gives its parameters these ids).
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

/// Why a state could not be taken from an optimizer or given to one.
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
    /// burn would not pack or unpack it.
    #[error("optimizer: burn cannot read this state: {0}")]
    Burn(String),
    /// The optimizer took only part of it.
    #[error("optimizer: this state is of another kind of optimizer or another network")]
    Other,
}

impl OptimizerState {
    /// The state of an optimizer.
    ///
    /// # Errors
    ///
    /// If burn cannot pack it or holds it in a type other than `f32`.
    pub fn of(optimizer: &ModuleOptimizer) -> Result<Self, OptimizerError> {
        let reader = Reader::from_bytes(optimizer.into_bytes().map_err(burn)?).map_err(burn)?;
        let scalars = reader.scalars().iter().map(|(k, &v)| (k.clone(), v.into())).collect();
        let paths = reader.metadata().clone();
        let mut tensors = reader
            .into_tensors()
            .map_err(burn)?
            .into_iter()
            .map(|tensor| {
                let (name, dtype, shape, _, bytes) = tensor.into_parts().map_err(burn)?;
                if dtype != DType::F32 {
                    return Err(OptimizerError::Type { name, got: format!("{dtype:?}") });
                }
                Ok(NamedArray { name, shape: shape.to_vec(), data: floats(&bytes) })
            })
            .collect::<Result<Vec<_>, _>>()?;
        // burn's reader happens to give them so; the format promises it.
        tensors.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self { tensors, scalars, paths })
    }

    /// `optimizer`, freshly made from the same configuration, with this state.
    ///
    /// # Errors
    ///
    /// If it does not take all of it: burn itself would skip what it does not understand and
    /// silently train on with moments of zero.
    pub fn restore(&self, optimizer: ModuleOptimizer) -> Result<ModuleOptimizer, OptimizerError> {
        let tensors = self
            .tensors
            .iter()
            .map(|array| {
                let id = id_of(&array.name)?;
                let data = Bytes::from_bytes_vec(bytes(&array.data));
                Ok(Tensor::new(array.name.clone(), DType::F32, array.shape.clone(), id, data))
            })
            .collect::<Result<Vec<_>, OptimizerError>>()?;
        let mut writer = Writer::new(tensors);
        for (key, &value) in &self.scalars {
            writer = writer.with_scalar(key, value.into());
        }
        for (key, value) in &self.paths {
            writer = writer.with_metadata(key, value);
        }
        let packed = writer.into_bytes().map_err(burn)?;
        let optimizer = optimizer.from_bytes(packed).map_err(burn)?;
        if Self::of(&optimizer)? == *self { Ok(optimizer) } else { Err(OptimizerError::Other) }
    }

    /// A state from its parts, for an optimizer that is not burn's own; the names as above.
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
            id_of(&array.name)?;
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

fn id_of(name: &str) -> Result<Option<u64>, OptimizerError> {
    let id = name.split('.').next().and_then(|id| id.parse().ok());
    id.map(Some).ok_or_else(|| OptimizerError::Name { name: name.to_string() })
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` passes it so")]
fn burn(error: impl ToString) -> OptimizerError {
    OptimizerError::Burn(error.to_string())
}

/// Values as little-endian bytes.
pub(crate) fn bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// Values from little-endian bytes.
pub(crate) fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

impl From<burn_pack::Scalar> for Scalar {
    fn from(scalar: burn_pack::Scalar) -> Self {
        match scalar {
            burn_pack::Scalar::Int(x) => Self::Int(x),
            burn_pack::Scalar::UInt(x) => Self::Uint(x),
            burn_pack::Scalar::Float(x) => Self::F64Bits(x.to_bits()),
            burn_pack::Scalar::Bool(x) => Self::Bool(x),
        }
    }
}

impl From<Scalar> for burn_pack::Scalar {
    fn from(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Int(x) => Self::Int(x),
            Scalar::Uint(x) => Self::UInt(x),
            Scalar::F64Bits(x) => Self::Float(f64::from_bits(x)),
            Scalar::Bool(x) => Self::Bool(x),
        }
    }
}
