//! Bytes read as choices.

use newmarket_env::seed::below;
use newmarket_env::{Rng, Seed};

/// Bytes read one at a time. After the last there is no end of zeros, or of numbers drawn from a
/// seed: whatever is played by a tape comes to its end.
pub(crate) struct Tape<'t> {
    bytes: std::slice::Iter<'t, u8>,
    rest: Option<Rng>,
}

impl<'t> Tape<'t> {
    pub(crate) fn new(bytes: &'t [u8]) -> Self {
        Self { bytes: bytes.iter(), rest: None }
    }

    /// Reads the seed of what comes after the last byte; 0 is for zeros.
    pub(crate) fn seed_rest(&mut self) {
        let seed = self.byte();
        self.rest = (seed > 0).then(|| Seed::new(u64::from(seed)).rng());
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let rest = || self.rest.as_mut().map_or(0, |rng| below(rng, 256) as u8);
        self.bytes.next().copied().unwrap_or_else(rest)
    }

    pub(crate) fn word(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }

    /// A number below `n`, which is 1 … 256.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) % n
    }
}
