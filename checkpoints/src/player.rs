//! A network that plays, from a checkpoint or an exported player. Other programs write exported players.
//!
//! An exported player is a safetensors file with the tensors of [`Weights::layout`], as `F32` or `F16`. Its
//! metadata must name its encoding, and may have more fields; `FORMAT.md` describes it.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use half::f16;
use newmarket_agents::net::{ActionSelection, Plays};
use newmarket_env::{Action, Observation};
use newmarket_net::{NamedArray, NetConfig, Weights};
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};
use serde::{Deserialize, Serialize};

use crate::format_error::FormatError;
use crate::golden::Golden;
use crate::hash::{floats, hash};
use crate::header::{Kind, Whole};
use crate::manifest::{Checkpoint, Encoding, PLAYER_LIKELIEST, PLAYER_VERSION, Provenance};
use crate::read;

/// The schema name of an exported player.
pub(crate) const PLAYER: &str = "newmarket-player";
/// The allowed temperatures. Beyond them probabilities are not finite, or all equal.
const TEMPERATURES: core::ops::RangeInclusive<f32> = Plays::LEAST..=Plays::MOST;

/// A network and how it chooses, for this program's encoding.
#[derive(Debug, Clone, PartialEq)]
pub struct NetPlayer {
    /// The network and its provenance, in the form for release.
    pub checkpoint: Checkpoint,
    /// How it chooses.
    pub choice: ActionSelection,
}

/// The metadata of an exported player.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayerManifest {
    pub(crate) schema: String,
    pub(crate) version: u32,
    pub(crate) encoding: Encoding,
    /// The temperature of the policy, of all kinds of decision: a player that makes mistakes on purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) temperature: Option<f32>,
    /// How the player chooses without that.
    #[serde(with = "crate::plays", default, skip_serializing_if = "crate::plays::is_likeliest")]
    pub(crate) plays: Plays,
    /// BLAKE3 of the weights as `F32`; `F16` is widened first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) weights_blake3: Option<String>,
    /// BLAKE3 of the weights before rounding to `F16`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rounded_from: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) golden: Option<Golden>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<Provenance>,
    /// A description for other programs; not read here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) about: Option<serde_json::Value>,
}

impl NetPlayer {
    /// Reads a player from the bytes of a checkpoint or an exported player. Hashes and the golden pass of
    /// an exported player are checked if it has them.
    ///
    /// # Errors
    ///
    /// If the bytes are neither, or damaged, or the network has another encoding.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        let file = Whole::read(bytes)?;
        if Kind::parse(&file.manifest)?.schema == PLAYER {
            return exported(&file);
        }
        let (checkpoint, _) = read::parse(&file)?;
        checkpoint.check_encoding(Encoding::current())?;
        check_outputs(&checkpoint.weights)?;
        Ok(checkpoint.release().into())
    }

    /// The checkpoint.
    ///
    /// # Errors
    ///
    /// If the player has a temperature: a checkpoint has none.
    pub fn into_checkpoint(self) -> Result<Checkpoint, FormatError> {
        match self.temperature() {
            None => {
                let plays = self.choice.plays().unwrap_or_default();
                Ok(Checkpoint { plays, ..self.checkpoint })
            }
            Some(by) => Err(FormatError::Tempered { by }),
        }
    }

    /// The temperature of all kinds of decision of a player that makes mistakes on purpose; `None` for all
    /// others. A level has a temperature for each game; this is that of `newmarket` with four players.
    pub(crate) fn temperature(&self) -> Option<f32> {
        match self.choice {
            ActionSelection::Greedy | ActionSelection::ByKind(_) => None,
            ActionSelection::Sampled => Some(1.0),
            ActionSelection::Tempered(by) => Some(by),
            ActionSelection::Level(level) => Some(level.temperature),
        }
    }
}

impl From<Checkpoint> for NetPlayer {
    /// The player that chooses as the checkpoint says.
    fn from(checkpoint: Checkpoint) -> Self {
        Self { choice: checkpoint.plays.into(), checkpoint }
    }
}

