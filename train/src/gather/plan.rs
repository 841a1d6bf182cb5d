//! What is to be played for one update.

use super::{Guest, MessageError, check_build};
use crate::TrainError;
use crate::config::{Config, TableMix};
use crate::gather::BUILD;
use crate::league::{guests, opponents};
use crate::normalise::ReturnScale;
use crate::policies::{Opponent, Policies};
use crate::rollout::{Mix, Rollout, pieces, play};
use crate::state::encoding;
use newmarket_checkpoints::{Checkpoint, Provenance};
use newmarket_env::rules::Rules;
use newmarket_env::{LoadError, Seed};
use newmarket_net::{FastNet, QuantisedNet, Weights};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The child of a run's seed that all updates come from. Another is that of benchmarks.
const UPDATES: u64 = 1;

/// What each child of an update's seed is for.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    Deals = 0,
    Order = 1,
}

/// The seed of a part of the update that follows so many others.
pub(crate) fn seed(config: &Config, update: u64, part: Part) -> Seed {
    Seed::new(config.seed).child(UPDATES).child(update).child(part as u64)
}

/// What is to be played for one update: all that a piece is a function of, besides its index.
pub struct Plan {
    /// Updates that are done.
    update: u64,
    config: Config,
    mix: Arc<Mix>,
    opponents: Vec<Opponent>,
    /// The networks among the opponents.
    guests: Vec<Guest>,
    weights: Weights,
    policy: FastNet,
    quantised: QuantisedNet,
    scale: ReturnScale,
    /// The episodes of all pieces: their seeds, and the places of their tables.
    episodes: Vec<(Seed, usize)>,
}

/// Who sits at the tables besides the policy.
#[derive(Clone, Copy)]
pub(crate) struct Others<'a> {
    pub(crate) opponents: &'a [Opponent],
    /// The networks among them.
    pub(crate) guests: &'a [Guest],
}

/// What the message of a plan says besides the checkpoint that it is; TOML.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Besides {
    build: String,
    scale: ReturnScale,
    guests: Vec<String>,
    /// By their paths, the rules files of the configuration: those who gather may not have them.
    rules: BTreeMap<String, String>,
}

impl Plan {
    /// After so many updates the policy has these weights, its value head normalised.
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
            guests: others.guests.to_vec(),
            policy: FastNet::new(&weights),
            quantised: QuantisedNet::new(&weights),
            weights,
            scale,
            episodes,
        }
    }

    /// How many updates came before.
    pub fn update(&self) -> u64 {
        self.update
    }

    /// How many pieces there are.
    pub fn pieces(&self) -> usize {
        pieces(&self.episodes).len()
    }

    /// Computes a piece.
    ///
    /// # Panics
    ///
    /// If there is no piece of this index.
    pub fn gather(&self, index: usize) -> Rollout {
        let policies = Policies {
            policy: &self.policy,
            quantised: &self.quantised,
            scale: &self.scale,
            opponents: &self.opponents,
            opponent_seats: self.config.opponents.seats,
        };
        let progress = self.update as f64 / self.config.run.updates as f64;
        let estimator = self.config.phase(progress).algorithm.estimator();
        play(&self.mix, &policies, estimator, self.piece(index))
    }

    /// The episodes of a piece.
    pub(super) fn piece(&self, index: usize) -> &[(Seed, usize)] {
        pieces(&self.episodes).nth(index).expect("a piece of the plan")
    }

    pub(super) fn mix(&self) -> &Mix {
        &self.mix
    }

    /// The networks that those who gather must have.
    pub fn guests(&self) -> &[Guest] {
        &self.guests
    }

    /// The message: the same bytes for the same plan.
    ///
    /// # Errors
    ///
    /// If its configuration is too long for a checkpoint.
    pub fn to_bytes(&self) -> Result<Vec<u8>, MessageError> {
        let besides = Besides {
            build: BUILD.into(),
            scale: self.scale,
            guests: self.guests.iter().map(|guest| guest.id().to_owned()).collect(),
            rules: self.mix.files().clone(),
        };
        let run = Provenance {
            encoding: encoding(),
            training: self.config.to_toml().map_err(MessageError::of("the plan"))?,
            seed: self.config.seed,
            update: self.update,
            trainer_state: toml::to_string(&besides).map_err(MessageError::of("the plan"))?,
            ..Provenance::default()
        };
        let saved = Checkpoint { run, weights: self.weights.clone(), optimizer: None };
        saved.to_bytes().map_err(MessageError::of("the plan"))
    }

    /// The plan of a message, with those of these guests that it names.
    ///
    /// # Errors
    ///
    /// If it is not the whole message of a plan of this build, or a guest is missing.
    pub fn from_bytes(bytes: &[u8], known: &BTreeMap<String, Guest>) -> Result<Self, MessageError> {
        read(bytes, known).map_err(MessageError::of("the plan"))
    }
}

fn read(bytes: &[u8], known: &BTreeMap<String, Guest>) -> Result<Plan, String> {
    let saved = Checkpoint::from_bytes(bytes).map_err(text)?;
    let besides: Besides = toml::from_str(&saved.run.trainer_state)
        .map_err(|error| format!("what it says besides: {}", error.message()))?;
    check_build(&besides.build)?;
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
    let mix = mix(&config.tables, &besides.rules).map_err(text)?;
    let here = |id: &String| {
        let guest = known.get(id).cloned();
        guest.ok_or_else(|| format!("its guest {id:.20} was not sent"))
    };
    let met = besides.guests.iter().map(here).collect::<Result<Vec<_>, _>>()?;
    let opponents = seated(&config, &met)?;
    let others = Others { opponents: &opponents, guests: &met };
    let (update, weights) = (saved.run.update, saved.weights);
    Ok(Plan::new(&config, &Arc::new(mix), others, update, weights, besides.scale))
}

/// The games of the tables, files of rules being these.
fn mix(tables: &[TableMix], files: &BTreeMap<String, String>) -> Result<Mix, TrainError> {
    Mix::by(tables, &|name| match files.get(name) {
        Some(text) => Rules::from_toml(text, name),
        None => Rules::named(name).ok_or_else(|| LoadError::Unknown { name: name.into() }),
    })
}

/// The opponents of a configuration, these being the networks among them.
fn seated(config: &Config, met: &[Guest]) -> Result<Vec<Opponent>, String> {
    let named = guests(config);
    if met.len() != named.len() {
        let (got, named) = (met.len(), named.len());
        return Err(format!("it has {got} guests, its configuration names {named} networks"));
    }
    let network = |path: &Path| {
        let place = named.iter().position(|&known| known == path).expect("one of the networks");
        Ok(met[place].saved().clone())
    };
    opponents(config, network).map_err(text)
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn text(error: impl ToString) -> String {
    error.to_string()
}
