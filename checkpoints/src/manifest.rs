//! The contents of a checkpoint, and its manifest as JSON.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use newmarket_agents::net::Plays;
use newmarket_net::{NetConfig, Weights};
use serde::{Deserialize, Serialize};

use crate::format_error::FormatError;
use crate::golden::Golden;
use crate::hash::hash;
use crate::optimizer::{OptimizerState, Scalar};
use crate::trained_on::{Parent, TrainedOn};

/// The schema name in every manifest.
pub(crate) const SCHEMA: &str = "newmarket-checkpoint";
/// The latest version of the format, that of networks that draw decisions of some kind.
pub(crate) const VERSION: u32 = 3;
/// The version of networks that always take the likeliest action. Both are written and read.
pub(crate) const LIKELIEST: u32 = 2;
/// The latest version of exported players, that of networks that draw decisions of some kind.
pub(crate) const PLAYER_VERSION: u32 = 2;
/// The version of all other exported players. Both are written and read.
pub(crate) const PLAYER_LIKELIEST: u32 = 1;
/// The one key of the safetensors metadata. The crate keeps keys in a hash map, so two keys would have
/// no fixed order.
pub(crate) const KEY: &str = "newmarket";
/// The tensor with the seal, BLAKE3 of all bytes before it. Its type `u8` makes it the last tensor.
pub(crate) const SEAL: &str = "seal";
/// The longest header that is written or read, in bytes.
pub(crate) const MAX_HEADER: usize = 8 << 20;
/// The length of the seal, in bytes.
pub(crate) const SEAL_LEN: usize = 32;
/// The prefix of the weights' names.
pub(crate) const WEIGHTS: &str = "net.";
/// The prefix of the names of the optimizer's tensors.
pub(crate) const OPTIMIZER: &str = "optim.";

/// A network, its provenance, and the state that its training needs to continue exactly.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// The provenance of the network, and the progress of its training.
    pub run: Provenance,
    /// The network.
    pub weights: Weights,
    /// How it chooses.
    pub plays: Plays,
    /// The optimizer's state; `None` in a released player.
    pub optimizer: Option<OptimizerState>,
}

impl Checkpoint {
    /// A network that takes its likeliest action, without the state of its training.
    pub const fn new(run: Provenance, weights: Weights) -> Self {
        Self { run, weights, plays: Plays::LIKELIEST, optimizer: None }
    }

    /// The form for release: without the state of the optimizer, the generator and the trainer.
    #[must_use]
    pub fn release(mut self) -> Self {
        self.optimizer = None;
        self.run.rng.clear();
        self.run.trainer_state.clear();
        self
    }

    /// BLAKE3 of the weights: the identity of a network.
    pub fn weights_hash(&self) -> String {
        hash(self.weights.arrays())
    }

    /// The entry of this network in a network that is joined from several.
    pub fn as_parent(&self) -> Parent {
        Parent {
            weights_blake3: self.weights_hash(),
            trained_on: self.run.trained_on.clone(),
            update: self.run.update,
            decisions: self.run.decisions,
        }
    }
}

/// The provenance of a network, and the progress of its training: all data but tensors.
///
/// Texts are opaque here and restored byte for byte. Numbers that must be exact need an exact form:
/// `serde_json` without its feature `float_roundtrip` may change the last bit of a float; `toml` does not.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// What the network was trained on, or joined from.
    pub trained_on: TrainedOn,
    /// The encoding of its observations.
    pub encoding: Encoding,
    /// The training configuration, as text (TOML or JSON).
    pub training: String,
    /// The seed of the run.
    #[serde(with = "decimal")]
    pub seed: u64,
    /// Updates done.
    pub update: u64,
    /// Decisions played.
    pub decisions: u64,
    /// Other counters of the trainer, by name.
    pub counters: BTreeMap<String, u64>,
    /// The serialised state of the trainer's random generator.
    #[serde(with = "hex_bytes")]
    pub rng: Vec<u8>,
    /// All other state of the trainer, as text.
    pub trainer_state: String,
}

/// The encoding of a network's observations. Version and fingerprint must both match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Encoding {
    /// Its version.
    pub version: u32,
    /// Its fingerprint.
    #[serde(with = "hex_u64")]
    pub fingerprint: u64,
}

impl Encoding {
    /// The encoding of this program.
    pub fn current() -> Self {
        let fingerprint = newmarket_env::encode::fingerprint();
        Self { version: newmarket_env::encode::VERSION, fingerprint }
    }

    /// Whether a network for this encoding reads observations of the `expected` one.
    ///
    /// # Errors
    ///
    /// If the two differ.
    pub(crate) fn check(self, expected: Self) -> Result<(), FormatError> {
        if self == expected { Ok(()) } else { Err(FormatError::Encoding { got: self, expected }) }
    }
}

/// The JSON in the metadata of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    pub(crate) schema: String,
    pub(crate) version: u32,
    pub(crate) run: Provenance,
    pub(crate) net: NetConfig,
    #[serde(with = "crate::plays", default, skip_serializing_if = "crate::plays::is_likeliest")]
    pub(crate) plays: Plays,
    /// BLAKE3 of the weights.
    pub(crate) weights_blake3: String,
    pub(crate) optimizer: Option<OptimizerEntry>,
    pub(crate) golden: Golden,
}

/// The version of a file with a network that chooses like this: the earliest that can say so.
pub(crate) fn version_of(plays: &Plays) -> u32 {
    if plays.draw() { VERSION } else { LIKELIEST }
}

/// The optimizer's state without its tensors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OptimizerEntry {
    pub(crate) blake3: String,
    pub(crate) scalars: BTreeMap<String, Scalar>,
    pub(crate) paths: BTreeMap<String, String>,
}

mod decimal {
    use alloc::format;
    use alloc::string::String;

    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(x: &u64, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(x)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<u64, D::Error> {
        let text = String::deserialize(d)?;
        text.parse().map_err(|_| D::Error::custom(format!("`{text}` is not a u64 in decimal")))
    }
}

mod hex_u64 {
    use alloc::format;
    use alloc::string::String;

    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(x: &u64, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(&format_args!("{x:016x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<u64, D::Error> {
        let text = String::deserialize(d)?;
        u64::from_str_radix(&text, 16)
            .map_err(|_| D::Error::custom(format!("`{text}` is not a u64 in hexadecimal")))
    }
}

mod hex_bytes {
    use alloc::vec::Vec;
    use core::fmt::Write as _;

    use alloc::string::String;

    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], s: S) -> Result<S::Ok, S::Error> {
        let mut text = String::with_capacity(2 * bytes.len());
        for b in bytes {
            write!(text, "{b:02x}").expect("a string takes what it is given");
        }
        s.serialize_str(&text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(d)?;
        let digit = |c: u8| (c as char).to_digit(16);
        text.as_bytes()
            .chunks(2)
            .map(|pair| match *pair {
                [a, b] => Some((digit(a)? << 4 | digit(b)?) as u8),
                _ => None,
            })
            .collect::<Option<_>>()
            .ok_or_else(|| D::Error::custom("not bytes in hexadecimal"))
    }
}
