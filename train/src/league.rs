//! The agents of a run besides the policy: opponents and benchmark opponents.
//!
//! A run is a function of its configuration, so an agent must play the same twice: none may play by
//! the clock, and the files of networks are copied into the run folder when the run begins. From then
//! on only the copies are read.

use crate::TrainError;
use crate::config::{Config, OpponentConfig};
use crate::gather::Guest;
use crate::params::from_weights;
use crate::policies::Opponent;
use crate::state::shared_weights;
use newmarket_agents::Player;
use newmarket_agents::net::Choice;
use newmarket_checkpoints::{Checkpoint, Error, roster};
use newmarket_net::Weights;
use std::fs;
use std::path::{Path, PathBuf};

/// Opponents with their shares, in the order of the configuration, each network from wherever
/// `find` has it.
///
/// # Errors
///
/// If a name is unknown, or that of an agent that plays by the clock, or a network cannot be had.
pub(crate) fn opponents(
    config: &Config,
    find: impl Fn(&Path) -> Result<Checkpoint, Error>,
) -> Result<Vec<Opponent>, TrainError> {
    let key = "opponents.agents";
    let opponent = |config: &OpponentConfig| -> Result<Opponent, TrainError> {
        let mut opponent = Opponent::new(agent(key, &config.agent, &find)?, config.share);
        if !config.playout_policy.is_empty() {
            opponent.playout_policy = Some(agent(key, &config.playout_policy, &find)?);
        }
        Ok(opponent)
    };
    config.opponents.agents.iter().map(opponent).collect()
}

/// The agent that is named by the value of this key.
fn agent(
    key: &'static str,
    name: &str,
    find: impl Fn(&Path) -> Result<Checkpoint, Error>,
) -> Result<Player, TrainError> {
    let found = match roster::network(name) {
        Some(network) => network.playing(|| find(network.path), Choice::Greedy),
        None => roster::choosing(name, Choice::Greedy, None),
    };
    found.map_err(|error| TrainError::Agent { key, error: Box::new(error) })
}

/// The agents of a configuration, and the weights that it starts from.
pub(crate) struct League {
    /// Opponents with their shares, in the order of the configuration.
    pub(crate) opponents: Vec<Opponent>,
    /// The networks among them.
    pub(crate) guests: Vec<Guest>,
    /// At whose tables the policy is benchmarked.
    pub(crate) benchmark_opponents: Vec<Player>,
    /// The initial weights, if they are not random.
    pub(crate) start: Option<Weights>,
}

impl League {
    /// Whom the configuration names, networks from wherever it says that they are.
    ///
    /// # Errors
    ///
    /// If a name is unknown, or that of an agent that plays by the clock, or a file cannot be used.
    pub(crate) fn named(config: &Config) -> Result<Self, TrainError> {
        Self::of(config, roster::net_checkpoint)
    }

    /// The same with the copies in the run folder.
    ///
    /// # Errors
    ///
    /// If one is missing or not whole.
    pub(crate) fn kept(config: &Config, folder: &Path) -> Result<Self, TrainError> {
        for path in networks(config) {
            let copy = copy(config, folder, path);
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

    /// Copies the networks that the configuration names into the run folder, the players alone.
    ///
    /// # Errors
    ///
    /// If one cannot be read or written.
    pub(crate) fn keep(config: &Config, folder: &Path) -> Result<(), TrainError> {
        for path in networks(config) {
            let copy = copy(config, folder, path);
            if let Some(parent) = copy.parent() {
                fs::create_dir_all(parent).map_err(TrainError::io("create", parent))?;
            }
            roster::net_checkpoint(path)?.release().write(&copy)?;
        }
        Ok(())
    }

    fn of(
        config: &Config,
        find: impl Fn(&Path) -> Result<Checkpoint, Error>,
    ) -> Result<Self, TrainError> {
        let opponents = opponents(config, &find)?;
        let benchmark = |name: &String| agent("run.benchmark_opponents", name, &find);
        let benchmarks = config.run.benchmark_opponents.iter();
        let guest = |path: &Path| Ok(Guest::of(find(path)?.release())?);
        Ok(Self {
            opponents,
            guests: guests(config).into_iter().map(guest).collect::<Result<_, TrainError>>()?,
            benchmark_opponents: benchmarks.map(benchmark).collect::<Result<_, _>>()?,
            start: start(config).map(|path| weights(config, find(path)?.weights)).transpose()?,
        })
    }
}

/// The initial weights, which must be those of the network that the configuration describes.
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

/// Where the networks of a configuration are, each place once.
fn networks(config: &Config) -> Vec<&Path> {
    let benchmarks = config.run.benchmark_opponents.iter().filter_map(|name| path(name));
    once(start(config).into_iter().chain(guests(config)).chain(benchmarks))
}

/// Where the networks of the opponents are, each place once.
pub(crate) fn guests(config: &Config) -> Vec<&Path> {
    let agents = config.opponents.agents.iter().flat_map(|o| [&o.agent, &o.playout_policy]);
    once(agents.filter_map(|name| path(name)))
}

/// Where the network of an agent is, if it is one.
fn path(agent: &str) -> Option<&Path> {
    roster::network(agent).map(|network| network.path)
}

fn once<'p>(all: impl Iterator<Item = &'p Path>) -> Vec<&'p Path> {
    let mut paths = Vec::new();
    for path in all {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}

/// The copy of a network in the run folder.
fn copy(config: &Config, folder: &Path, path: &Path) -> PathBuf {
    let nth = networks(config).iter().position(|&known| known == path).unwrap_or(0);
    folder.join("networks").join(format!("{nth}.ckpt"))
}
