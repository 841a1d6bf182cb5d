//! A packed observation as bytes, little-endian: the planes, the flags, the numbers.

use super::spans::{FLAG_BITS, FLAG_WORDS, PLANES, SCALARS};
use super::{Observation, Planes};
use crate::card::Card;
use crate::card_set::CardSet;

/// The cards that there are.
const CARDS: u64 = {
    let (mut all, mut index) = (0, 0);
    while index < Card::ALL.len() {
        all |= CardSet::of(Card::ALL[index]).bits();
        index += 1;
    }
    all
};

impl Observation {
    /// Length of [`Observation::to_bytes`].
    pub const BYTES: usize = 8 * PLANES.len() + 8 * FLAG_WORDS + 2 * SCALARS;

    /// The packed observation.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let (words, scalars) = bytes.split_at_mut(8 * (PLANES.len() + FLAG_WORDS));
        let planes = self.planes.in_order().map(CardSet::bits);
        for (place, word) in words.chunks_exact_mut(8).zip(planes.iter().chain(&self.flags)) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        for (place, scalar) in scalars.chunks_exact_mut(2).zip(self.scalars) {
            place.copy_from_slice(&scalar.to_le_bytes());
        }
        bytes
    }

    /// The observation of these bytes; `None` if they are no packed observation: the length is
    /// another one, or there are cards or facts that do not exist.
    pub fn try_from_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != Self::BYTES {
            return None;
        }
        let (words, scalars) = bytes.split_at(8 * (PLANES.len() + FLAG_WORDS));
        let mut words = words
            .chunks_exact(8)
            .map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default()));
        let mut next = || words.next().unwrap_or_default();
        let planes: [u64; PLANES.len()] = core::array::from_fn(|_| next());
        let flags: [u64; FLAG_WORDS] = core::array::from_fn(|_| next());
        let beyond =
            flags[FLAG_WORDS - 1].checked_shr(FLAG_BITS as u32 - 64 * (FLAG_WORDS as u32 - 1));
        if planes.iter().any(|plane| plane & !CARDS != 0) || beyond.is_some_and(|bits| bits != 0) {
            return None;
        }
        let [hand, played, dead, absent, located, live, apart] = planes.map(CardSet::from_bits);
        let mut observation = Self {
            planes: Planes { hand, played, dead, absent, located, live, apart },
            flags,
            scalars: [0; SCALARS],
        };
        for (scalar, place) in observation.scalars.iter_mut().zip(scalars.chunks_exact(2)) {
            *scalar = i16::from_le_bytes([place[0], place[1]]);
        }
        Some(observation)
    }
}
