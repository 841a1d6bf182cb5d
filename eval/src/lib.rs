//! Evaluation: how strong players are, how exploitable they are, and what their choices are worth.
//!
//! - **In**: a [`Game`](newmarket_env::Game), players ([`Player`](newmarket_agents::Player)), a number
//!   of deals, a seed.
//! - **Out**: plain data with 95 % intervals, which serialize to the program's JSON.
//! - **May not know**: how players were trained, files, the terminal, the clock.
//!
//! | module or type | answers |
//! | --- | --- |
//! | [`Duel`] | how much better one player is than another, on duplicate deals |
//! | [`SessionDuel`] | the same over whole sessions: chips, and sessions won |
//! | [`survey`] | where a player is behind, at many tables judged together |
//! | [`ladder`] | everybody against everybody: a cross table and ratings |
//! | [`exact`] | how far a player is from an equilibrium, exactly, in small games |
//! | [`LocalBestResponse`] | what can be gained over a fixed player by search that knows it |
//! | [`study`] | what a lead, an ante, the dead hand or a tip is worth |
//!
//! The same input gives the same bits on any number of threads.
//!
//! ```
//! use std::sync::Arc;
//!
//! use newmarket_agents::Player;
//! use newmarket_agents::heuristic::Heuristic;
//! use newmarket_env::{Game, Rules};
//! use newmarket_eval::Duel;
//!
//! let game = Arc::new(Game::new(Rules::named("newmarket").unwrap(), 4)?);
//! let hero: Player = Heuristic::named("stopper").unwrap().into();
//! let field: Player = Heuristic::named("longest").unwrap().into();
//! let report = Duel { game, hero: &hero, field: &field, deals: 500, seed: 1 }.run(|_| {});
//! assert!(report.separated && report.gain > 0.0);
//! println!("{}", report.sentence());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod duel;
pub mod exact;
pub mod ladder;
mod leftover;
mod local_best_response;
mod sessions;
pub mod study;
pub mod survey;

pub use duel::{Duel, DuelReport};
pub use local_best_response::{Effort, LocalBestResponse, NoAnswer};
pub use sessions::{SessionDuel, SessionDuelReport, Stacks};
