//! A network's parameters as one flat row of numbers, and back.
//!
//! The learner keeps weights, gradients and the optimizer's moments as plain vectors in module order.
//! So the global norm is a sum over one slice, shards are added in a fixed order, and a checkpoint is a
//! few vectors. Every worker builds a network of its own: burn keeps networks that share parameters in one
//! graph behind one lock, and their backward passes would wait for each other.

use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::{Device, Gradients, Tensor, TensorData};
use newmarket_net::{NamedArray, NetConfig, Weights, WeightsError};

/// All parameters of a network, in module order. `[count]`
pub(crate) fn flatten<M: Module>(net: &M) -> Vec<f32> {
    struct Reader(Vec<f32>);
    impl ModuleVisitor for Reader {
        fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
            append(&mut self.0, param.val());
        }
    }
    let mut reader = Reader(Vec::new());
    net.visit(&mut reader);
    reader.0
}

/// The same network on `device` with the parameters of `flat`, each a fresh leaf: its gradients
/// are kept if the device has autodiff.
///
/// # Panics
///
/// If `flat` does not have as many numbers as the network has parameters.
#[must_use]
pub(crate) fn with_parameters<M: Module>(net: M, flat: &[f32], device: &Device) -> M {
    struct Writer<'a> {
        left: &'a [f32],
        device: &'a Device,
    }
    impl ModuleMapper for Writer<'_> {
        fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
            let (id, old, mapper) = param.consume();
            let shape = old.shape();
            let (mine, left) = self.left.split_at(shape.num_elements());
            self.left = left;
            let new = Tensor::from_data(TensorData::new(mine.to_vec(), shape), self.device);
            let new = if new.is_autodiff() { new.require_grad() } else { new };
            Param::from_mapped_value(id, new, mapper)
        }
    }
    let mut writer = Writer { left: flat, device };
    let net = net.map(&mut writer);
    assert!(writer.left.is_empty(), "{} numbers too many for the network", writer.left.len());
    net
}

/// The gradients of all parameters, in module order; 0 where the loss does not depend on a parameter.
/// `[count]`
pub(crate) fn gradients<M: Module>(net: &M, gradients: &mut Gradients) -> Vec<f32> {
    struct Reader<'a> {
        gradients: &'a mut Gradients,
        out: Vec<f32>,
    }
    impl ModuleVisitor for Reader<'_> {
        fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
            match param.val().grad_remove(self.gradients) {
                Some(gradient) => append(&mut self.out, gradient),
                None => self.out.extend(std::iter::repeat_n(0.0, param.shape().num_elements())),
            }
        }
    }
    let mut reader = Reader { gradients, out: Vec::new() };
    net.visit(&mut reader);
    reader.out
}

/// The weights of a policy network, as checkpoints and plain inference use them, from flat
/// parameters.
///
/// # Errors
///
/// If a number is not finite.
///
/// # Panics
///
/// If `flat` does not have as many numbers as such a network has parameters.
pub(crate) fn weights(config: &NetConfig, flat: &[f32]) -> Result<Weights, WeightsError> {
    let mut left = flat;
    let arrays = Weights::layout(config)
        .into_iter()
        .map(|(name, shape)| {
            let (mine, rest) = left.split_at(shape.iter().product());
            left = rest;
            NamedArray { name, shape, data: mine.to_vec() }
        })
        .collect();
    assert!(left.is_empty(), "{} numbers too many for the network", left.len());
    Weights::from_arrays(config, arrays)
}

/// The flat parameters of plain weights; the inverse of [`weights`].
pub(crate) fn from_weights(weights: &Weights) -> Vec<f32> {
    weights.arrays().iter().flat_map(|array| array.data.iter().copied()).collect()
}

/// Appends a tensor's numbers in row order.
pub(crate) fn append<const D: usize>(out: &mut Vec<f32>, tensor: Tensor<D>) {
    let data = tensor.into_data();
    match data.as_slice::<f32>() {
        Ok(numbers) => out.extend_from_slice(numbers),
        // Another backend may have another float type.
        Err(_) => out.extend(data.iter::<f32>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy_net::PolicyNet;
    use burn::nn::{Linear, LinearConfig};

    #[derive(Module, Debug)]
    struct Two {
        first: Linear,
        second: Linear,
    }

    fn net(device: &Device) -> Two {
        Two {
            first: LinearConfig::new(3, 2).init(device),
            second: LinearConfig::new(2, 1).init(device),
        }
    }

    #[test]
    fn there_and_back_changes_nothing() {
        let device = Device::flex();
        let net = net(&device);
        let flat: Vec<f32> = (0..11).map(|i| i as f32).collect();
        assert_eq!(flatten(&net).len(), flat.len());
        let net = with_parameters(net, &flat, &device);
        assert_eq!(flatten(&net), flat);
        // [in, out] in row order: input 2 to output 1 is number 5.
        let first = net.first.weight.val().into_data();
        assert_eq!(first.as_slice::<f32>().ok(), Some(&flat[..6]));
    }

    #[test]
    fn gradients_stand_where_their_parameters_do() {
        let device = Device::flex().autodiff();
        let flat = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.1, 0.2, 10.0, 20.0, 0.0];
        let net = with_parameters(net(&device), &flat, &device);
        let x = Tensor::<2>::from_floats([[1.0, 0.0, -1.0]], &device);
        let loss = net.second.forward(net.first.forward(x)).sum();
        let got = gradients(&net, &mut loss.backward());
        // d/dW1[i][j] = x[i] · w2[j]; d/db1[j] = w2[j]; d/dw2[j] = h[j]; d/db2 = 1.
        let expected = [10.0, 20.0, 0.0, 0.0, -10.0, -20.0, 10.0, 20.0, -3.9, -3.8, 1.0];
        for (g, e) in got.iter().zip(expected) {
            assert!((g - e).abs() < 1e-5, "{got:?}");
        }
    }

    #[test]
    fn flat_parameters_and_plain_weights_are_the_same_numbers_in_the_same_order() {
        let config = NetConfig { inputs: 5, hidden: vec![4, 3], actions: 6 };
        let plain = Weights::init(&config, 3);
        let net = PolicyNet::from_weights(&plain, &Device::flex());
        assert_eq!(flatten(&net), from_weights(&plain));
        assert_eq!(weights(&config, &flatten(&net)).expect("finite"), plain);
    }

    #[test]
    fn a_parameter_that_the_loss_ignores_has_gradient_zero() {
        let device = Device::flex().autodiff();
        let net = with_parameters(net(&device), &[1.0; 11], &device);
        let loss = net.first.forward(Tensor::<2>::ones([1, 3], &device)).sum();
        assert_eq!(gradients(&net, &mut loss.backward())[8..], [0.0; 3]);
    }
}
