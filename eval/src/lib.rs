//! Duels: how much better one player is than another, with an interval. Small games, solved
//! exactly: how far a player is from an equilibrium.

mod duel;
pub mod exact;
mod stats;

pub use duel::{Duel, DuelReport};
pub use stats::{Estimate, Mean};
