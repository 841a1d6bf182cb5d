//! The network that is trained: the policy network, and an auxiliary head that never plays.
//!
//! The auxiliary head is a layer on the last hidden layer of the policy network, which says what every
//! seat gains. The flat parameters begin with those of the policy network, and only these are shared
//! by suit, benchmarked and shipped; the rest follows in the order of [`layout`].

use crate::loss::NetworkOutput;
use crate::policy_net::{PolicyNet, UpperLayers};
use burn::module::Module;
use burn::nn::{Initializer, Linear, LinearConfig};
use burn::tensor::{Device, Tensor};
use newmarket_env::MAX_PLAYERS;
use newmarket_net::{NetConfig, Weights};

/// All of the network but the first layer of the policy network.
#[derive(Module, Debug)]
pub(crate) struct TrainedLayers {
    policy: UpperLayers,
    seat_gains: Option<Linear>,
}

/// The names and shapes of all arrays, in the order of the flat parameters.
pub(crate) fn layout(shape: &NetConfig, seat_gains: bool) -> Vec<(String, Vec<usize>)> {
    let mut arrays = Weights::layout(shape);
    if seat_gains {
        arrays.push(("auxiliary.values.weight".into(), vec![last_hidden(shape), MAX_PLAYERS]));
        arrays.push(("auxiliary.values.bias".into(), vec![MAX_PLAYERS]));
    }
    arrays
}

/// Units of the last hidden layer.
fn last_hidden(shape: &NetConfig) -> usize {
    shape.hidden.last().copied().unwrap_or(0)
}

impl TrainedLayers {
    /// Those of this policy network, with an auxiliary head, which is 0, if that is wanted.
    pub(crate) fn new(policy: &PolicyNet, seat_gains: bool) -> Self {
        let layer = LinearConfig::new(last_hidden(&policy.config()), MAX_PLAYERS);
        let layer = layer.with_initializer(Initializer::Zeros);
        let seat_gains = seat_gains.then(|| layer.init(&Device::flex()));
        Self { policy: policy.above().clone(), seat_gains }
    }

    /// The output for what the first layer sums up to, `[rows, hidden]`.
    pub(crate) fn evaluate(&self, sums: Tensor<2>) -> NetworkOutput {
        let units = self.policy.units(sums);
        let seat_gains = self.seat_gains.as_ref().map(|head| head.forward(units.clone()));
        let (logits, values) = self.policy.heads(units);
        NetworkOutput { logits, values: values.squeeze_dim(1), seat_gains }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::flatten;

    #[test]
    fn the_layout_is_that_of_the_parameters_and_the_policy_comes_first() {
        let shape = NetConfig { inputs: 7, hidden: vec![8, 6], actions: 5 };
        for seat_gains in [false, true] {
            let policy = PolicyNet::init(&shape, 3, &Device::flex());
            let layers = flatten(&TrainedLayers::new(&policy, seat_gains));
            let layout = layout(&shape, seat_gains);
            let count = |arrays: &[(String, Vec<usize>)]| -> usize {
                arrays.iter().map(|(_, shape)| shape.iter().product::<usize>()).sum()
            };
            let (whole, first) = (flatten(&policy), count(&layout[..2]));
            assert_eq!(whole.len(), shape.parameters());
            assert_eq!(first + layers.len(), count(&layout));
            assert_eq!(layers[..whole.len() - first], whole[first..]);
        }
    }

    #[test]
    fn the_auxiliary_head_leaves_the_others_alone() {
        let shape = NetConfig { inputs: 7, hidden: vec![8, 6], actions: 5 };
        let policy = PolicyNet::init(&shape, 3, &Device::flex());
        let sums = || Tensor::<2>::ones([2, 8], &Device::flex());
        let alone = TrainedLayers::new(&policy, false).evaluate(sums());
        let both = TrainedLayers::new(&policy, true).evaluate(sums());
        assert_eq!(alone.logits.into_data(), both.logits.into_data());
        assert_eq!(alone.values.into_data(), both.values.into_data());
        assert_eq!(both.seat_gains.expect("a head").dims(), [2, MAX_PLAYERS]);
    }
}
