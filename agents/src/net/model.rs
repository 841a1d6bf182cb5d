//! The network as burn sees it, and its weights as plain arrays.

use burn::module::{Module, Param, ParamId};
use burn::nn::Linear;
use burn::tensor::{Device, Tensor, TensorData, activation::relu};
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::config::{NetConfig, NetConfigError};

/// The trainable network: a shared trunk, a policy head, a value head.
///
/// The trunk's activation is the rectifier (relu) rather than the tanh that is common in PPO: it needs no
/// transcendental function, so plain Rust gives the same bits on every machine; about half of the
/// hidden units are zero, which [`FastNet`](super::FastNet) skips; and nothing here is bounded the
/// way joint angles are, so there is no use for saturation.
///
/// Parameter ids are positions in [`Weights`] (1, 2, …), not random numbers as burn's own: the
/// optimizer's state is keyed by them, so a state saved beside one instance fits any other.
#[derive(Module, Debug)]
pub struct PolicyNet {
    trunk: Vec<Linear>,
    policy: Linear,
    value: Linear,
}

impl PolicyNet {
    /// A fresh network on `device`; see [`Weights::init`].
    ///
    /// # Panics
    ///
    /// If `config` is not valid.
    pub fn init(config: &NetConfig, seed: u64, device: &Device) -> Self {
        Self::from_weights(&Weights::init(config, seed), device)
    }

    /// The network that has these weights, on `device` (`Device::flex().autodiff()` to train it).
    pub fn from_weights(weights: &Weights, device: &Device) -> Self {
        let depth = weights.config.hidden.len();
        let layer = |k: usize| {
            let id = 2 * k as u64 + 1;
            linear(&weights.arrays[2 * k], &weights.arrays[2 * k + 1], id, device)
        };
        Self {
            trunk: (0..depth).map(layer).collect(),
            policy: layer(depth),
            value: layer(depth + 1),
        }
    }

    /// `obs` `[batch, inputs]` → (logits `[batch, actions]`, value `[batch, 1]`).
    ///
    /// Logits are not masked: add −1e9 where an action is illegal (−∞ gives NaN in an entropy).
    pub fn forward(&self, obs: Tensor<2>) -> (Tensor<2>, Tensor<2>) {
        self.heads(self.trunk(obs))
    }

    /// `obs` `[batch, inputs]` → the units of the last hidden layer `[batch, hidden]`.
    pub fn trunk(&self, obs: Tensor<2>) -> Tensor<2> {
        let mut x = obs; // [batch, inputs]
        for layer in &self.trunk {
            x = relu(layer.forward(x)); // [batch, hidden]
        }
        x
    }

    /// What the heads make of these units: [`PolicyNet::forward`] after [`PolicyNet::trunk`].
    pub fn heads(&self, units: Tensor<2>) -> (Tensor<2>, Tensor<2>) {
        (self.policy.forward(units.clone()), self.value.forward(units))
    }

    /// The shape of this network.
    pub fn config(&self) -> NetConfig {
        let dims = |layer: &Linear| layer.weight.shape().dims::<2>();
        NetConfig {
            inputs: dims(&self.trunk[0])[0],
            hidden: self.trunk.iter().map(|layer| dims(layer)[1]).collect(),
            actions: dims(&self.policy)[1],
        }
    }

    /// Its weights as plain arrays (a copy; waits for the device).
    #[expect(clippy::missing_panics_doc, reason = "every layer is built with a bias, of f32")]
    pub fn weights(&self) -> Weights {
        let config = self.config();
        let mut arrays = Vec::with_capacity(2 * self.trunk.len() + 4);
        let layers = self.trunk.iter().chain([&self.policy, &self.value]);
        for (layer, shape) in layers.zip(config.layers()) {
            let bias = layer.bias.as_ref().expect("every layer has a bias");
            arrays.push(NamedArray {
                name: format!("{}.weight", shape.name),
                shape: vec![shape.inputs, shape.outputs],
                data: floats(layer.weight.val().into_data()),
            });
            arrays.push(NamedArray {
                name: format!("{}.bias", shape.name),
                shape: vec![shape.outputs],
                data: floats(bias.val().into_data()),
            });
        }
        Weights { config, arrays }
    }
}

