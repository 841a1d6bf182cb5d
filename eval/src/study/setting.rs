//! What a study is given.

use std::sync::Arc;

use newmarket_agents::Player;
use newmarket_env::Game;

/// The table that is studied, and how many deals.
pub struct Setting<'a> {
    /// The rules and the number of seats.
    pub game: Arc<Game>,
    /// Who sits in all seats.
    pub field: &'a Player,
    /// A strong player, for comparison.
    pub reference: &'a Player,
    /// Deals in each part of the study.
    pub deals: u64,
    /// Fixes the deals and all random numbers.
    pub seed: u64,
}

/// A study that makes no sense in a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NothingToStudy(pub String);
