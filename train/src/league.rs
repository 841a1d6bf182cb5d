//! The agents of a run besides the policy: opponents and benchmark opponents.
//!
//! A run is a function of its configuration. So no agent may have a budget of time, the files of
//! networks are copied into the run folder when the run begins, and the content of strategy files into the
//! configuration. Later only the copies are read.

use crate::TrainError;
use crate::config::{Config, OpponentConfig};
use crate::gather::OpponentNetwork;
use crate::params::from_weights;
use crate::policies::Opponent;
use crate::state::shared_weights;
use newmarket_agents::Player;
use newmarket_agents::net::ActionSelection;
use newmarket_agents::strategy::Strategy;
use newmarket_checkpoints::roster::RosterError;
use newmarket_checkpoints::{Checkpoint, Error, STRATEGY_PREFIX, StrategyError, roster};
use newmarket_env::text::with_causes;
use newmarket_net::Weights;
use std::fs;
use std::path::{Path, PathBuf};

/// The opponents of a configuration, in its order. `find` reads networks.
///
/// # Errors
///
/// If a name is unknown, an agent has a budget of time, or a network cannot be read.
pub(crate) fn opponents(
    config: &Config,
    find: impl Fn(&Path) -> Result<Checkpoint, Error>,
) -> Result<Vec<Opponent>, TrainError> {
    let key = "opponents.agents";
    let agent = |name: &str| agent(config, key, name, &find);
    let opponent = |config: &OpponentConfig| -> Result<Opponent, TrainError> {
        let mut opponent = Opponent::new(agent(&config.agent)?, config.share);
        if !config.playout_policy.is_empty() {
            opponent.playout_policy = Some(agent(&config.playout_policy)?);
        }
        Ok(opponent)
    };
    config.opponents.agents.iter().map(opponent).collect()
}

/// The agent of this name, which is a value of this key.
fn agent(
    config: &Config,
    key: &'static str,
    name: &str,
    find: impl Fn(&Path) -> Result<Checkpoint, Error>,
) -> Result<Player, TrainError> {
    player(config, name, &find).map_err(|error| TrainError::Agent { key, error: Box::new(error) })
}

fn player(
    config: &Config,
    name: &str,
    find: &dyn Fn(&Path) -> Result<Checkpoint, Error>,
) -> Result<Player, RosterError> {
    if let Some(network) = roster::network(name) {
        return network.playing(|| find(network.path), ActionSelection::Greedy);
    }
    if !name.starts_with(STRATEGY_PREFIX) {
        return roster::choosing(name, ActionSelection::Greedy, None);
    }
    let refused = |problem| StrategyError::Base { name: name.into(), problem };
    let mut bases = |base: &str| {
        let player = player(config, base, find).map_err(|error| with_causes(&error))?;
        player.fair().ok_or_else(|| RosterError::Open { name: base.into() }.to_string())
    };
    let content = config.strategy(name).map_err(refused)?;
    Ok(Strategy::new(name, content, &mut bases).map_err(refused)?.into())
}

/// The agents and the initial weights of a configuration.
pub(crate) struct League {
    /// The opponents, in the order of the configuration.
    pub(crate) opponents: Vec<Opponent>,
    /// The networks among the opponents.
    pub(crate) networks: Vec<OpponentNetwork>,
    /// The benchmark opponents.
    pub(crate) benchmark_opponents: Vec<Player>,
    /// The initial weights; `None`: random weights.
    pub(crate) start: Option<Weights>,
}

impl League {
    /// The agents of a configuration, with networks from the paths that it names.
    ///
    /// # Errors
    ///
    /// If a name is unknown, an agent has a budget of time, or a file cannot be used.
    pub(crate) fn named(config: &Config) -> Result<Self, TrainError> {
        Self::of(config, roster::net_checkpoint)
    }

