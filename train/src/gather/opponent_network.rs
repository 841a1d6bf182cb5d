//! A network among the opponents, as a message.

use super::MessageError;
use crate::state::encoding;
use newmarket_checkpoints::Checkpoint;
use std::sync::Arc;

/// A network among the opponents, as workers receive it.
#[derive(Clone)]
pub struct OpponentNetwork {
    id: String,
    bytes: Arc<[u8]>,
    saved: Arc<Checkpoint>,
}

impl OpponentNetwork {
    /// The message of a checkpoint.
    ///
    /// # Errors
    ///
    /// If the checkpoint cannot be written.
    pub(crate) fn of(saved: Checkpoint) -> Result<Self, MessageError> {
        let bytes = saved.to_bytes().map_err(MessageError::of("an opponent network"))?;
        Ok(Self { id: id(&bytes), bytes: bytes.into(), saved: Arc::new(saved) })
    }

    /// Reads a message.
    ///
    /// # Errors
    ///
    /// If the message is no whole checkpoint of a network for this encoding.
    pub fn read(bytes: &[u8]) -> Result<Self, MessageError> {
        let read = || {
            let saved = Checkpoint::from_bytes(bytes)?;
            saved.check_encoding(encoding()).map(|()| saved)
        };
        let saved = read().map_err(MessageError::of("an opponent network"))?;
        Ok(Self { id: id(bytes), bytes: bytes.into(), saved: Arc::new(saved) })
    }

    /// The id of the network: the seal of its bytes, in hexadecimal.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The message.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The checkpoint.
    pub(crate) fn saved(&self) -> &Checkpoint {
        &self.saved
    }
}

/// The seal of a whole checkpoint, in hexadecimal.
fn id(checkpoint: &[u8]) -> String {
    let seal = checkpoint.last_chunk::<32>().copied().unwrap_or_default();
    blake3::Hash::from_bytes(seal).to_hex().to_string()
}
