//! A network that sits at the tables besides the policy.

use super::MessageError;
use crate::state::encoding;
use newmarket_checkpoints::Checkpoint;
use std::sync::Arc;

/// A network that sits at the tables besides the policy, as those who gather are sent it.
#[derive(Clone)]
pub struct Guest {
    id: String,
    bytes: Arc<[u8]>,
    saved: Arc<Checkpoint>,
}

impl Guest {
    /// The guest that plays this network.
    ///
    /// # Errors
    ///
    /// If it cannot be a checkpoint.
    pub(crate) fn of(saved: Checkpoint) -> Result<Self, MessageError> {
        let bytes = saved.to_bytes().map_err(MessageError::of("a guest"))?;
        Ok(Self { id: id(&bytes), bytes: bytes.into(), saved: Arc::new(saved) })
    }

    /// What was sent.
    ///
    /// # Errors
    ///
    /// If it is not the whole checkpoint of a network for this encoding.
    pub fn read(bytes: &[u8]) -> Result<Self, MessageError> {
        let read = || {
            let saved = Checkpoint::from_bytes(bytes)?;
            saved.check_encoding(encoding()).map(|()| saved)
        };
        let saved = read().map_err(MessageError::of("a guest"))?;
        Ok(Self { id: id(bytes), bytes: bytes.into(), saved: Arc::new(saved) })
    }

    /// What it is called: the seal of its bytes, in hexadecimal.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What is sent.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The network.
    pub(crate) fn saved(&self) -> &Checkpoint {
        &self.saved
    }
}

/// The seal of a whole checkpoint, in hexadecimal.
fn id(checkpoint: &[u8]) -> String {
    let seal = checkpoint.last_chunk::<32>().copied().unwrap_or_default();
    blake3::Hash::from_bytes(seal).to_hex().to_string()
}
