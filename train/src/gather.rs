//! Plan, gather, learn: how an update gets its rows, from this process or from others.
//!
//! The trainer makes a [`Plan`] of what is to be played. The plan is cut into pieces, and a piece is
//! a pure function of the plan and of its index, with the same bits wherever it is computed. So
//! whoever implements [`Gather`] may have pieces computed anywhere, in any order and more than once;
//! the trainer learns from them in their order, and the weights do not depend on who gathered.
//!
//! [`Local`] gathers in this process. In another one a [`Gatherer`] does, which takes in guests and
//! plans, and answers the index of a piece with the piece:
//!
//! | message | when | what |
//! | --- | --- | --- |
//! | a guest | once | a network that sits at the tables besides the policy: a checkpoint, as for release |
//! | the plan | once an update | the policy of now: a checkpoint, which also names configuration, guests, build |
//! | a piece | in answer | the rows, in the form of [`PieceForm`] |
//!
//! Whatever comes in is read as if anybody might have written it: versions and lengths first, then
//! the seal, then every value. A seal detects damage; it keeps nobody out, since anybody can compute
//! it. Those who gather are trusted with the result: rows that are well formed but made up are learnt
//! from.

mod gatherer;
mod guest;
mod piece;
pub(crate) mod plan;
#[cfg(test)]
mod tests;

pub use gatherer::Gatherer;
pub use guest::Guest;
pub use piece::PieceForm;
pub use plan::Plan;

use crate::TrainError;
use crate::rollout::Rollout;
use crate::workers::Workers;

/// Which sources this was built from. Others may play otherwise: what they gather is refused.
pub const BUILD: &str = env!("NEWMARKET_BUILD");

/// Where the pieces of an update are computed.
pub trait Gather: Send {
    /// All pieces of a plan, in their order. `workers` are the threads of this process, which have
    /// nothing else to do.
    ///
    /// # Errors
    ///
    /// [`TrainError::Gather`] if they cannot be had.
    fn gather(&mut self, plan: &Plan, workers: &Workers) -> Result<Vec<Rollout>, TrainError>;
}

/// In this process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Local;

impl Gather for Local {
    fn gather(&mut self, plan: &Plan, workers: &Workers) -> Result<Vec<Rollout>, TrainError> {
        Ok(workers.map(plan.pieces(), |index| plan.gather(index)))
    }
}

/// A message that is refused: which, and why, in one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}: {fault}")]
pub struct MessageError {
    message: String,
    fault: String,
}

impl MessageError {
    pub(crate) fn new(message: impl Into<String>, fault: String) -> Self {
        Self { message: message.into(), fault }
    }

    /// For `map_err`: of which message.
    pub(crate) fn of<E: ToString>(message: &str) -> impl FnOnce(E) -> Self {
        move |fault| Self::new(message, fault.to_string())
    }
}

/// Refuses what another build has written.
fn check_build(theirs: &str) -> Result<(), String> {
    if theirs == BUILD {
        return Ok(());
    }
    Err(format!(
        "made by build {theirs}, this is build {BUILD}: everybody needs the same version of the \
         program, built from the same sources"
    ))
}
