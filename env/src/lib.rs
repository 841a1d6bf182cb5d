//! The rules of Newmarket and its family, as an environment.

mod action;
mod card;
mod card_set;
mod game;
pub mod perft;
pub mod referee;
pub mod rules;
pub mod seed;
mod standing;
pub mod trace;

pub use action::{Action, Legal};
pub use card::{Aces, Card, Suit};
pub use card_set::CardSet;
pub use game::{Game, Hands};
pub use referee::{Event, Referee};
pub use rules::{LoadError, MAX_CELLS, MAX_PLAYERS, Rules, Spec};
pub use seed::{Rng, Seed};
pub use standing::{Seats, Standing};
pub use trace::Record;
