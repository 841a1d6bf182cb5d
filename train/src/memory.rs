//! Where rows go after their update.
//!
//! Without a memory, the rows of a rollout are learnt once and dropped. A memory keeps rows of earlier updates
//! and says which the learner sees:
//!
//! - [`Reservoir`]: a uniform sample of all rows of the phase.
//!
//! To add one, here or in another crate, implement [`RowMemory`] for a value and name it. A configuration then has
//! it by this name.

mod file;
mod reservoir;

pub use reservoir::Reservoir;

use crate::trajectory::RolloutRows;
use newmarket_env::Observation;
use newmarket_env::seed::Rng;
use std::fmt::Debug;

/// A memory of rows, as a configuration has it.
///
/// An implementation is marked `#[typetag::serde(name = "…")]` and can be read and written by serde: its fields
/// are the keys of the table that `kind = "…"` begins. It has no state besides [`Kept`], which the trainer saves
/// with every checkpoint, so a run that is resumed goes on as if it had not been stopped.
#[typetag::serde(tag = "kind")]
pub trait RowMemory: Debug + Send + Sync {
    /// What it does, in a few words.
    fn about(&self) -> String;

    /// The rows that the learner sees after a rollout with the rows `new`. Changes what is kept. `rng` is for
    /// this call alone.
    fn recall(
        &self,
        kept: &mut Kept,
        new: &RolloutRows<Observation>,
        rng: &mut Rng,
    ) -> RolloutRows<Observation>;

    /// Faults of its values, one phrase each.
    fn faults(&self) -> Vec<String> {
        Vec::new()
    }
}

/// What a memory keeps from update to update. Each phase begins with nothing.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// Rows of earlier updates of the phase.
    pub rows: RolloutRows<Observation>,
    /// The number of rows of all earlier updates of the phase, kept or not. The trainer counts.
    pub seen: u64,
}
