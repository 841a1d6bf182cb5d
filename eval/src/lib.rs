//! Duels: how much better one player is than another, with an interval. Ladders: everybody against
//! everybody. Small games, solved exactly: how far a player is from an equilibrium. Studies: what a
//! choice is worth.

mod duel;
pub mod exact;
pub mod ladder;
pub mod study;

pub use duel::{Duel, DuelReport};
