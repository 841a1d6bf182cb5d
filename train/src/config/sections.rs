//! The sections of a configuration, except phases and tables.

use super::digits;
use super::phases::TrainingPhase;
use super::plays::PlaysConfig;
use super::tables::TableMix;
use crate::equivariance::Symmetry;
use crate::schedule::Schedule;
use newmarket_checkpoints::KeptStrategy;
use newmarket_env::{Action, Observation};
use newmarket_net::NetConfig;
use serde::{Deserialize, Serialize};

/// The configuration of a run; a run is a function of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The root seed of deals, exploration, initial weights and the order of minibatches.
    #[serde(with = "digits")]
    pub seed: u64,
    /// Length, checkpoints and benchmarks.
    pub run: RunConfig,
    /// The policy network.
    pub network: NetworkConfig,
    /// The size of a rollout.
    pub rollout: RolloutConfig,
    /// The learner, in all phases.
    pub learner: LearnerConfig,
    /// Other agents at the tables.
    pub opponents: OpponentsConfig,
    /// How the policy chooses, kind of decision by kind.
    #[serde(default)]
    pub plays: PlaysConfig,
    /// The phases of the run in order, each with an estimator and an objective.
    pub phases: Vec<TrainingPhase>,
    /// The games, each with its share of the deals.
    pub tables: Vec<TableMix>,
    /// What the strategy files say that other keys name, as the run began with them. An agent of this list is not read
    /// from its file again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strategies: Vec<StrategyConfig>,
}

/// What the file of an agent `strategy:PATH` says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrategyConfig {
    /// The name of the agent.
    pub agent: String,
    /// Content and hash.
    pub strategy: KeptStrategy,
}

/// Length, checkpoints and benchmarks of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunConfig {
    /// Planned updates. Phases and schedules run over this number, so a run can be repeated. 0: as many
    /// as fit into `minutes`. The first updates are timed, and the number is then written here.
    #[serde(with = "digits")]
    pub updates: u64,
    /// The planned minutes of a run with `updates` 0. Each phase gets its share of the time.
    pub minutes: f64,
    /// Updates between two checkpoints. The last update and Ctrl-C always save a checkpoint.
    #[serde(with = "digits")]
    pub checkpoint_every: u64,
    /// The number of latest checkpoints that are kept besides the best; 0: all.
    pub keep: usize,
    /// Updates between two benchmarks; the last update has a benchmark, too. 0: no benchmarks.
    #[serde(with = "digits")]
    pub benchmark_every: u64,
    /// Deals of one benchmark against each opponent. All rotations of the seats count as one deal.
    #[serde(with = "digits")]
    pub benchmark_deals: u64,
    /// The names of the benchmark opponents.
    pub benchmark_opponents: Vec<String>,
    /// The decay of the moving average of the weights that benchmarks and checkpoints use, 0 to below 1
    /// (0: the latest weights; 0.99: about the last hundred updates).
    pub ema_decay: f64,
}

/// The policy network: a shared trunk with a policy head and a value head.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkConfig {
    /// Units of the hidden layers, from the input on.
    pub hidden: Vec<usize>,
    /// The permutations of suits that the network commutes with.
    pub symmetry: Symmetry,
    /// A checkpoint or run folder with the initial weights; empty: random weights. The value head always
    /// starts from random weights.
    pub start: String,
}

impl NetworkConfig {
    /// Inputs, hidden layers and outputs of the policy network.
    pub fn shape(&self) -> NetConfig {
        let hidden = self.hidden.clone();
        NetConfig { inputs: Observation::LEN, hidden, actions: Action::COUNT }
    }
}

/// The size of a rollout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RolloutConfig {
    /// Deals of one update, over all tables.
    pub deals: usize,
}

/// The learner, in all phases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearnerConfig {
    /// Passes over the rows of an update.
    pub epochs: usize,
    /// Rows of a minibatch, approximately.
    pub minibatch: usize,
    /// Shards of a minibatch. Workers compute them in parallel, so no more threads than shards learn.
    /// Another number of shards changes the last digits of the weights; another number of threads does
    /// not.
    pub shards: usize,
    /// Adam's step size.
    pub learning_rate: Schedule,
    /// Weight of the value loss.
    pub value_weight: f64,
    /// Global norm above which gradients are scaled down; 0: never.
    pub max_grad_norm: f64,
}

/// Agents that sit at the tables besides the current policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpponentsConfig {
    /// In episodes with an opponent, the probability of each seat but one to be the opponent's. 1: a
    /// single seat learns.
    pub seats: f64,
    /// The opponents, each with its share of episodes. An opponent must play the same with the same seed.
    pub agents: Vec<OpponentConfig>,
}

/// An opponent: an agent that sits in some of the seats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table, as { agent = \"stopper\", share = 0.2 }")]
pub struct OpponentConfig {
    /// Its name, as on the command line: `stopper`, `pimc:20`, `net:PATH`, `strategy:PATH`. The file of a
    /// network is copied into the run folder, the content of a strategy file into `strategies`.
    pub agent: String,
    /// Share of episodes with this opponent, 0 to 1.
    pub share: f64,
    /// A faster agent that replaces the opponent in playouts; empty: the opponent itself. The policy then
    /// learns against a slightly different opponent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub playout_policy: String,
}
