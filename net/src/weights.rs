//! The weights of a network as plain arrays.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::config::{NetConfig, NetConfigError};

/// A bound on the entries of an observation.
const MOST_INPUT: f64 = 1e6;
/// The bound that no unit may exceed, so that all units are finite.
const MOST_OUTPUT: f64 = 1e30;

/// A named plain array, row-major.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedArray {
    /// Its name, as in `trunk.0.weight`.
    pub name: String,
    /// Its shape: `[inputs, outputs]` for a weight, `[outputs]` for a bias.
    pub shape: Vec<usize>,
    /// Its values; as many as the product of `shape`.
    pub data: Vec<f32>,
}

/// The weights of a network as plain arrays in a fixed order.
///
/// For each layer of [`NetConfig::layers`]: `<layer>.weight` `[inputs, outputs]`, then
/// `<layer>.bias` `[outputs]`. Always complete, of the right shapes, and finite.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    config: NetConfig,
    arrays: Vec<NamedArray>,
}

/// Why a set of arrays is not the weights of a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// The shape is not valid.
    #[error(transparent)]
    Config(#[from] NetConfigError),
    /// Too few or too many arrays.
    #[error("weights: {got} arrays, this network has {expected}")]
    Count {
        /// Number of arrays given.
        got: usize,
        /// Number of arrays of the configuration.
        expected: usize,
    },
    /// An array of another name stands in this place.
    #[error("weights: array {index} is named `{got}`, must be `{expected}`")]
    Name {
        /// Position in the fixed order.
        index: usize,
        /// The name given.
        got: String,
        /// The expected name.
        expected: String,
    },
    /// An array has another shape.
    #[error("weights: `{name}` has shape {got:?} and {len} values, must be {expected:?}")]
    Shape {
        /// The name of the array.
        name: String,
        /// The shape given.
        got: Vec<usize>,
        /// The number of values given.
        len: usize,
        /// The expected shape.
        expected: Vec<usize>,
    },
    /// A value is not finite.
    #[error("weights: `{name}` holds a value that is not finite at index {index}")]
    NotFinite {
        /// The name of the array.
        name: String,
        /// The position of the value, row-major.
        index: usize,
    },
}

impl Weights {
    /// Fresh weights: orthogonal with the gains that PPO is usually given (√2 in the trunk, 0.01
    /// for the policy head so that the first policy is nearly uniform, 1 for the value head),
    /// biases zero.
    ///
    /// Drawn on one thread from xoshiro256++ and orthogonalised in `f64`, so a seed gives the
    /// same bits on any machine, device and number of threads.
    ///
    /// # Panics
    ///
    /// If `config` is not valid.
    pub fn init(config: &NetConfig, seed: u64) -> Self {
        config.validate().expect("a valid network shape");
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let arrays = config
            .layers()
            .into_iter()
            .flat_map(|layer| {
                let gain = match layer.name.as_str() {
                    "policy" => 0.01,
                    "value" => 1.0,
                    _ => core::f64::consts::SQRT_2,
                };
                let weight = orthogonal(layer.inputs, layer.outputs, gain, &mut rng);
                [
                    NamedArray {
                        name: format!("{}.weight", layer.name),
                        shape: vec![layer.inputs, layer.outputs],
                        data: weight,
                    },
                    NamedArray {
                        name: format!("{}.bias", layer.name),
                        shape: vec![layer.outputs],
                        data: vec![0.0; layer.outputs],
                    },
                ]
            })
            .collect();
        Self { config: config.clone(), arrays }
    }

