//! Studies: what a choice is worth, with intervals.
//!
//! A study is a function of a [`Setting`]: the same game, agents, number of deals and seed give the
//! same [`Section`] on any machine and any number of threads. All ways to choose are played on the
//! same deals, with the same random numbers for every seat (common random numbers), so that luck
//! cancels in every difference.
//!
//! [`Measurement`] is the kernel: it plays the deals and keeps the figures. [`Section`] and
//! [`Table`] are what a study found, as plain data; how to show it is the program's business.

mod least_squares;
mod measure;
mod report;
mod tally;

pub mod tips;

use std::sync::Arc;

use newmarket_agents::Agent;
use newmarket_env::Game;

pub use least_squares::{Fit, Normal};
pub use measure::{Deal, Measured, Measurement};
pub use report::{Cell, Section, Table};
pub use tally::Tally;

/// What a study is about, and how much of it.
pub struct Setting<'a> {
    /// The rules and the table.
    pub game: Arc<Game>,
    /// Who sits at the table.
    pub field: &'a dyn Agent,
    /// A strong player, to judge by.
    pub reference: &'a dyn Agent,
    /// Deals in each part of the study.
    pub deals: u64,
    /// What fixes the deals.
    pub seed: u64,
}

/// A study that makes no sense in a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NothingToStudy(pub String);
