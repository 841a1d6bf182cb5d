//! What a checkpoint says, and its JSON.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use newmarket_net::{NetConfig, Weights};
use serde::{Deserialize, Serialize};

use crate::format_error::FormatError;
use crate::golden::Golden;
use crate::hash::hash;
use crate::optimizer::{OptimizerState, Scalar};
use crate::trained_on::{Parent, TrainedOn};

/// The schema name in every manifest.
pub(crate) const SCHEMA: &str = "newmarket-checkpoint";
/// The one version of the format that is written and read.
pub(crate) const VERSION: u32 = 2;
/// The one key of the safetensors metadata. One, because the crate keeps them in a hash map: the
/// order of two would differ from file to file.
pub(crate) const KEY: &str = "newmarket";
/// Tensor that seals a file: BLAKE3 of all bytes before it. `u8`, so that it stands last.
pub(crate) const SEAL: &str = "seal";
/// Longest header that is written or read: far above the longest there is, and little to parse.
pub(crate) const MAX_HEADER: usize = 8 << 20;
/// Length of the seal.
pub(crate) const SEAL_LEN: usize = 32;
/// What the names of the weights begin with.
pub(crate) const WEIGHTS: &str = "net.";
/// What the names of the optimizer's tensors begin with.
pub(crate) const OPTIMIZER: &str = "optim.";

/// A network, how it came about, and what its training needs to go on exactly.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// How it came about, and where its training stands.
    pub run: Provenance,
    /// The network.
    pub weights: Weights,
    /// The optimizer's state; none in a released opponent.
    pub optimizer: Option<OptimizerState>,
}

impl Checkpoint {
    /// The form for release: without what only its own training could use (the optimizer's state,
    /// the generator's and the trainer's).
    #[must_use]
    pub fn release(mut self) -> Self {
        self.optimizer = None;
        self.run.rng.clear();
        self.run.trainer_state.clear();
        self
    }

    /// BLAKE3 of the weights: the identity of a player.
    pub fn weights_hash(&self) -> String {
        hash(self.weights.arrays())
    }

    /// What a network that is joined from this one and others says of it.
    pub fn as_parent(&self) -> Parent {
        Parent {
            weights_blake3: self.weights_hash(),
            trained_on: self.run.trained_on.clone(),
            update: self.run.update,
            decisions: self.run.decisions,
        }
    }
}

/// Everything in a checkpoint that is not a tensor and not derived from one.
///
/// Texts are opaque here and come back byte for byte. Keep numbers that must be exact in a form
/// that is: `serde_json` may read a float back one bit off unless its `float_roundtrip` feature is
/// on; `toml` does not.
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
    /// Updates done so far.
    pub update: u64,
    /// Decisions played so far.
    pub decisions: u64,
    /// Other counters of the trainer, by name.
    pub counters: BTreeMap<String, u64>,
    /// The state of the trainer's generator, as it serialises itself.
    #[serde(with = "hex_bytes")]
    pub rng: Vec<u8>,
    /// Whatever else the trainer needs, as text.
    pub trainer_state: String,
}

/// Which encoding of the table a network reads: both must match for it to make sense.
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
    /// The encoding that this program writes.
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
    /// BLAKE3 of the weights.
    pub(crate) weights_blake3: String,
    pub(crate) optimizer: Option<OptimizerEntry>,
    pub(crate) golden: Golden,
}

/// The part of an optimizer's state that is not tensors.
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