fn exported(file: &Whole) -> Result<NetPlayer, FormatError> {
    let version = Kind::parse(&file.manifest)?.version;
    if ![PLAYER_LIKELIEST, PLAYER_VERSION].map(u64::from).contains(&version) {
        return Err(FormatError::PlayerVersion { got: version });
    }
    let manifest: PlayerManifest =
        serde_json::from_str(&file.manifest).map_err(|e| FormatError::manifest(e.to_string()))?;
    let encoding = manifest.encoding;
    encoding.check(Encoding::current())?;
    let plays = manifest.plays;
    if plays.draw() && manifest.version != PLAYER_VERSION {
        return Err(FormatError::manifest(format!("`plays` needs version {PLAYER_VERSION}")));
    }
    let choice = match manifest.temperature {
        None => plays.into(),
        Some(_) if plays.draw() => {
            return Err(FormatError::manifest("`temperature` and `plays` exclude each other"));
        }
        Some(by) if TEMPERATURES.contains(&by) => ActionSelection::Tempered(by),
        Some(by) => {
            let (least, most) = (TEMPERATURES.start(), TEMPERATURES.end());
            let reason = format!("`temperature` is {by}, must be between {least} and {most}");
            return Err(FormatError::manifest(reason));
        }
    };
    let weights = weights(file.bytes)?;
    check_outputs(&weights)?;
    if manifest.weights_blake3.is_some_and(|told| told != hash(weights.arrays())) {
        return Err(FormatError::corrupt("the weights' hash"));
    }
    if let Some(golden) = &manifest.golden {
        golden.check(&weights)?;
    }
    let run = manifest.run.unwrap_or(Provenance { encoding, ..Provenance::default() });
    if run.encoding != encoding {
        return Err(FormatError::manifest("`run.encoding` is not `encoding`"));
    }
    let checkpoint = Checkpoint { run, weights, plays, optimizer: None };
    Ok(NetPlayer { checkpoint: checkpoint.release(), choice })
}

/// The weights of a network for this program's encoding. Other tensors are refused. The biases give the depth
/// and the widths.
fn weights(bytes: &[u8]) -> Result<Weights, FormatError> {
    let file = SafeTensors::deserialize(bytes).map_err(|e| FormatError::manifest(e.to_string()))?;
    let width = |name: String| Some(file.tensor(&name).ok()?.shape().iter().product());
    let layers = (0..=NetConfig::MAX_DEPTH).map(|layer| format!("trunk.{layer}.bias"));
    let hidden = layers.map_while(width).collect();
    let config = NetConfig { inputs: Observation::LEN, hidden, actions: Action::COUNT };
    config.validate().map_err(newmarket_net::WeightsError::from)?;
    let layout = Weights::layout(&config);
    let unknown = file.names().into_iter().filter(|&it| layout.iter().all(|(name, _)| name != it));
    // The crate lists names in no fixed order.
    if let Some(name) = unknown.min() {
        let names: Vec<&str> = layout.iter().map(|(name, _)| &**name).collect();
        let reason = format!("unknown tensor `{name}`, expected {}", names.join(", "));
        return Err(FormatError::manifest(reason));
    }
    let arrays = layout.into_iter().map(|(name, expected)| {
        let tensor = file.tensor(&name).map_err(|e| FormatError::manifest(e.to_string()))?;
        // The shape is checked first: there may be many values.
        if tensor.shape() != expected {
            let got = tensor.shape();
            let reason = format!("tensor `{name}` has shape {got:?}, must be {expected:?}");
            return Err(FormatError::manifest(reason));
        }
        Ok(NamedArray { data: values(&name, &tensor)?, shape: expected, name })
    });
    Ok(Weights::from_arrays(&config, arrays.collect::<Result<_, _>>()?)?)
}

fn check_outputs(weights: &Weights) -> Result<(), FormatError> {
    if weights.have_finite_outputs() { Ok(()) } else { Err(FormatError::Overflow) }
}

fn values(name: &str, tensor: &TensorView) -> Result<Vec<f32>, FormatError> {
    match tensor.dtype() {
        Dtype::F32 => Ok(floats(tensor.data())),
        Dtype::F16 => {
            let halves = tensor.data().as_chunks::<2>().0;
            Ok(halves.iter().map(|&bytes| f16::from_le_bytes(bytes).to_f32()).collect())
        }
        other => {
            let reason = format!("tensor `{name}` is {other}, must be F32 or F16");
            Err(FormatError::manifest(reason))
        }
    }
}
