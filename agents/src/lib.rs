//! Players: rules of thumb, the policy network, and the table at which they sit.

mod agent;
pub mod net;
mod table;
pub mod thumb;

pub use agent::Agent;
pub use table::{DealResult, Paired, Table};