    /// Weights from arrays that must be exactly those of `config`, in the fixed order.
    ///
    /// # Errors
    ///
    /// The first array whose name, shape or length is not the right one, or that holds a value
    /// that is not finite.
    #[inline]
    pub fn from_arrays(config: &NetConfig, arrays: Vec<NamedArray>) -> Result<Self, WeightsError> {
        config.validate()?;
        let expected = Self::layout(config);
        if arrays.len() != expected.len() {
            return Err(WeightsError::Count { got: arrays.len(), expected: expected.len() });
        }
        for (index, (array, (name, shape))) in arrays.iter().zip(expected).enumerate() {
            if array.name != name {
                return Err(WeightsError::Name { index, got: array.name.clone(), expected: name });
            }
            if array.shape != shape || array.data.len() != shape.iter().product::<usize>() {
                return Err(WeightsError::Shape {
                    name,
                    got: array.shape.clone(),
                    len: array.data.len(),
                    expected: shape,
                });
            }
        }
        for array in &arrays {
            if let Some(index) = array.data.iter().position(|x| !x.is_finite()) {
                return Err(WeightsError::NotFinite { name: array.name.clone(), index });
            }
        }
        Ok(Self { config: config.clone(), arrays })
    }

    /// The names and shapes of the arrays of such a network, in the fixed order.
    #[inline]
    pub fn layout(config: &NetConfig) -> Vec<(String, Vec<usize>)> {
        config
            .layers()
            .into_iter()
            .flat_map(|l| {
                [
                    (format!("{}.weight", l.name), vec![l.inputs, l.outputs]),
                    (format!("{}.bias", l.name), vec![l.outputs]),
                ]
            })
            .collect()
    }

    /// Whether every output is finite for any observation, even after a division by a temperature; else no
    /// action could be drawn. This is checked by a bound: in each layer the largest sum of the absolute
    /// weights of a unit, times the bound of the layer before.
    pub fn have_finite_outputs(&self) -> bool {
        let mut below = MOST_INPUT;
        for (layer, [weight, bias]) in self.arrays.as_chunks::<2>().0.iter().enumerate() {
            let mut sums: Vec<f64> = bias.data.iter().map(|&b| f64::from(b).abs()).collect();
            for row in weight.data.chunks_exact(sums.len()) {
                for (sum, &w) in sums.iter_mut().zip(row) {
                    *sum += f64::from(w).abs() * below;
                }
            }
            let most = sums.into_iter().fold(0.0, f64::max);
            if most > MOST_OUTPUT {
                return false;
            }
            // The two heads read the last layer of the trunk.
            if layer < self.config.hidden.len() {
                below = most;
            }
        }
        true
    }

    /// The shape of the network.
    pub fn config(&self) -> &NetConfig {
        &self.config
    }

    /// The arrays in their fixed order.
    pub fn arrays(&self) -> &[NamedArray] {
        &self.arrays
    }
}

/// A random `[rows, cols]` matrix times `gain`, row-major, whose columns (or rows, if there are fewer)
/// are orthonormal, uniform among all such matrices: Gram–Schmidt, twice, on normal draws.
fn orthogonal(rows: usize, cols: usize, gain: f64, rng: &mut Xoshiro256PlusPlus) -> Vec<f32> {
    let (count, length) = (rows.min(cols), rows.max(cols));
    let mut basis: Vec<Vec<f64>> = Vec::with_capacity(count);
    while basis.len() < count {
        let mut v: Vec<f64> = (0..length).map(|_| normal(rng)).collect();
        for _ in 0..2 {
            for b in &basis {
                let along = dot(&v, b);
                for (x, y) in v.iter_mut().zip(b) {
                    *x -= along * y;
                }
            }
        }
        let norm = libm::sqrt(dot(&v, &v));
        // A draw within the span of the others would be mostly rounding error; its probability is 0.
        if norm > 1e-6 {
            for x in &mut v {
                *x /= norm;
            }
            basis.push(v);
        }
    }
    let entry = |r: usize, c: usize| if rows >= cols { basis[c][r] } else { basis[r][c] };
    (0..rows * cols).map(|k| (gain * entry(k / cols, k % cols)) as f32).collect()
}

/// In fixed order of summation, so that it is the same on every machine.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// A standard normal draw (Box–Muller), from `libm` for the same bits on every machine.
fn normal(rng: &mut Xoshiro256PlusPlus) -> f64 {
    let unit = |bits: u64| (bits >> 11) as f64 * (1.0 / (1u64 << 53) as f64); // [0, 1)
    let radius = libm::sqrt(-2.0 * libm::log(1.0 - unit(rng.next_u64())));
    radius * libm::cos(core::f64::consts::TAU * unit(rng.next_u64()))
}
