//! A table of the values of positions that were visited in one deal.

use core::hash::{BuildHasherDefault, Hasher};

use hashbrown::HashMap;
use newmarket_env::Position;

/// A value for each position looked at.
pub(super) type Positions<T> = HashMap<Position, T, BuildHasherDefault<Mixer>>;

/// Mixes the one word of a [`Position`]. A deal's positions are no adversary.
#[derive(Default)]
pub(super) struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
