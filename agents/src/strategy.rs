//! Strategies as data: anybody's idea of a lead, an ante or the dead hand.
//!
//! ```text
//! file (TOML, JSON) -> FileNode -> Content -> Strategy, an Agent
//! ```
//!
//! A [`Strategy`] is a base player and, for some kinds of decision, clauses. A clause narrows the legal
//! choices; what the last one leaves open the base decides. Clauses ask for [facts](facts()), which are the
//! vocabulary of `docs/STRATEGIES.md`. The named heuristics and `basic` are strategies ([`NAMES`]).
//!
//! ```
//! use newmarket_agents::strategy::{Content, Strategy};
//!
//! let file = serde_json::json!({
//!     "base": "stopper",
//!     "lead": ["run stops", "most chips", "when others took the dead hand: top card"],
//!     "dead_hand": ["boodles >= 1: keep", "stops <= 2: take"],
//! });
//! let content = Content::from_json(&file)?;
//! let player = Strategy::new("mine", content.into(), &mut |name| Err(format!("no player {name}")));
//! assert!(player.is_ok());
//!
//! let faults = Content::from_json(&serde_json::json!({ "lead": ["most chps"] })).unwrap_err();
//! assert!(faults.to_string().contains("chips"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod content;
mod expression;
mod facts;
mod named;
mod node;
mod notes;
mod parse;
mod player;
#[cfg(feature = "std")]
mod reason;
mod split;
#[cfg(feature = "std")]
mod words;

pub use content::{
    BASES, Base, ClaimedGain, Content, DEEPEST_BASE, DecisionKind, FORMAT, Files, LONGEST_LIST,
    List,
};
pub use expression::{Clause, Line};
pub use facts::{Fact, Scope, Unit, fact, facts};
#[cfg(feature = "std")]
pub use named::{AFTER_LOOK_TOML, toml as named_toml};
pub use named::{NAMES, content as named_content};
pub use node::{FileNode, NodeValue};
pub use notes::{Memory, Notes};
pub use parse::LONGEST_CLAUSE;
pub use player::{FindPlayer, Strategy};
#[cfg(feature = "std")]
pub use reason::Reason;
#[cfg(feature = "std")]
pub use words::WordedPart;
