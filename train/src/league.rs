//! Whom the policy meets besides itself: past selves, and agents that the configuration names.
//!
//! A run is a function of its configuration, so whoever is named must play the same twice: nobody
//! reads a clock, and the files of networks are copied into the run folder when the run begins.
//! From then on only the copies are read, whatever becomes of the originals.

use crate::TrainError;
use crate::config::{Config, Opponent};
use crate::params::from_weights;
use crate::state::ties;
use newmarket_agents::Player;
use newmarket_agents::net::{Choice, NetAgent};
use newmarket_checkpoints::{Checkpoint, roster};
use newmarket_net::{FastNet, Weights};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Somebody else than the policy of now.
pub struct Guest {
    /// Who; each worker gets another of the kind.
    pub agent: Player,
    /// Who takes its place in playouts, if it does not play there itself.
    pub stand_in: Option<Player>,
    /// Share of sittings with this guest among the players.
    pub share: f64,
}

impl Guest {
    /// An agent with its share of sittings.
    pub fn new(agent: Player, share: f64) -> Self {
        Self { agent, stand_in: None, share }
    }

    /// A past self: it plays by its probabilities, as it did while it learnt.
    pub(crate) fn past(saved: &Checkpoint) -> Self {
        let net = Arc::new(FastNet::new(&saved.weights));
        Self::new(NetAgent::new("past", net, Choice::Sampled).into(), 0.0)
    }

    /// Who plays for it in playouts.
    pub(crate) fn double(&self) -> &Player {
        self.stand_in.as_ref().unwrap_or(&self.agent)
    }
}

/// The agents of a configuration, and the weights that it starts from.
pub struct League {
    /// Opponents with their shares, in the order of the configuration.
    pub(crate) guests: Vec<Guest>,
    /// At whose tables the policy is measured.
    pub(crate) yardsticks: Vec<Player>,
    /// The first weights, if they are not random.
    pub(crate) start: Option<Weights>,
}

impl League {
    /// Whom the configuration names, networks from wherever it says that they are.
    ///
    /// # Errors
    ///
    /// If a name is nobody's, or that of somebody who plays by time, or a file cannot be used.
    pub fn named(config: &Config) -> Result<Self, TrainError> {
        Self::of(config, Path::to_path_buf)
    }

    /// The same with the copies in the run folder.
    ///
    /// # Errors
    ///
    /// If one is missing or not whole.
    pub fn kept(config: &Config, folder: &Path) -> Result<Self, TrainError> {
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
        Self::of(config, |path| copy(config, folder, path))
    }

    /// Copies the networks that the configuration names into the run folder, the players alone.
    ///
    /// # Errors
    ///
    /// If one cannot be read or written.
    pub fn keep(config: &Config, folder: &Path) -> Result<(), TrainError> {
        for path in networks(config) {
            let copy = copy(config, folder, path);
            if let Some(parent) = copy.parent() {
                fs::create_dir_all(parent).map_err(TrainError::io("create", parent))?;
            }
            roster::net_checkpoint(path)?.release().write(&copy)?;
        }
        Ok(())
    }

    fn of(config: &Config, find: impl Fn(&Path) -> PathBuf) -> Result<Self, TrainError> {
        let agent = |key: &'static str, name: &str| -> Result<Player, TrainError> {
            let found = match roster::network(name) {
                Some(network) => network.agent(&find(network.path), Choice::Greedy),
                None => roster::choosing(name, Choice::Greedy, None),
            };
            found.map_err(|error| TrainError::Agent { key, error })
        };
        let guest = |opponent: &Opponent| -> Result<Guest, TrainError> {
            let mut guest = Guest::new(agent("opponents.agents", &opponent.agent)?, opponent.share);
            if !opponent.stand_in.is_empty() {
                guest.stand_in = Some(agent("opponents.agents", &opponent.stand_in)?);
            }
            Ok(guest)
        };
        let yardsticks = config.run.yardsticks.iter();
        Ok(Self {
            guests: config.opponents.agents.iter().map(guest).collect::<Result<_, _>>()?,
            yardsticks: yardsticks
                .map(|name| agent("run.yardsticks", name))
                .collect::<Result<_, _>>()?,
            start: start(config).map(|path| weights(config, &find(path))).transpose()?,
        })
    }
}

/// The first weights, which must be those of the network that the configuration describes.
fn weights(config: &Config, path: &Path) -> Result<Weights, TrainError> {
    let weights = roster::net_checkpoint(path)?.weights;
    let (has, says) = (&weights.config().hidden, &config.network.hidden);
    if has != says {
        return Err(TrainError::Values(vec![format!(
            "`network.start` has hidden layers {has:?}, `network.hidden` is {says:?}"
        )]));
    }
    if !ties(config).hold(&from_weights(&weights)) {
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
    let opponents = config.opponents.agents.iter().flat_map(|o| [&o.agent, &o.stand_in]);
    let agents = opponents.chain(&config.run.yardsticks);
    let mut paths = Vec::new();
    let named = agents.filter_map(|name| roster::network(name)).map(|network| network.path);
    for path in start(config).into_iter().chain(named) {
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
