//! Players that look ahead: at worlds that could be, or at the cards themselves.
//!
//! [`Pimc`] and [`Ismcts`] see what everybody may see. They imagine complete deals that are
//! consistent with it, every one equally likely, and play those on with all cards face up.
//! [`Omniscient`] is shown the true cards: no player, but the ceiling above all players.

mod appraise;
mod budget;
mod ismcts;
mod omniscient;
mod outlook;
mod pieces;
mod pimc;
mod plans;
mod playout;
mod rest;
mod solve;
mod spec;

pub use appraise::Appraiser;
pub use budget::{Budget, Clock};
pub use ismcts::Ismcts;
pub use omniscient::Omniscient;
pub use outlook::Outlook;
pub use pimc::Pimc;
pub use playout::Playout;
pub use solve::{Gains, Solver};
pub use spec::{NAMES, SpecError, named};
