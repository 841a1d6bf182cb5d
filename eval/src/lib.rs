//! Duels: how much better one player is than another, with an interval.

mod duel;
mod stats;

pub use duel::{Duel, DuelReport};
pub use stats::{Estimate, Mean};
