//! The policy network with what is learnt beside it and never plays.
//!
//! - A *critic*: a network of its own that sees all hands, and says what a decision is worth.
//! - *Auxiliary heads*: a layer each from the last hidden layer of the policy network, for targets
//!   that make its units say more about the hidden cards.
//!
//! The flat parameters begin with those of the policy network; the rest follows in the order of
//! [`layout`]. What is tied, measured and shipped is the beginning alone.

use crate::config::{Auxiliary, Config};
use crate::hidden::PLANES;
use crate::learner::ActorCritic;
use crate::loss::Answers;
use crate::policy_net::PolicyNet;
use burn::module::Module;
use burn::nn::{Initializer, Linear, LinearConfig};
use burn::tensor::{Device, Tensor};
use newmarket_env::{Action, MAX_PLAYERS, Observation};
use newmarket_net::{NetConfig, Weights};

/// The policy network and its company.
#[derive(Module, Debug)]
pub struct Heads {
    policy: PolicyNet,
    cards: Option<Linear>,
    values: Option<Linear>,
    critic: Option<PolicyNet>,
}

/// The policy network of a configuration.
pub fn shape(config: &Config) -> NetConfig {
    let hidden = config.network.hidden.clone();
    NetConfig { inputs: Observation::LEN, hidden, actions: Action::COUNT }
}

/// The critic of a configuration, if it has one: an observation and who holds what go in, and of
/// what comes out only the value is asked for.
pub fn critic(config: &Config) -> Option<NetConfig> {
    let hidden = config.network.critic.clone();
    let inputs = Observation::LEN + PLANES;
    (!hidden.is_empty()).then_some(NetConfig { inputs, hidden, actions: 1 })
}

/// The names and shapes of all arrays, in the order of the flat parameters.
pub fn layout(config: &Config) -> Vec<(String, Vec<usize>)> {
    let shape = shape(config);
    let units = shape.hidden.last().copied().unwrap_or(0);
    let mut arrays = Weights::layout(&shape);
    for kind in Auxiliary::ALL.into_iter().filter(|kind| config.network.auxiliary.contains(kind)) {
        let (name, outputs) = (kind.name(), kind.outputs());
        arrays.push((format!("auxiliary.{name}.weight"), vec![units, outputs]));
        arrays.push((format!("auxiliary.{name}.bias"), vec![outputs]));
    }
    let critic = critic(config).map(|shape| Weights::layout(&shape)).unwrap_or_default();
    arrays.extend(critic.into_iter().map(|(name, shape)| (format!("critic.{name}"), shape)));
    arrays
}

impl Auxiliary {
    /// Numbers that its head says.
    fn outputs(self) -> usize {
        match self {
            Self::Cards => PLANES,
            Self::Values => MAX_PLAYERS,
        }
    }
}

impl Heads {
    /// This policy network with the heads and the critic of a configuration. The heads are 0: every
    /// place of a card is as likely as any other.
    pub fn new(policy: PolicyNet, config: &Config) -> Self {
        // Another seed than that of the policy network.
        let critic =
            critic(config).map(|shape| PolicyNet::init(&shape, !config.seed, &Device::flex()));
        Self::with(policy, &config.network.auxiliary, critic)
    }

    /// This policy network with these heads and this critic.
    pub(crate) fn with(
        policy: PolicyNet,
        auxiliary: &[Auxiliary],
        critic: Option<PolicyNet>,
    ) -> Self {
        let units = policy.config().hidden.last().copied().unwrap_or(0);
        let head = |kind: Auxiliary| {
            let layer = LinearConfig::new(units, kind.outputs());
            let layer = layer.with_initializer(Initializer::Zeros);
            auxiliary.contains(&kind).then(|| layer.init(&Device::flex()))
        };
        Self { cards: head(Auxiliary::Cards), values: head(Auxiliary::Values), policy, critic }
    }
}

impl ActorCritic for Heads {
    fn evaluate(&self, observations: Tensor<2>, planes: Option<Tensor<2>>) -> Answers {
        let units = self.policy.trunk(observations.clone());
        let say = |head: &Option<Linear>| head.as_ref().map(|head| head.forward(units.clone()));
        let (cards, gains) = (say(&self.cards), say(&self.values));
        let critic = self.critic.as_ref().zip(planes).map(|(critic, planes)| {
            critic.forward(Tensor::cat(vec![observations, planes], 1)).1.squeeze_dim(1)
        });
        let (logits, values) = self.policy.heads(units);
        Answers { logits, values: values.squeeze_dim(1), critic, cards, gains }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::flatten;
    use burn::tensor::TensorData;

    fn config() -> Config {
        let mut config = Config::preset("quick").expect("quick");
        config.network.hidden = vec![8, 6];
        config.network.critic = vec![5];
        config.network.auxiliary = vec![Auxiliary::Values, Auxiliary::Cards];
        config
    }

    fn heads(config: &Config) -> Heads {
        Heads::new(PolicyNet::init(&shape(config), 3, &Device::flex()), config)
    }

    #[test]
    fn the_layout_is_that_of_the_parameters_and_the_policy_comes_first() {
        let mut config = config();
        for (critic, auxiliary) in [(vec![5], 2), (vec![], 1), (vec![7, 3], 0), (vec![], 0)] {
            config.network.critic = critic;
            config.network.auxiliary.truncate(auxiliary);
            let (heads, layout) = (heads(&config), layout(&config));
            let flat = flatten(&heads);
            let count: usize =
                layout.iter().map(|(_, shape)| shape.iter().product::<usize>()).sum();
            assert_eq!(flat.len(), count);
            let policy = flatten(&heads.policy);
            assert_eq!(flat[..policy.len()], policy);
            assert_eq!(policy.len(), shape(&config).parameters());
            if let Some(critic) = &heads.critic {
                let critic = flatten(critic);
                assert_eq!(flat[flat.len() - critic.len()..], critic);
            }
        }
    }

    #[test]
    fn who_holds_what_changes_the_critics_mind_alone() {
        let heads = heads(&config());
        let device = Device::flex();
        let noise = |width: usize, pitch: f32| {
            let numbers: Vec<f32> = (0..4 * width).map(|i| (i as f32 * pitch).sin()).collect();
            Tensor::<2>::from_data(TensorData::new(numbers, [4, width]), &device)
        };
        let [one, other] = [0.7, 0.9].map(|pitch| {
            let (observations, planes) = (noise(Observation::LEN, 0.3), noise(PLANES, pitch));
            let answers = heads.evaluate(observations, Some(planes));
            let wide = [Some(answers.logits), answers.cards, answers.gains].map(Option::unwrap);
            let wide = Tensor::cat(wide.to_vec(), 1).into_data();
            (wide, answers.values.into_data(), answers.critic.expect("a critic").into_data())
        });
        assert!(one.0 == other.0 && one.1 == other.1);
        assert!(one.2 != other.2);
    }
}
