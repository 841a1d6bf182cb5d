//! The rules of Newmarket and its family, as an environment.

mod action;
mod card;
mod card_set;
pub mod encode;
mod env;
mod game;
mod knowledge;
pub mod rules;
pub mod seed;
mod session;
mod standing;
mod state;
mod view;

pub use action::{Action, Legal};
pub use card::{Aces, Card, Suit};
pub use card_set::CardSet;
pub use encode::Observation;
pub use env::{Env, Episode};
pub use game::{Game, Hands, Pack};
pub use knowledge::Knowledge;
pub use rules::{LoadError, MAX_CELLS, MAX_PLAYERS, Rules, Spec};
pub use seed::{Rng, Seed};
pub use session::{Gift, Session};
pub use standing::{Seats, Standing};
pub use state::{IllegalAction, Outcome, Phase, State};
pub use view::View;
