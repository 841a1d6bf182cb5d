//! Rollouts of an update, computed by this process or by others.
//!
//! The trainer makes a [`Plan`] of the rollout and cuts it into shards. A shard is a pure function of the
//! plan and its index, with the same bits on every machine. An implementation of [`Gather`] may compute
//! shards anywhere, in any order and more than once. The trainer learns from them in their order, so the
//! weights do not depend on the implementation.
//!
//! [`Local`] computes all shards in this process. In another process, a [`RolloutWorker`] takes these
//! messages, and computes shards by index:
//!
//! | message | when | contents |
//! | --- | --- | --- |
//! | an opponent network | once | a checkpoint in the form for release |
//! | the plan | once an update | a checkpoint of the current policy, with configuration, opponent networks and build |
//! | a shard | as an answer | the rows, in the form of [`ShardForm`] |
//!
//! Messages are read as untrusted input: versions and lengths first, then the seal, then every value. The
//! seal detects damage but is no signature: anybody can compute it. The trainer trusts workers with the
//! result: it learns from well-formed rows, even if they were made up.

mod opponent_network;
pub(crate) mod plan;
pub(crate) mod shard;
#[cfg(test)]
mod tests;
mod worker;

pub use opponent_network::OpponentNetwork;
pub use plan::Plan;
pub use shard::ShardForm;
pub use worker::RolloutWorker;

use crate::TrainError;
use crate::rollout::Rollout;
use crate::workers::Workers;

/// The hash of the sources of this build. Shards of another build may differ and are refused.
pub const BUILD: &str = env!("NEWMARKET_BUILD");

/// Computes the rollouts of a run.
pub trait Gather: Send {
    /// All shards of a plan, in their order. `workers` are the idle threads of this process.
    ///
    /// # Errors
    ///
    /// [`TrainError::Gather`] if a shard cannot be computed.
    fn gather(&mut self, plan: &Plan, workers: &Workers) -> Result<Vec<Rollout>, TrainError>;
}

/// Computes all shards in this process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Local;

impl Gather for Local {
    fn gather(&mut self, plan: &Plan, workers: &Workers) -> Result<Vec<Rollout>, TrainError> {
        Ok(workers.map(plan.shards(), |index| plan.gather(index)))
    }
}

/// A refused message: its kind and the fault, in one line.
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

    /// For `map_err`: names the message.
    pub(crate) fn of<E: ToString>(message: &str) -> impl FnOnce(E) -> Self {
        move |fault| Self::new(message, fault.to_string())
    }
}

/// Refuses messages of another build.
fn check_build(theirs: &str) -> Result<(), String> {
    if theirs == BUILD {
        return Ok(());
    }
    Err(format!(
        "made by build {theirs}, this is build {BUILD}: all processes need the same version of the \
         program, built from the same sources"
    ))
}
