//! Players that search: fair ones in sampled determinizations, an open one in the true cards.
//!
//! [`Pimc`] and [`Ismcts`] see a view. They sample complete deals that are consistent with it, each
//! equally likely, and play those on with all cards face up. [`Omniscient`] is shown the true
//! cards.

mod budget;
pub(crate) mod chunks;
mod evaluator;
mod expectimax;
mod ismcts;
mod leaf;
mod max_n;
mod omniscient;
mod pimc;
pub(crate) mod plans;
mod playout;
mod positions;
mod spec;

pub use budget::{Budget, Clock};
pub use evaluator::{DeterminizedEvaluator, gains_by_world};
pub use expectimax::Expectimax;
pub use ismcts::Ismcts;
pub use max_n::{Gains, MaxN};
pub use omniscient::Omniscient;
pub use pimc::Pimc;
pub use playout::Playout;
pub use spec::{NAMES, SpecError, named};