    /// The agents of a configuration, with networks from the copies in the run folder.
    ///
    /// # Errors
    ///
    /// If a copy is missing or damaged.
    pub(crate) fn kept(config: &Config, folder: &Path) -> Result<Self, TrainError> {
        for path in networks(config) {
            let copy = copy(config, folder, &path);
            if !copy.is_file() {
                let copy = copy.strip_prefix(folder).unwrap_or(&copy).display();
                let was = path.display();
                let reason =
                    format!("there is no {copy} in it, a copy of {was} as the run began with it");
                return Err(TrainError::NotARun { folder: folder.into(), reason });
            }
        }
        Self::of(config, |path| roster::net_checkpoint(&copy(config, folder, path)))
    }

    /// Copies the networks of the configuration into the run folder, in the form for release.
    ///
    /// # Errors
    ///
    /// If a network cannot be read or written.
    pub(crate) fn keep(config: &Config, folder: &Path) -> Result<(), TrainError> {
        for path in networks(config) {
            let copy = copy(config, folder, &path);
            if let Some(parent) = copy.parent() {
                fs::create_dir_all(parent).map_err(TrainError::io("create", parent))?;
            }
            roster::net_checkpoint(&path)?.release().write(&copy)?;
        }
        Ok(())
    }

    fn of(
        config: &Config,
        find: impl Fn(&Path) -> Result<Checkpoint, Error>,
    ) -> Result<Self, TrainError> {
        let opponents = opponents(config, &find)?;
        let benchmark = |name: &String| agent(config, "run.benchmark_opponents", name, &find);
        let benchmarks = config.run.benchmark_opponents.iter();
        let network = |path: PathBuf| Ok(OpponentNetwork::of(find(&path)?.release())?);
        Ok(Self {
            opponents,
            networks: opponent_networks(config)
                .into_iter()
                .map(network)
                .collect::<Result<_, TrainError>>()?,
            benchmark_opponents: benchmarks.map(benchmark).collect::<Result<_, _>>()?,
            start: start(config).map(|path| weights(config, find(path)?.weights)).transpose()?,
        })
    }
}

/// Checks that the initial weights fit the network of the configuration.
fn weights(config: &Config, weights: Weights) -> Result<Weights, TrainError> {
    let (has, says) = (&weights.config().hidden, &config.network.hidden);
    if has != says {
        return Err(TrainError::Values(vec![format!(
            "`network.start` has hidden layers {has:?}, `network.hidden` is {says:?}"
        )]));
    }
    if !shared_weights(config).hold(&from_weights(&weights)) {
        let fault = "the weights of `network.start` treat suits differently: `network.symmetry` \
                     must be \"none\", or \"colours\" if they were trained so";
        return Err(TrainError::Values(vec![fault.into()]));
    }
    Ok(weights)
}

fn start(config: &Config) -> Option<&Path> {
    let start = &config.network.start;
    (!start.is_empty()).then(|| Path::new(start))
}

/// The paths of all networks of a configuration, each once.
fn networks(config: &Config) -> Vec<PathBuf> {
    let benchmarks = config.run.benchmark_opponents.iter().map(|name| &**name).collect();
    let start = start(config).map(Path::to_path_buf);
    once(start.into_iter().chain(opponent_networks(config)).chain(paths(config, benchmarks)))
}

/// The paths of the opponents' networks, each once.
pub(crate) fn opponent_networks(config: &Config) -> Vec<PathBuf> {
    let agents = config.opponents.agents.iter().flat_map(|o| [&*o.agent, &*o.playout_policy]);
    once(paths(config, agents.collect()).into_iter())
}

/// The paths of the networks of agents, and of those on which their strategies build.
fn paths(config: &Config, agents: Vec<&str>) -> Vec<PathBuf> {
    let bases = config.bases(&agents);
    let names = agents.into_iter().chain(bases.iter().map(|base| &**base));
    names.filter_map(roster::network).map(|network| network.path.into()).collect()
}

fn once(all: impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for path in all {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}

/// The path of a network's copy in the run folder.
fn copy(config: &Config, folder: &Path, path: &Path) -> PathBuf {
    let nth = networks(config).iter().position(|known| known == path).unwrap_or(0);
    folder.join("networks").join(format!("{nth}.ckpt"))
}
