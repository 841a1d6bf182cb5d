//! Buffers that a test owns, for a batch to write into.

use newmarket_env::{ActionMask, Buffers, MAX_PLAYERS, Observation};

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Owned {
    pub(crate) observations: Vec<Observation>,
    pub(crate) legal: Vec<ActionMask>,
    pub(crate) seats: Vec<u8>,
    pub(crate) rewards: Vec<[i32; MAX_PLAYERS]>,
    pub(crate) over: Vec<bool>,
}

impl Owned {
    /// For so many tables, full of what no step would write.
    pub(crate) fn new(tables: usize) -> Self {
        Self {
            observations: vec![Observation::BLANK; tables],
            legal: vec![ActionMask::chips(0xff); tables],
            seats: vec![99; tables],
            rewards: vec![[-999; MAX_PLAYERS]; tables],
            over: vec![true; tables],
        }
    }

    pub(crate) fn buffers(&mut self) -> Buffers<'_> {
        Buffers {
            observations: &mut self.observations,
            legal: &mut self.legal,
            seats: &mut self.seats,
            rewards: &mut self.rewards,
            over: &mut self.over,
        }
    }
}
