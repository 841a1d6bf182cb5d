//! Players by a policy network, alone and with search.

mod agent;
mod beliefs;
mod elimination;
mod level;
mod name;
mod playouts;
mod search;
mod trials;

pub use agent::{ActionSelection, NetAgent, NetBatch};
pub use beliefs::{BeliefSampler, DecisionModel, LikelihoodModel, resample};
pub use level::Level;
pub use name::{parts, worlds};
pub use playouts::Playouts;
pub use search::NetSearch;
pub use trials::PolicyTrials;
