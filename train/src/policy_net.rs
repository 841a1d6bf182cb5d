//! The policy network as a burn module.

use burn::module::{Module, Param};
use burn::nn::Linear;
use burn::tensor::{Device, Tensor, TensorData, activation::relu};
use newmarket_net::{NamedArray, NetConfig, Weights};

/// The trainable network: a shared trunk, a policy head, a value head.
///
/// The trunk's activation is relu, not the tanh that is common in PPO. relu needs no transcendental
/// function, so plain Rust gives the same bits on every machine. About half of the hidden units are zero,
/// and [`FastNet`](newmarket_net::FastNet) skips them.
#[derive(Module, Debug)]
pub struct PolicyNet {
    first: Linear,
    above: UpperLayers,
}

/// The network without its first layer. The learner computes the first layer from the inputs that are not
/// zero.
#[derive(Module, Debug)]
pub(crate) struct UpperLayers {
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
        let (depth, arrays) = (weights.config().hidden.len(), weights.arrays());
        let layer = |k: usize| linear(&arrays[2 * k], &arrays[2 * k + 1], device);
        let trunk = (1..depth).map(layer).collect();
        let above = UpperLayers { trunk, policy: layer(depth), value: layer(depth + 1) };
        Self { first: layer(0), above }
    }

    /// `obs` `[batch, inputs]` → (logits `[batch, actions]`, value `[batch, 1]`).
    ///
    /// Logits are not masked. Add −1e9 where an action is illegal; −∞ would make an entropy NaN.
    pub fn forward(&self, obs: Tensor<2>) -> (Tensor<2>, Tensor<2>) {
        self.above.heads(self.above.units(affine(&self.first, obs)))
    }

    /// The network without its first layer.
    pub(crate) fn above(&self) -> &UpperLayers {
        &self.above
    }

    /// The shape of this network.
    pub fn config(&self) -> NetConfig {
        let dims = |layer: &Linear| layer.weight.shape().dims::<2>();
        let hidden = std::iter::once(&self.first).chain(&self.above.trunk);
        NetConfig {
            inputs: dims(&self.first)[0],
            hidden: hidden.map(|layer| dims(layer)[1]).collect(),
            actions: dims(&self.above.policy)[1],
        }
    }
}

impl UpperLayers {
    /// The sums of the first layer `[batch, hidden]` → the units of the last hidden layer
    /// `[batch, hidden]`.
    pub(crate) fn units(&self, sums: Tensor<2>) -> Tensor<2> {
        self.trunk.iter().fold(relu(sums), |units, layer| relu(affine(layer, units)))
    }

    /// Units of the last hidden layer → logits `[batch, actions]`, values `[batch, 1]`.
    pub(crate) fn heads(&self, units: Tensor<2>) -> (Tensor<2>, Tensor<2>) {
        (affine(&self.policy, units.clone()), affine(&self.value, units))
    }
}

/// [`Linear::forward`], bit for bit: `x` `[batch, in]` → `[batch, out]`. burn's sum of a matrix and a row
/// is not vectorised in this build; the sum of two matrices is.
fn affine(layer: &Linear, x: Tensor<2>) -> Tensor<2> {
    let [batch, _] = x.dims();
    let product = x.matmul(layer.weight.val());
    match &layer.bias {
        Some(bias) => product + bias.val().unsqueeze::<2>().repeat_dim(0, batch),
        None => product,
    }
}

fn linear(weight: &NamedArray, bias: &NamedArray, device: &Device) -> Linear {
    let data = |array: &NamedArray| TensorData::new(array.data.clone(), array.shape.clone());
    Linear {
        weight: Param::<Tensor<2>>::from_data(data(weight), device),
        bias: Some(Param::<Tensor<1>>::from_data(data(bias), device)),
    }
}

#[cfg(test)]
mod tests {
    use newmarket_net::FastNet;

    use super::*;
    use crate::params::flatten;

    /// `rows` observations of which about one value in eight is not zero.
    fn observations(rows: usize, inputs: usize) -> Vec<f32> {
        let number = |i: usize| if i % 8 == 3 { (i as f32 * 0.7).sin() } else { 0.0 };
        (0..rows * inputs).map(number).collect()
    }

    /// Weights with large policy logits and biases that are not zero, as after training.
    fn trained(config: &NetConfig) -> Weights {
        let mut arrays = Weights::init(config, 3).arrays().to_vec();
        for array in &mut arrays {
            for (i, x) in array.data.iter_mut().enumerate() {
                match array.name.as_str() {
                    "policy.weight" => *x *= 100.0,
                    name if name.ends_with("bias") => *x = 0.1 * (i as f32).cos(),
                    _ => {}
                }
            }
        }
        Weights::from_arrays(config, arrays).expect("arrays of the right shapes")
    }

    #[test]
    fn plain_inference_equals_burn() {
        for (hidden, rows) in
            [(vec![64, 40], 1), (vec![64, 40], 33), (vec![7], 5), (vec![9; 4], 16)]
        {
            let config = NetConfig { inputs: 97, hidden, actions: 74 };
            let weights = trained(&config);
            let obs = observations(rows, config.inputs);
            let device = Device::flex();
            let data = TensorData::new(obs.clone(), [rows, config.inputs]);
            let (logits, values) = PolicyNet::from_weights(&weights, &device)
                .forward(Tensor::<2>::from_data(data, &device));
            let floats = |tensor: Tensor<2>| tensor.into_data().try_into_vec::<f32>().expect("f32");
            let (logits, values) = (floats(logits), floats(values));
            assert!(logits.iter().any(|x| x.abs() > 0.1), "there must be something to compare");

            let net = FastNet::new(&weights);
            let rows: Vec<&[f32]> = obs.chunks(config.inputs).collect();
            net.forward_each(&rows, &mut net.scratch(), |row, fast, value| {
                let expected = &logits[row * config.actions..];
                assert!((value - values[row]).abs() <= 1e-5);
                for (x, y) in fast.iter().zip(expected) {
                    assert!((x - y).abs() <= 1e-5, "row {row}: {x} against {y}");
                }
            });
        }
    }

    #[test]
    fn the_modules_parameters_are_the_weights_in_their_order() {
        let config = NetConfig { inputs: 12, hidden: vec![9, 5], actions: 7 };
        let weights = trained(&config);
        let flat: Vec<f32> = weights.arrays().iter().flat_map(|array| array.data.clone()).collect();
        for device in [Device::flex(), Device::flex().autodiff()] {
            let net = PolicyNet::from_weights(&weights, &device);
            assert_eq!(net.config(), config);
            assert_eq!(flatten(&net), flat);
        }
    }
}
