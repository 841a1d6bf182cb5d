//! Players by a policy network: alone, corrected by playouts of a rule, and with search.

mod agent;
mod beliefs;
mod corrected;
mod elimination;
mod level;
mod name;
mod playouts;
mod plays;
mod search;
mod trials;

#[cfg(feature = "std")]
pub(crate) use agent::chances;
pub use agent::{ActionSelection, NetAgent, NetBatch};
pub use beliefs::{BeliefSampler, DecisionModel, LikelihoodModel, resample};
pub use corrected::{CorrectedNet, correction_weight};
pub use elimination::SequentialElimination;
pub use level::Level;
pub use name::{Calculation, parts, worlds};
pub use playouts::Playouts;
pub use plays::{PlayKind, Plays};
pub use search::NetSearch;
pub use trials::PolicyTrials;
