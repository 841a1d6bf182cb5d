//! Players: heuristics, search, the policy network, and the table at which they sit.
//!
//! It is for programs that need a hand played. A fair player ([`Agent`]) is shown a
//! [`View`](newmarket_env::View) and a stream of random numbers, and chooses one of the legal
//! actions. It cannot be shown the state; [`Omniscient`](search::Omniscient) can. An
//! [`EventAgent`] sees the deal event by event. [`Player`] is any of them.
//!
//! A [`Runner`] plays a deal or a session decision by decision. [`Table`] seats players for a deal,
//! [`play_session`] for a session, and [`record`] writes traces; all three play by a runner. The crate
//! knows nothing of files, of training or of the terminal, and reads no clock but the one that it is
//! given.
//!
//! ```
//! use std::sync::Arc;
//!
//! use newmarket_agents::strategy::Strategy;
//! use newmarket_agents::{Agent, Table};
//! use newmarket_env::{Game, Rules, Seed};
//!
//! let game = Arc::new(Game::new(Rules::named("newmarket").unwrap(), 4)?);
//! let mut stopper = Strategy::named("stopper").unwrap();
//! let mut table = Table::new(game);
//! let result = table.play(Seed::new(1), |_seat, view, rng| stopper.act(view, rng));
//! assert_eq!(result.payoffs.len(), 8); // chips that each seat gained
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Without the feature `std` (on by default) it needs `alloc` only: heuristics, search on one
//! thread, and network players are there; tables, records and paired statistics are not.

#![no_std]
#![warn(clippy::std_instead_of_core, clippy::std_instead_of_alloc, clippy::alloc_instead_of_core)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod events;
mod leftover;
#[cfg(feature = "std")]
mod many;
#[cfg(feature = "std")]
mod mixed;
pub mod net;
#[cfg(feature = "std")]
pub mod paired;
mod player;
#[cfg(feature = "std")]
mod record;
mod runner;
pub mod search;
#[cfg(feature = "std")]
mod seated;
mod session;
pub mod strategy;
#[cfg(feature = "std")]
mod table;
#[cfg(feature = "std")]
pub mod trials;
mod unit;
mod usual;

pub use events::{DealEvents, EventAgent, Replay, SessionPlace};
pub use leftover::expected_of_left;
#[cfg(feature = "std")]
pub use many::DecideMany;
#[cfg(feature = "std")]
pub use mixed::Mixed;
pub use player::{Agent, BatchPolicy, OpenView, Player};
#[cfg(feature = "std")]
pub use record::{Deals, Disagreement, Recorded, record, record_actions};
pub use runner::Runner;
#[cfg(feature = "std")]
pub use seated::{HeroSeat, OpponentSeats, PassedOver, Seated, Setup};
pub use session::{SessionResult, play_session};
#[cfg(feature = "std")]
pub use table::{DealResult, Paired, Table};
pub use unit::table_unit;
pub use usual::chance_to_win;
