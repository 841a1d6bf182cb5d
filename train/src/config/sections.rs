//! The sections of a configuration, but for its phases and tables.

use super::digits;
use super::phases::TrainingPhase;
use super::tables::TableMix;
use crate::equivariance::Symmetry;
use crate::schedule::Schedule;
use newmarket_env::{Action, Observation};
use newmarket_net::NetConfig;
use serde::{Deserialize, Serialize};

/// Everything that a run is a function of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The root of all randomness: deals, exploration, initial weights, the order of minibatches.
    #[serde(with = "digits")]
    pub seed: u64,
    /// How long the run is, and what it leaves behind.
    pub run: RunConfig,
    /// The policy network.
    pub network: NetworkConfig,
    /// How much is played for one update.
    pub rollout: RolloutConfig,
    /// How an update changes the weights, whatever the phase.
    pub learner: LearnerConfig,
    /// Who else sits at the tables.
    pub opponents: OpponentsConfig,
    /// What is learnt at which progress, in order: estimators of targets, and objectives.
    pub phases: Vec<TrainingPhase>,
    /// Which games are played, each with its share.
    pub tables: Vec<TableMix>,
}

/// How long a run is, and what it leaves behind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunConfig {
    /// Planned updates. Phases and schedules run over this number, so that a run can be repeated. 0:
    /// as many as fit into `minutes`, which the first updates tell; the number is then written here.
    #[serde(with = "digits")]
    pub updates: u64,
    /// How long the run is to be where `updates` is 0; phases end at their shares of it.
    pub minutes: f64,
    /// A checkpoint every so many updates (there is always one at the end and after Ctrl-C).
    #[serde(with = "digits")]
    pub checkpoint_every: u64,
    /// How many of the latest checkpoints are kept besides the best; 0: all.
    pub keep: usize,
    /// The policy is benchmarked every so many updates, and at the end; 0: never.
    #[serde(with = "digits")]
    pub benchmark_every: u64,
    /// Deals of one benchmark against each opponent, rotations of seats counted once.
    #[serde(with = "digits")]
    pub benchmark_deals: u64,
    /// Agents at whose tables the policy is benchmarked, by name.
    pub benchmark_opponents: Vec<String>,
    /// Benchmarks and checkpoints have an exponential moving average of the weights with this decay
    /// an update (0: the latest weights; 0.99: about the last hundred updates).
    pub ema_decay: f64,
}

/// The policy network: a shared trunk with a policy head and a value head.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkConfig {
    /// Units of the hidden layers, from the input on.
    pub hidden: Vec<usize>,
    /// Which permutations of suits permute the network's output alike.
    pub symmetry: Symmetry,
    /// A checkpoint, or a run folder, with the initial weights; empty: random ones. Its value head
    /// is not taken over.
    pub start: String,
}

impl NetworkConfig {
    /// Inputs, hidden layers and outputs of the policy network.
    pub fn shape(&self) -> NetConfig {
        let hidden = self.hidden.clone();
        NetConfig { inputs: Observation::LEN, hidden, actions: Action::COUNT }
    }
}

/// How much is played for one update.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RolloutConfig {
    /// Deals played for one update, over all tables.
    pub deals: usize,
}

/// How an update changes the weights, whatever the phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearnerConfig {
    /// Passes over the rows of an update.
    pub epochs: usize,
    /// Rows of a minibatch, about.
    pub minibatch: usize,
    /// Pieces of a minibatch that workers take side by side. Changing it changes the last digits
    /// of the weights; changing the number of workers does not.
    pub shards: usize,
    /// Adam's step size.
    pub learning_rate: Schedule,
    /// Weight of the value loss.
    pub value_weight: f64,
    /// Global norm above which gradients are scaled down; 0: never.
    pub max_grad_norm: f64,
}

/// Who else sits at the tables besides the policy of now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpponentsConfig {
    /// Probability of each seat but one to be the opponent's, in episodes with an opponent; 1: a
    /// single seat learns.
    pub seats: f64,
    /// Agents of any kind that play the same twice, each with its share of episodes.
    pub agents: Vec<OpponentConfig>,
}

/// An agent that sits in some of the seats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table, as { agent = \"stopper\", share = 0.2 }")]
pub struct OpponentConfig {
    /// Its name, as on the command line: `stopper`, `pimc:20`, `net:PATH`. A network's file is
    /// copied into the run folder, so that the run stays what it is.
    pub agent: String,
    /// Share of episodes in which it sits at the table.
    pub share: f64,
    /// The agent that plays for it in playouts, where it is too slow itself; empty: none. What is
    /// learnt is then to play against a slightly different opponent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub playout_policy: String,
}
