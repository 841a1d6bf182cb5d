//! The rules of Newmarket and its family, as an environment.
//!
//! Modules in reading order: rules ([`rules`], [`Game`]) → state ([`State`], [`Session`]) → view
//! ([`View`], [`Knowledge`]) → encoding ([`encode`]) → environment ([`Env`], [`BatchEnv`]).
//! [`referee`] is the slow, obvious twin of [`State`]; it writes and judges [`trace`]s.

/// The book runs: the README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

mod action;
mod card;
mod card_set;
mod claims;
pub mod poker;
pub mod seed;

mod deal_start;
mod game;
pub mod rules;

mod deal_starts;
mod inference;
mod knowledge;
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

mod batch;
mod env;

pub mod perft;
pub mod referee;
pub mod trace;

pub use action::{Action, ActionMask};
pub use batch::{Arrays, Autoreset, BatchEnv, BatchError, Buffers, Entry, Rows};
pub use card::{Aces, Card, Suit};
pub use card_set::CardSet;
pub use claims::Claims;
pub use deal_start::{DealStart, Seats};
pub use deal_starts::DealStarts;
pub use driver::{DealDriver, Decision};
pub use encode::Observation;
pub use env::Env;
pub use episode::{Episode, EpisodeDriver, RewardLedger};
pub use game::{Game, Hands, Pack};
pub use inference::Inference;
pub use knowledge::Knowledge;
pub use open::{Ending, Next, OpenPlay, Position, Turn};
pub use referee::{Event, Referee};
pub use rules::{Exchange, LoadError, MAX_CELLS, MAX_PLAYERS, Rules, Spec};
pub use seed::{Rng, Seed};
pub use session::{Gift, Session};
pub use state::{IllegalAction, Outcome, Phase, PublicState, State};
pub use trace::Record;
pub use view::{OwnCards, View};
pub use worlds::Worlds;