fn linear(weight: &NamedArray, bias: &NamedArray, id: u64, device: &Device) -> Linear {
    let data = |array: &NamedArray| TensorData::new(array.data.clone(), array.shape.clone());
    let mut weight = Param::<Tensor<2>>::from_data(data(weight), device);
    let mut bias = Param::<Tensor<1>>::from_data(data(bias), device);
    weight.id = ParamId::from(id);
    bias.id = ParamId::from(id + 1);
    Linear { weight, bias: Some(bias) }
}

fn floats(data: TensorData) -> Vec<f32> {
    data.try_into_vec::<f32>().expect("parameters are f32")
}

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

/// The numbers of a network as plain arrays in a fixed order.
///
/// For each layer of [`NetConfig::layers`]: `<layer>.weight` `[inputs, outputs]`, then
/// `<layer>.bias` `[outputs]`. Always complete, always of the right shapes.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    config: NetConfig,
    arrays: Vec<NamedArray>,
}

/// Why a set of arrays is not the weights of a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// The shape itself is not one.
    #[error(transparent)]
    Config(#[from] NetConfigError),
    /// Too few or too many arrays.
    #[error("weights: {got} arrays, this network has {expected}")]
    Count {
        /// How many were given.
        got: usize,
        /// How many there must be.
        expected: usize,
    },
    /// An array of another name stands in this place.
    #[error("weights: array {index} is named `{got}`, must be `{expected}`")]
    Name {
        /// Position in the fixed order.
        index: usize,
        /// The name given.
        got: String,
        /// The name there must be.
        expected: String,
    },
    /// An array has another shape.
    #[error("weights: `{name}` has shape {got:?} and {len} values, must be {expected:?}")]
    Shape {
        /// Which array.
        name: String,
        /// The shape given.
        got: Vec<usize>,
        /// The number of values given.
        len: usize,
        /// The shape there must be.
        expected: Vec<usize>,
    },
    /// A value is not finite.
    #[error("weights: `{name}` holds a value that is not finite at index {index}")]
    NotFinite {
        /// Which array.
        name: String,
        /// Which value of it.
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
                    _ => std::f64::consts::SQRT_2,
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
        let weights = Self { config: config.clone(), arrays };
        weights.check_finite()?;
        Ok(weights)
    }

    /// Whether every value is a finite number; training that has gone astray leaves others.
    ///
    /// # Errors
    ///
    /// The first value that is not.
    pub fn check_finite(&self) -> Result<(), WeightsError> {
        for array in &self.arrays {
            if let Some(index) = array.data.iter().position(|x| !x.is_finite()) {
                return Err(WeightsError::NotFinite { name: array.name.clone(), index });
            }
        }
        Ok(())
    }

    /// The names and shapes of the arrays of such a network, in the fixed order.
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

    /// The shape of the network that these weights are of.
    pub fn config(&self) -> &NetConfig {
        &self.config
    }

    /// The arrays in their fixed order.
    pub fn arrays(&self) -> &[NamedArray] {
        &self.arrays
    }
}

/// A random `[rows, cols]` matrix times `gain`, row-major, whose columns (or rows, where there are
/// fewer) are orthonormal, uniform among all such matrices: Gram–Schmidt, twice, on normal draws.
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
        let norm = dot(&v, &v).sqrt();
        // A draw within the span of the others would be mostly rounding; its chance is nil.
        if norm > 1e-6 {
            for x in &mut v {
                *x /= norm;
            }
            basis.push(v);
        }
    }
    let at = |r: usize, c: usize| if rows >= cols { basis[c][r] } else { basis[r][c] };
    (0..rows * cols).map(|k| (gain * at(k / cols, k % cols)) as f32).collect()
}

/// In fixed order of summation, so that it is the same on every machine.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// A standard normal draw (Box–Muller), from `libm` for the same bits on every machine.
fn normal(rng: &mut Xoshiro256PlusPlus) -> f64 {
    let unit = |bits: u64| (bits >> 11) as f64 * (1.0 / (1u64 << 53) as f64); // [0, 1)
    let radius = (-2.0 * libm::log(1.0 - unit(rng.next_u64()))).sqrt();
    radius * libm::cos(std::f64::consts::TAU * unit(rng.next_u64()))
}
