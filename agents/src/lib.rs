//! Players: rules of thumb, the policy network, and the table at which they sit.

mod agent;
pub mod net;
mod record;
mod table;
pub mod thumb;

pub use agent::Agent;
pub use record::{Deals, Disagreement, record};
pub use table::{DealResult, Paired, Table};
