//! A table of the values of positions that were visited in one deal.

use alloc::vec;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};

use newmarket_env::Position;

/// A value for each position looked at: open addressing, half full at most. A map of a library would be
/// four times as much code in a page.
pub(super) struct Positions<T> {
    /// By place: one more than the number of an entry; 0 if there is none.
    places: Vec<u32>,
    entries: Vec<(Position, T)>,
}

impl<T> Default for Positions<T> {
    fn default() -> Self {
        Self { places: vec![0; 64], entries: Vec::new() }
    }
}

impl<T> Positions<T> {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn clear(&mut self) {
        self.places.fill(0);
        self.entries.clear();
    }

    pub(super) fn get(&self, position: &Position) -> Option<&T> {
        let entry = self.places[self.place(position)].checked_sub(1)?;
        Some(&self.entries[entry as usize].1)
    }

    /// Adds a position that is not there yet.
    pub(super) fn insert(&mut self, position: Position, value: T) {
        self.entries.push((position, value));
        if 2 * self.entries.len() > self.places.len() {
            self.places = vec![0; 2 * self.places.len()];
            for nth in 0..self.entries.len() {
                self.put(nth);
            }
        } else {
            self.put(self.entries.len() - 1);
        }
    }

    fn put(&mut self, nth: usize) {
        let place = self.place(&self.entries[nth].0);
        self.places[place] = nth as u32 + 1;
    }

    /// Where a position stands, or would.
    fn place(&self, position: &Position) -> usize {
        let mut mixer = Mixer(0);
        position.hash(&mut mixer);
        let mask = self.places.len() - 1;
        let mut place = mixer.finish() as usize & mask;
        loop {
            match self.places[place] {
                0 => return place,
                entry if self.entries[entry as usize - 1].0 == *position => return place,
                _ => place = (place + 1) & mask,
            }
        }
    }
}

/// Mixes the one word of a [`Position`]. A deal's positions are no adversary.
struct Mixer(u64);

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
