//! Networks as files for other programs.

mod about;
mod safetensors;

use alloc::string::String;
use alloc::vec::Vec;

use half::f16;
use newmarket_agents::net::Choice;
use newmarket_net::{NamedArray, Weights};

use crate::format_error::FormatError;
use crate::golden::Golden;
use crate::manifest::Encoding;
use crate::player::NetPlayer;

/// A kind of file that a player can be written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Weights and metadata, as [`NetPlayer::from_bytes`] reads them.
    Safetensors,
}

/// What every kind of file says of a player.
struct Export<'p> {
    player: &'p NetPlayer,
    /// As they are written: of 16 bits if `half`.
    weights: Weights,
    half: bool,
}

impl NetPlayer {
    /// The bytes of a file for other programs, the same for the same player; with weights of 16 bits
    /// if `half`.
    ///
    /// # Errors
    ///
    /// If the network is not made for this program's encoding, or a weight is too large for 16 bits.
    pub fn export(&self, format: Format, half: bool) -> Result<Vec<u8>, FormatError> {
        self.checkpoint.check_encoding(Encoding::current())?;
        let weights = &self.checkpoint.weights;
        let weights = if half { rounded(weights)? } else { weights.clone() };
        let export = Export { player: self, weights, half };
        match format {
            Format::Safetensors => safetensors::bytes(&export),
        }
    }
}

impl Export<'_> {
    /// What the logits are divided by before an action is drawn; none if the likeliest is taken.
    fn temperature(&self) -> Option<f32> {
        match self.player.choice {
            Choice::Greedy => None,
            Choice::Sampled => Some(1.0),
            Choice::Tempered(by) => Some(by),
        }
    }

    /// The hash of the weights before they were rounded, if they were.
    fn rounded_from(&self) -> Option<String> {
        self.half.then(|| self.player.checkpoint.weights_hash())
    }

    fn golden(&self) -> Golden {
        Golden::of(&self.weights)
    }
}

/// The same weights, each the nearest number of 16 bits.
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
