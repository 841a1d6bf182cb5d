//! The play with all cards face up, solved: every leader takes what is best for itself.
//!
//! This is max-n (Luckhardt and Irani 1986): a position is worth to all seats what the choice
//! that is best for its leader is worth to them; among equals the first suit counts. A deal is
//! played by few runs in many orders, so the same positions come up again and again: each is
//! looked at once.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use newmarket_env::{MAX_PLAYERS, Next, OpenPlay, Position, Suit};

/// Chips that each seat gains, counted from where the [`OpenPlay`] begins.
pub type Gains = [i32; MAX_PLAYERS];

/// Solves positions of one deal.
#[derive(Default)]
pub struct Solver {
    known: HashMap<Position, Gains, BuildHasherDefault<Mixer>>,
}

impl Solver {
    /// Forgets the last deal.
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// Positions looked at since [`Solver::clear`].
    pub fn positions(&self) -> usize {
        self.known.len()
    }

    /// What each seat gains by the end, if all play for themselves from here on. All positions
    /// between two calls of [`Solver::clear`] must be of one deal.
    ///
    /// Gives up with `None` when it would have to look at more than `most` positions.
    pub fn gains(&mut self, open: &OpenPlay, at: &Position, most: usize) -> Option<Gains> {
        if let Some(&gains) = self.known.get(at) {
            return Some(gains);
        }
        if self.known.len() >= most {
            return None;
        }
        let (_, gains) = self.best(open, at, most)?;
        self.known.insert(*at, gains);
        Some(gains)
    }

    /// The leader's best suit, and what each seat gains by the end with it.
    pub fn best(&mut self, open: &OpenPlay, at: &Position, most: usize) -> Option<(Suit, Gains)> {
        let leader = at.leader();
        let mut best: Option<(Suit, Gains)> = None;
        for suit in at.suits() {
            let gains = match open.lead(at, suit) {
                Next::Lead(next) => self.gains(open, &next, most)?,
                Next::Over(end) => open.gains(&end),
            };
            if best.is_none_or(|(_, best)| gains[leader] > best[leader]) {
                best = Some((suit, gains));
            }
        }
        best
    }
}

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
