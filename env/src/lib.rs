//! The rules of Newmarket and its family, as an environment for players and for learning.
//!
//! An environment takes rules ([`Rules`]: a named game, or one with changes), a number of players and a
//! seed. Players answer each decision with an [`Action`]. The environment gives views and action masks
//! for the seat to act, on request encoded as [`Observation`]s, and rewards in chips. A player gets a
//! [`View`]: what everybody has seen and its own cards, from which nothing leads to the cards of the
//! others. The crate contains no player, no network and no terminal. Without the feature `std` it only
//! needs an allocator.
//!
//! ```
//! use newmarket_env::{Env, Episode, Game, Rules, Seed, random};
//! use std::sync::Arc;
//!
//! let game = Arc::new(Game::new(Rules::named("michigan").unwrap(), 4)?);
//! let mut env = Env::new(game, Episode::Deal);
//! env.reset(Seed::new(1));
//! let mut rng = Seed::new(2).rng();
//! while !env.is_over() {
//!     let view = env.observe(env.seat());
//!     let action = random::choice(view.legal(), &mut rng);
//!     env.step(action)?;
//! }
//! println!("seat 0 gained {} chips", env.state().stacks()[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Modules in reading order: rules ([`rules`], [`Game`]) → state ([`PublicState`], [`State`],
//! [`Session`]) → view ([`View`], [`Knowledge`]) → encoding ([`encode`]) → drivers ([`DealDriver`],
//! [`EpisodeDriver`]) → environment ([`Env`], [`BatchEnv`]). Each imports only from those before it.
//! `referee` is the slow, obvious twin of [`State`]; it writes and checks traces (`trace`).
//!
//! The small types [`Suit`], [`Rank`], [`Card`] and [`Action`] have the same methods: `ALL`, `index()`,
//! `try_from_index` (`None` out of range) and `from_index` (panics out of range). Seats are `usize`,
//! because they index the arrays of a table. Chips are `i32`, because they are added and divided
//! everywhere.

#![cfg_attr(not(test), no_std)]
#![warn(clippy::std_instead_of_core, clippy::std_instead_of_alloc, clippy::alloc_instead_of_core)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

/// The example of the README is a test.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../../README.md")]
struct Readme;

#[cfg(feature = "std")]
pub mod files;
pub mod text;

mod action;
mod by_seat;
mod card;
mod card_set;
mod claims;
pub mod poker;
pub mod seed;

mod deal_start;
mod game;
pub mod rules;
mod seats;

mod deal_starts;
mod inference;
mod knowledge;
mod past_decisions;
mod session;
mod state;
mod stop;
mod view;
pub mod worlds;

mod open;

pub mod random;

pub mod encode;

mod driver;
mod episode;

mod event;
mod narrate;
mod seen;
mod sequences;

mod batch;
mod env;

#[cfg(feature = "std")]
pub mod perft;
#[cfg(feature = "std")]
pub mod referee;
pub mod trace;

pub use action::{Action, ActionMask};
pub use batch::{
    Autoreset, BatchEnv, BatchError, Buffers, Entries, Entry, PlainObservations, PlainRewards,
    PlainRows, Rows,
};
pub use by_seat::BySeat;
pub use card::{Aces, Card, Rank, Suit};
pub use card_set::CardSet;
pub use claims::Claims;
pub use deal_start::DealStart;
pub use deal_starts::DealStarts;
pub use driver::{DealDriver, Decision};
pub use encode::{Change, Encoder, Observation};
pub use env::Env;
pub use episode::{Episode, EpisodeDriver, RewardLedger};
pub use event::{Event, HandName, Name, Payee, Why};
pub use game::{Game, Hands, Pack};
pub use inference::Inference;
pub use knowledge::Knowledge;
pub use narrate::narrate;
pub use open::{Ending, Next, OpenPlay, Position, Turn};
pub use past_decisions::PastDecision;
#[cfg(feature = "std")]
pub use referee::Referee;
pub use rules::{Exchange, LoadError, MAX_CELLS, MAX_PLAYERS, Rules, Spec};
pub use seats::Seats;
pub use seed::{Rng, Seed};
pub use seen::{Impossible, Seen};
pub use sequences::Sequence;
pub use session::{Gift, Session};
pub use state::{IllegalAction, Outcome, Phase, PublicState, State};
pub use trace::Record;
pub use view::{OwnCards, View};
pub use worlds::Worlds;
