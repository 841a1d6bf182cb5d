//! Players by a policy network, alone and with search.

mod agent;
mod elimination;
mod playouts;
mod search;

pub use agent::{Choice, NetAgent, NetBatch};
pub use playouts::Playouts;
pub use search::NetSearch;
