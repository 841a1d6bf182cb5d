//! Networks as files for other programs.

mod about;
mod npz;
mod onnx;
mod protobuf;
mod safetensors;
mod zip;

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use half::f16;
use newmarket_net::{NamedArray, Weights};

use crate::format_error::FormatError;
use crate::golden::Golden;
use crate::hash::hash;
use crate::manifest::Encoding;
use crate::player::{NetPlayer, PLAYER, PLAYER_VERSION, PlayerManifest};

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

/// The contents of an exported player, the same in every kind of file.
struct Export<'p> {
    player: &'p NetPlayer,
    /// The weights as written: rounded to 16 bits with `half`.
    weights: Weights,
    half: bool,
    /// The temperature of the policy, if it samples. A file has one for all games.
    temperature: Option<f32>,
}

impl NetPlayer {
    /// The bytes of a file for other programs, the same for the same player. With `half`, weights have 16
    /// bits.
    ///
    /// # Errors
    ///
    /// If the network is not made for this program's encoding, a weight is too large for 16 bits, or
    /// there are more than fit into a file.
    pub fn export(&self, format: Format, half: bool) -> Result<Vec<u8>, FormatError> {
        self.checkpoint.check_encoding(Encoding::current())?;
        let weights = &self.checkpoint.weights;
        let parameters = weights.config().parameters();
        if parameters > MOST_PARAMETERS {
            return Err(FormatError::TooMany { got: parameters, most: MOST_PARAMETERS });
        }
        let weights = if half { rounded(weights)? } else { weights.clone() };
        let export = Export { player: self, weights, half, temperature: self.temperature() };
        match format {
            Format::Safetensors => safetensors::bytes(&export),
            Format::Npz => npz::bytes(&export),
            Format::Onnx => onnx::bytes(&export),
        }
    }
}

impl Export<'_> {
    /// The metadata, a JSON text: the same in every kind of file.
    fn manifest(&self) -> Result<String, FormatError> {
        let checkpoint = &self.player.checkpoint;
        let manifest = PlayerManifest {
            schema: PLAYER.into(),
            version: PLAYER_VERSION,
            encoding: Encoding::current(),
            temperature: self.temperature,
            weights_blake3: Some(hash(self.weights.arrays())),
            rounded_from: self.half.then(|| checkpoint.weights_hash()),
            golden: Some(Golden::of(&self.weights)),
            run: Some(checkpoint.clone().release().run),
            about: Some(about::about(&self.weights, self.temperature)),
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
