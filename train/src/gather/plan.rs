//! The plan of the rollout of one update.

use super::{MessageError, OpponentNetwork, check_build};
use crate::TrainError;
use crate::config::{Config, TableMix};
use crate::gather::BUILD;
use crate::league::{opponent_networks, opponents};
use crate::normalise::ReturnScale;
use crate::policies::{Opponent, Policies};
use crate::rollout::{Mix, Rollout, play, shards};
use crate::state::encoding;
use newmarket_checkpoints::{Checkpoint, Provenance};
use newmarket_env::rules::Rules;
use newmarket_env::{LoadError, Seed};
use newmarket_net::{FastNet, QuantisedNet, Weights};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The child of a run's seed for updates. Another child is for benchmarks.
const UPDATES: u64 = 1;

/// The children of an update's seed.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    Deals = 0,
    Order = 1,
    Memory = 2,
}

/// The seed of a part of the update after `update` others.
pub(crate) fn seed(config: &Config, update: u64, part: Part) -> Seed {
    Seed::new(config.seed).child(UPDATES).child(update).child(part as u64)
}

/// The plan of a rollout. A shard is a function of the plan and its index.
pub struct Plan {
    /// Updates before this one.
    update: u64,
    config: Config,
    mix: Arc<Mix>,
    opponents: Vec<Opponent>,
    /// The networks among the opponents.
    networks: Vec<OpponentNetwork>,
    weights: Weights,
    policy: FastNet,
    quantised: QuantisedNet,
    scale: ReturnScale,
    /// The episodes of all shards: their seeds, and the indices of their tables.
    episodes: Vec<(Seed, usize)>,
}

/// The players besides the policy.
#[derive(Clone, Copy)]
pub(crate) struct Others<'a> {
    pub(crate) opponents: &'a [Opponent],
    /// The networks among them.
    pub(crate) networks: &'a [OpponentNetwork],
}

/// The fields of a plan's message besides its checkpoint, as TOML.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Details {
    build: String,
    scale: ReturnScale,
    networks: Vec<String>,
    /// The rules files of the configuration, by path: workers may not have them.
    rules: BTreeMap<String, String>,
}

impl Plan {
    /// The plan after `update` updates. `weights` are those of the policy, with a normalised value head.
    pub(crate) fn new(
        config: &Config,
        mix: &Arc<Mix>,
        others: Others<'_>,
        update: u64,
        weights: Weights,
        scale: ReturnScale,
    ) -> Self {
        let episodes = mix.episodes(seed(config, update, Part::Deals), config.rollout.deals);
        Self {
            update,
            config: config.clone(),
            mix: mix.clone(),
            opponents: others.opponents.iter().map(Opponent::another).collect(),
            networks: others.networks.to_vec(),
            policy: FastNet::new(&weights),
            quantised: QuantisedNet::new(&weights),
            weights,
            scale,
            episodes,
        }
    }

    /// The number of updates before this one.
    pub fn update(&self) -> u64 {
        self.update
    }

    /// The number of shards.
    pub fn shards(&self) -> usize {
        shards(&self.episodes).len()
    }

    /// Computes a shard.
    ///
    /// # Panics
    ///
    /// If there is no shard of this index.
    pub fn gather(&self, index: usize) -> Rollout {
        let progress = self.update as f64 / self.config.run.updates as f64;
        let policies = Policies {
            policy: &self.policy,
            quantised: &self.quantised,
            plays: self.config.plays.at(progress),
            scale: &self.scale,
            opponents: &self.opponents,
            opponent_seats: self.config.opponents.seats,
        };
        let estimator = &*self.config.phase(progress).estimator;
        play(&self.mix, &policies, estimator, self.shard(index))
    }

    /// The episodes of a shard.
    pub(super) fn shard(&self, index: usize) -> &[(Seed, usize)] {
        shards(&self.episodes).nth(index).expect("a shard of the plan")
    }

    pub(super) fn mix(&self) -> &Mix {
        &self.mix
    }

