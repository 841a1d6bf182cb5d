//! Networks as files for other programs.

mod about;
mod npz;
mod onnx;
mod onnx_exact;
mod policy;
mod protobuf;
mod safetensors;
mod zip;

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use half::f16;
use newmarket_agents::net::Plays;
use newmarket_net::{NamedArray, Weights};

use crate::format_error::FormatError;
use crate::golden::Golden;
use crate::hash::hash;
use crate::manifest::{Encoding, PLAYER_LIKELIEST, PLAYER_VERSION};
use crate::player::{NetPlayer, PLAYER, PlayerManifest};

/// A message of Protocol Buffers has less than 2 GiB, an archive less than 4.
const MOST_PARAMETERS: usize = 1 << 28;

/// A kind of file that a player can be written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Weights and metadata, as [`NetPlayer::from_bytes`] reads them.
    Safetensors,
    /// Arrays of numpy, and metadata.
    Npz,
    /// A model that runtimes of other languages run.
    Onnx,
}

/// The numbers of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// Weights and arithmetic of 32 bits.
    Single,
    /// Weights of 16 bits, arithmetic of 32.
    Half,
    /// Whole numbers, with which this program plays: the same logits to the bit. ONNX alone.
    Exact,
}

/// The contents of an exported player, the same in every kind of file.
struct Export<'p> {
    player: &'p NetPlayer,
    /// The weights as written: rounded to 16 bits with [`Precision::Half`].
    weights: Weights,
    precision: Precision,
    /// The temperature of a player that makes mistakes on purpose. A file has one for all games.
    temperature: Option<f32>,
    /// How the player chooses without that.
    plays: Plays,
}

impl NetPlayer {
    /// The bytes of a file for other programs, the same for the same player.
    ///
    /// # Errors
    ///
    /// If the network is not made for this program's encoding, a weight is too large for 16 bits, there are
    /// more than fit into a file, or a format other than ONNX is to be exact.
    pub fn export(&self, format: Format, precision: Precision) -> Result<Vec<u8>, FormatError> {
        self.checkpoint.check_encoding(Encoding::current())?;
        let weights = &self.checkpoint.weights;
        let parameters = weights.config().parameters();
        if parameters > MOST_PARAMETERS {
            return Err(FormatError::TooMany { got: parameters, most: MOST_PARAMETERS });
        }
        let half = precision == Precision::Half;
        let weights = if half { rounded(weights)? } else { weights.clone() };
        let (temperature, plays) = (self.temperature(), self.choice.plays().unwrap_or_default());
        let export = Export { player: self, weights, precision, temperature, plays };
        match (format, precision) {
            (Format::Onnx, _) => onnx::bytes(&export),
            (_, Precision::Exact) => Err(FormatError::NotExact),
            (Format::Safetensors, _) => safetensors::bytes(&export),
            (Format::Npz, _) => npz::bytes(&export),
        }
    }
}

impl Export<'_> {
    /// Whether the weights have 16 bits.
    fn is_half(&self) -> bool {
        self.precision == Precision::Half
    }

    /// The metadata, a JSON text: the same in every kind of file.
    fn manifest(&self) -> Result<String, FormatError> {
        let checkpoint = &self.player.checkpoint;
        let exact = self.precision == Precision::Exact;
        let manifest = PlayerManifest {
            schema: PLAYER.into(),
            version: if self.plays.draw() { PLAYER_VERSION } else { PLAYER_LIKELIEST },
            encoding: Encoding::current(),
            temperature: self.temperature,
            plays: self.plays,
            weights_blake3: Some(hash(self.weights.arrays())),
            rounded_from: self.is_half().then(|| checkpoint.weights_hash()),
            golden: (!exact).then(|| Golden::of(&self.weights)),
            run: Some(checkpoint.clone().release().run),
            about: Some(about::about(self, exact)),
        };
        serde_json::to_string(&manifest).map_err(|e| FormatError::manifest(e.to_string()))
    }
}

/// The weights, each rounded to the nearest number of 16 bits.
fn rounded(weights: &Weights) -> Result<Weights, FormatError> {
    let arrays = weights.arrays().iter().map(|array| {
        let data = array.data.iter().map(|&value| {
            let near = f16::from_f32(value).to_f32();
            let name = || array.name.clone();
            if near.is_finite() {
                Ok(near)
            } else {
                Err(FormatError::TooLarge { name: name(), value })
            }
        });
        let data = data.collect::<Result<_, _>>()?;
        Ok(NamedArray { name: array.name.clone(), shape: array.shape.clone(), data })
    });
    Ok(Weights::from_arrays(weights.config(), arrays.collect::<Result<_, FormatError>>()?)?)
}
