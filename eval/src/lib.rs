//! Evaluation: the strength of players, their exploitability, and the value of choices.
//!
//! - **In**: a [`Game`](newmarket_env::Game), players ([`Player`](newmarket_agents::Player)), a number
//!   of deals, a seed.
//! - **Out**: plain data with 95 % intervals, which serialize to the program's JSON.
//! - **Does not know**: how players were trained, files, the terminal, the clock.
//!
//! | module or type | question |
//! | --- | --- |
//! | [`Duel`] | how much better one player is than another, on duplicate deals |
//! | [`SessionDuel`] | the same over whole sessions: chips, and sessions won |
//! | [`survey`] | at which of many tables a player is behind |
//! | [`ladder`] | how all players of a list compare: a cross table and ratings |
//! | [`exact`] | how far a player is from an equilibrium, exactly, in small games |
//! | [`LocalBestResponse`] | what a search that knows a fixed player gains over it: a lower bound |
//! | [`UpperBound`] | what no strategy of one seat gains over a fixed player |
//! | [`study`] | what a lead, an ante, the dead hand or a tip is worth |
//! | [`study::learn`] | which list of few clauses gains most |
//!
//! The same input gives the same bits on any number of threads.
//!
//! ```
//! use std::sync::Arc;
//!
//! use newmarket_agents::Player;
//! use newmarket_agents::strategy::Strategy;
//! use newmarket_env::{Game, Rules};
//! use newmarket_eval::Duel;
//!
//! let game = Arc::new(Game::new(Rules::named("newmarket").unwrap(), 4)?);
//! let hero: Player = Strategy::named("stopper").unwrap().into();
//! let field: Player = Strategy::named("longest").unwrap().into();
//! let report = Duel { game, hero: &hero, field: &field, deals: 500, seed: 1 }.run(|_| {});
//! assert!(report.separated && report.gain > 0.0);
//! println!("{}", report.sentence());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod duel;
pub mod exact;
pub mod ladder;
mod local_best_response;
mod replay;
mod sessions;
pub mod study;
pub mod survey;
mod upper_bound;

pub use duel::{Duel, DuelReport, KindGain};
pub use local_best_response::{Effort, LocalBestResponse, NoAnswer};
pub use sessions::{SessionDuel, SessionDuelReport, Stacks};
pub use upper_bound::{BoundEffort, BoundReport, NoBound, SeatBound, UpperBound, UpperLimit};
