//! Players: heuristics, search, the policy network, and the table at which they sit.

mod agent;
pub mod heuristic;
pub mod net;
pub mod paired;
mod record;
pub mod search;
mod table;

pub use agent::{Agent, OpenTable};
pub use record::{Deals, Disagreement, record};
pub use table::{DealResult, Paired, Table};
