//! An optimizer's state as plain arrays and numbers in a fixed order.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use newmarket_net::{NamedArray, NetConfig, Weights};
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
    /// The bits of a floating-point number: JSON may not keep all bits of a float.
    F64Bits(u64),
    /// A boolean.
    Bool(bool),
}

/// Why arrays are not the state of an optimizer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptimizerError {
    /// A tensor of some type other than `f32`.
    #[error("optimizer: `{name}` is {got}, must be f32")]
    Type {
        /// The name of the tensor.
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
    /// An array that no parameter of the network has.
    #[error("optimizer: unknown tensor `{name}`, must be of a parameter and one of {}", FIELDS.join(", "))]
    Unknown {
        /// Its name.
        name: String,
    },
    /// An array with another shape than its parameter.
    #[error("optimizer: `{name}` has shape {got:?}, must be {expected:?}")]
    Shape {
        /// Its name.
        name: String,
        /// The shape given.
        got: Vec<usize>,
        /// The shape of the parameter.
        expected: Vec<usize>,
    },
    /// A value that training cannot continue from.
    #[error("optimizer: `{name}` holds {value} at index {index}, must be {needed}")]
    Value {
        /// The name of the array.
        name: String,
        /// The position of the value, row-major.
        index: usize,
        /// The value, as text.
        value: String,
        /// The values that are allowed.
        needed: &'static str,
    },
}

/// The fields of a parameter in the optimizer's state.
const FIELDS: [&str; 4] = ["average", "iterate", MEAN, SQUARES];
const MEAN: &str = "momentum.moment_1";
const SQUARES: &str = "momentum.moment_2";

impl OptimizerState {
    /// A state from its parts. Tensors have the names above.
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

    /// Checks that training of this network can continue from this state.
    pub(crate) fn check(&self, net: &NetConfig) -> Result<(), OptimizerError> {
        let layout = Weights::layout(net);
        for NamedArray { name, shape, data } in &self.tensors {
            check_name(name)?;
            let unknown = || OptimizerError::Unknown { name: name.clone() };
            let (id, field) = name.split_once('.').ok_or_else(unknown)?;
            if !FIELDS.contains(&field) {
                return Err(unknown());
            }
            let place = id.parse().ok().and_then(|id: usize| id.checked_sub(1));
            match place.and_then(|place| layout.get(place)) {
                Some((_, expected)) if shape != expected => {
                    let (name, got) = (name.clone(), shape.clone());
                    return Err(OptimizerError::Shape { name, got, expected: expected.clone() });
                }
                Some(_) => {}
                None => return Err(unknown()),
            }
            let (least, needed) =
                if field == SQUARES { (0.0, "finite and 0 or more") } else { (f32::MIN, "finite") };
            if let Some(index) = data.iter().position(|x| !(x.is_finite() && *x >= least)) {
                let (name, value) = (name.clone(), data[index].to_string());
                return Err(OptimizerError::Value { name, index, value, needed });
            }
        }
        Ok(())
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
