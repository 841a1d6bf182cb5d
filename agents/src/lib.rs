//! Players: rules of thumb, search, the policy network, and the table at which they sit.

mod agent;
pub mod net;
mod record;
pub mod search;
mod table;
pub mod thumb;

pub use agent::{Agent, OpenTable};
pub use record::{Deals, Disagreement, record};
pub use table::{DealResult, Paired, Table};
