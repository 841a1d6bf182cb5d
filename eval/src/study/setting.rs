//! What a study is given.

use std::sync::Arc;

use newmarket_agents::Player;
use newmarket_env::{Game, Seed};

use super::payoff::{Ledger, Payoff};

/// Who sits in the other seats where nothing is said.
pub(super) const USUAL_FIELD: &str = "stopper";

/// The table that is studied, and how many deals.
pub struct Setting<'a> {
    /// The rules and the number of seats.
    pub game: Arc<Game>,
    /// Who sits in all seats.
    pub field: &'a Player,
    /// How the seat plays on whose choice is studied, whatever it chose.
    pub player: &'a Player,
    /// Deals in each part of the study.
    pub deals: u64,
    /// Fixes the deals and all random numbers.
    pub seed: u64,
    /// What counts as the payoff of a deal.
    pub payoff: Payoff,
}

/// The child of the seed for what chips that stay are worth.
pub(super) const LEDGER: u64 = 1 << 32;

impl Setting<'_> {
    /// Where deals begin and what they pay, at this table or one like it.
    pub(super) fn ledger(&self, game: &Arc<Game>, field: &Player) -> Ledger {
        Ledger::new(self.payoff, game, field, self.deals, Seed::new(self.seed).child(LEDGER))
    }
}

/// A study that makes no sense in a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NothingToStudy(pub String);
