//! A table of the values of positions that were visited in one deal.

use alloc::vec;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};

use newmarket_env::Position;

/// A value for each visited position: a hash table with open addressing, at most half full. A library's
/// map would be four times as much code in a web page.
pub(super) struct Positions<T> {
    /// The hash of an entry, and its number plus 1; 0 in an empty place.
    places: Vec<(u32, u32)>,
    entries: Vec<(Position, T)>,
}

impl<T> Default for Positions<T> {
    fn default() -> Self {
        Self { places: vec![(0, 0); 256], entries: Vec::new() }
    }
}

impl<T> Positions<T> {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn clear(&mut self) {
        self.places.fill((0, 0));
        self.entries.clear();
    }

    pub(super) fn get(&self, position: &Position) -> Option<&T> {
        let hash = hash(position);
        let mask = self.places.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            let (other, number) = self.places[place];
            let nth = number.checked_sub(1)? as usize;
            if other == hash && self.entries[nth].0 == *position {
                return Some(&self.entries[nth].1);
            }
            place = (place + 1) & mask;
        }
    }

    /// Adds a position that is not there yet.
    pub(super) fn insert(&mut self, position: Position, value: T) {
        self.entries.push((position, value));
        let entries = self.entries.len();
        if 2 * entries > self.places.len() {
            let room = vec![(0, 0); 4 * self.places.len()];
            for place in core::mem::replace(&mut self.places, room) {
                if place.1 > 0 {
                    self.put(place);
                }
            }
        }
        self.put((hash(&position), entries as u32));
    }

    fn put(&mut self, entry: (u32, u32)) {
        let mask = self.places.len() - 1;
        let mut place = entry.0 as usize & mask;
        while self.places[place].1 > 0 {
            place = (place + 1) & mask;
        }
        self.places[place] = entry;
    }
}

fn hash(position: &Position) -> u32 {
    let mut mixer = Mixer(0);
    position.hash(&mut mixer);
    mixer.finish() as u32
}

/// Mixes the one word of a [`Position`]. No adversary chooses the positions of a deal.
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
