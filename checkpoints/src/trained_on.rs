//! What a network was trained on.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// What a network was trained on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrainedOn {
    /// One run at these tables; all of them.
    Tables(Vec<TrainedTable>),
    /// Nothing itself: it was joined from these networks.
    Joined(Vec<Parent>),
}

/// The games of one kind of table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainedTable {
    /// The rules in full, as text (TOML).
    pub rules: String,
    /// The least and the greatest number of players; all between were trained on alike.
    pub players: [usize; 2],
    /// Its share of the deals, 0 to 1.
    pub share: f32,
    /// What an episode was, as the training configuration names it: `deal`, `carried_deal`, `session`.
    pub episode: String,
}

/// A network that others were joined with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parent {
    /// BLAKE3 of its weights.
    pub weights_blake3: String,
    /// What it was trained on.
    pub trained_on: TrainedOn,
    /// Its updates.
    pub update: u64,
    /// Decisions that were played for it.
    pub decisions: u64,
}

impl Default for TrainedOn {
    fn default() -> Self {
        Self::Tables(Vec::new())
    }
}
