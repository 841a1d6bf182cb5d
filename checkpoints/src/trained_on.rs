//! The games that a network was trained on.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// The games that a network was trained on, or the networks that it was joined from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrainedOn {
    /// All tables of one run.
    Tables(Vec<TrainedTable>),
    /// The network was joined from these.
    Joined(Vec<Parent>),
}

/// The games of one kind of table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainedTable {
    /// The rules in full, as text (TOML).
    pub rules: String,
    /// The least and the greatest number of players; all numbers between have equal shares.
    pub players: [usize; 2],
    /// Its share of the deals, 0 to 1.
    pub share: f32,
    /// The kind of episode: `deal`, `carried_deal` or `session`.
    pub episode: String,
}

/// One of several networks that were joined.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parent {
    /// BLAKE3 of its weights.
    pub weights_blake3: String,
    /// The games that it was trained on.
    pub trained_on: TrainedOn,
    /// Its updates.
    pub update: u64,
    /// Decisions played for its training.
    pub decisions: u64,
}

impl Default for TrainedOn {
    fn default() -> Self {
        Self::Tables(Vec::new())
    }
}
