//! Players by a policy network: alone, corrected by playouts of a rule, and with search.

mod agent;
mod beliefs;
mod corrected;
mod elimination;
mod level;
mod name;
mod playouts;
mod search;
mod trials;

pub use agent::{ActionSelection, NetAgent, NetBatch};
pub use beliefs::{BeliefSampler, DecisionModel, LikelihoodModel, resample};
pub use corrected::{CorrectedNet, correction_weight};
pub use elimination::SequentialElimination;
pub use level::Level;
pub use name::{Calculation, parts, worlds};
pub use playouts::Playouts;
pub use search::NetSearch;
pub use trials::PolicyTrials;