    /// The opponent networks that workers need.
    pub fn networks(&self) -> &[OpponentNetwork] {
        &self.networks
    }

    /// The plan as a message. The same plan gives the same bytes.
    ///
    /// # Errors
    ///
    /// If the configuration is too long for a checkpoint.
    pub fn to_bytes(&self) -> Result<Vec<u8>, MessageError> {
        let details = Details {
            build: BUILD.into(),
            scale: self.scale,
            networks: self.networks.iter().map(|network| network.id().to_owned()).collect(),
            rules: self.mix.files().clone(),
        };
        let run = Provenance {
            encoding: encoding(),
            training: self.config.to_toml().map_err(MessageError::of("the plan"))?,
            seed: self.config.seed,
            update: self.update,
            trainer_state: toml::to_string(&details).map_err(MessageError::of("the plan"))?,
            ..Provenance::default()
        };
        let saved = Checkpoint::new(run, self.weights.clone());
        saved.to_bytes().map_err(MessageError::of("the plan"))
    }

    /// Reads the plan of a message. `known` holds the networks that it names.
    ///
    /// # Errors
    ///
    /// If the message is no whole plan of this build, or an opponent network is missing.
    pub fn from_bytes(
        bytes: &[u8],
        known: &BTreeMap<String, OpponentNetwork>,
    ) -> Result<Self, MessageError> {
        read(bytes, known).map_err(MessageError::of("the plan"))
    }
}

fn read(bytes: &[u8], known: &BTreeMap<String, OpponentNetwork>) -> Result<Plan, String> {
    let saved = Checkpoint::from_bytes(bytes).map_err(text)?;
    let details: Details = toml::from_str(&saved.run.trainer_state)
        .map_err(|error| format!("its details: {}", error.message()))?;
    check_build(&details.build)?;
    saved.check_encoding(encoding()).map_err(text)?;
    let config = Config::from_toml(&saved.run.training, "its configuration").map_err(text)?;
    config.validate().map_err(text)?;
    if *saved.weights.config() != config.network.shape() {
        return Err(format!(
            "its network has hidden layers {:?}, its configuration {:?}",
            saved.weights.config().hidden,
            config.network.hidden
        ));
    }
    if saved.run.update >= config.run.updates {
        let (update, planned) = (saved.run.update, config.run.updates);
        return Err(format!("it follows update {update} of {planned}: none is left"));
    }
    let mix = mix(&config.tables, &details.rules).map_err(text)?;
    let here = |id: &String| {
        let network = known.get(id).cloned();
        network.ok_or_else(|| format!("its network {id:.20} was not sent"))
    };
    let networks = details.networks.iter().map(here).collect::<Result<Vec<_>, _>>()?;
    let opponents = seated(&config, &networks)?;
    let others = Others { opponents: &opponents, networks: &networks };
    let (update, weights) = (saved.run.update, saved.weights);
    Ok(Plan::new(&config, &Arc::new(mix), others, update, weights, details.scale))
}

/// The games of the tables, with rules files from `files`.
fn mix(tables: &[TableMix], files: &BTreeMap<String, String>) -> Result<Mix, TrainError> {
    Mix::by(tables, &|name| match files.get(name) {
        Some(text) => Rules::from_toml(text, name),
        None => Rules::named(name).ok_or_else(|| LoadError::Unknown { name: name.into() }),
    })
}

/// The opponents of a configuration, with these networks.
fn seated(config: &Config, networks: &[OpponentNetwork]) -> Result<Vec<Opponent>, String> {
    let named = opponent_networks(config);
    if networks.len() != named.len() {
        let (got, named) = (networks.len(), named.len());
        return Err(format!("it has {got} networks, its configuration names {named}"));
    }
    let network = |path: &Path| {
        let place = named.iter().position(|known| known == path).expect("one of the networks");
        Ok(networks[place].saved().clone())
    };
    opponents(config, network).map_err(text)
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn text(error: impl ToString) -> String {
    error.to_string()
}
