//! The engine protocol `newmarket.protocol/1`: players of this game for programs in any language.
//!
//! A host tells the [`Engine`] what one or several seats see of their deals, one JSON object a line,
//! and asks it to play or to analyse. `PROTOCOL.md` has every message. A [`SessionTable`] is the other half:
//! it deals, tells every seat what it may know, and takes answers. Neither reads a file or a clock.
//!
//! ```
//! use newmarket_agents::strategy::Strategy;
//! use newmarket_engine::Engine;
//!
//! let players = |name: &str| match Strategy::named(name) {
//!     Some(player) => Ok(Box::new(player) as Box<dyn newmarket_agents::Agent>),
//!     None => Err("expected stopper".into()),
//! };
//! let mut engine = Engine::new(Box::new(players), &["stopper"], || std::time::Duration::ZERO);
//! let replies = engine.receive(br#"{"type":"hello","versions":[1]}"#);
//! assert!(replies[0].starts_with(r#"{"type":"hello","version":1,"#));
//! ```

#![no_std]
#![warn(clippy::std_instead_of_core, clippy::std_instead_of_alloc, clippy::alloc_instead_of_core)]

extern crate alloc;
#[cfg(any(test, doctest))]
extern crate std;

mod analysis;
mod check;
mod decision;
mod engine;
mod faults;
mod fields;
mod named;
mod player;
mod reasons;
mod reply;
mod requests;
mod seat;
mod shared;
mod table;
mod tables;
mod values;
pub mod words;

pub use analysis::{Analysis, Judged, MOST_RETURNED, Trials};
pub use decision::Choice;
pub use engine::{Engine, LONGEST_LINE, PlayerSource};
pub use reasons::reasons;
pub use shared::SharedDeal;
pub use table::{NotLegal, SessionTable};
pub use tables::{Asked, Tables};

/// The version of the protocol, and of its schema.
pub const VERSION: u64 = 1;
