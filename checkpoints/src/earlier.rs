//! Networks for earlier encodings, as they play in this program.

use alloc::vec::Vec;

use newmarket_env::{Observation, encode};

use crate::format_error::FormatError;
use crate::manifest::{Checkpoint, Encoding};

/// Where the entries of this encoding stand in that of this program, where it is an earlier one of which
/// nothing has gone; nothing if it is this program's.
///
/// # Errors
///
/// If it is any other encoding.
pub(crate) fn places(of: Encoding) -> Result<Option<Vec<usize>>, FormatError> {
    let expected = Encoding::current();
    if of == expected {
        return Ok(None);
    }
    let places = encode::places_of(of.version, of.fingerprint);
    places.map(Some).ok_or(FormatError::Encoding { got: of, expected })
}

impl Checkpoint {
    /// The network for this program's encoding: what an earlier one did not have, it does not see.
    ///
    /// # Errors
    ///
    /// If it is for an encoding of which nothing is known here.
    pub fn for_this_encoding(mut self) -> Result<Self, FormatError> {
        if let Some(places) = places(self.run.encoding)? {
            self.weights = self.weights.widened(&places, Observation::LEN);
            self.run.encoding = Encoding::current();
        }
        Ok(self)
    }
}
