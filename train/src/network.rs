//! The network that is trained: the policy network, and an auxiliary head that never plays.
//!
//! The auxiliary head is a layer on the last hidden layer of the policy network, which says what every
//! seat gains. The flat parameters begin with those of the policy network, and only these are shared
//! by suit, benchmarked and shipped; the rest follows in the order of [`layout`].

use crate::loss::NetworkOutput;
use crate::policy_net::PolicyNet;
use burn::module::Module;
use burn::nn::{Initializer, Linear, LinearConfig};
use burn::tensor::{Device, Tensor};
use newmarket_env::MAX_PLAYERS;
use newmarket_net::{NetConfig, Weights};

/// A network with a policy head and a value head.
pub trait ActorCritic: Module + Sync {
    /// The output for observations `[rows, inputs]`.
    fn evaluate(&self, observations: Tensor<2>) -> NetworkOutput;
}

impl ActorCritic for PolicyNet {
    fn evaluate(&self, observations: Tensor<2>) -> NetworkOutput {
        let (logits, values) = self.forward(observations);
        NetworkOutput { logits, values: values.squeeze_dim(1), seat_gains: None }
    }
}

/// The policy network with its auxiliary head.
#[derive(Module, Debug)]
pub struct TrainingNetwork {
    policy: PolicyNet,
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

impl TrainingNetwork {
    /// This policy network, with an auxiliary head, which is 0, if that is wanted.
    pub fn new(policy: PolicyNet, seat_gains: bool) -> Self {
        let layer = LinearConfig::new(last_hidden(&policy.config()), MAX_PLAYERS);
        let layer = layer.with_initializer(Initializer::Zeros);
        let seat_gains = seat_gains.then(|| layer.init(&Device::flex()));
        Self { policy, seat_gains }
    }
}

impl ActorCritic for TrainingNetwork {
    fn evaluate(&self, observations: Tensor<2>) -> NetworkOutput {
        let units = self.policy.trunk(observations);
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
            let network = TrainingNetwork::new(policy, seat_gains);
            let (flat, layout) = (flatten(&network), layout(&shape, seat_gains));
            let count: usize =
                layout.iter().map(|(_, shape)| shape.iter().product::<usize>()).sum();
            assert_eq!(flat.len(), count);
            let policy = flatten(&network.policy);
            assert_eq!(flat[..policy.len()], policy);
            assert_eq!(policy.len(), shape.parameters());
        }
    }

    #[test]
    fn the_auxiliary_head_leaves_the_others_alone() {
        let shape = NetConfig { inputs: 7, hidden: vec![8, 6], actions: 5 };
        let policy = PolicyNet::init(&shape, 3, &Device::flex());
        let rows = || Tensor::<2>::ones([2, 7], &Device::flex());
        let alone = policy.evaluate(rows());
        let both = TrainingNetwork::new(policy, true).evaluate(rows());
        assert_eq!(alone.logits.into_data(), both.logits.into_data());
        assert_eq!(alone.values.into_data(), both.values.into_data());
        assert_eq!(both.seat_gains.expect("a head").dims(), [2, MAX_PLAYERS]);
    }
}
