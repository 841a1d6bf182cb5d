//! The worker of another process.

use super::{MessageError, OpponentNetwork, Plan, ShardForm};
use std::collections::BTreeMap;

/// Computes shards of plans in another process.
#[derive(Default)]
pub struct RolloutWorker {
    networks: BTreeMap<String, OpponentNetwork>,
    plan: Option<(Plan, ShardForm)>,
}

impl RolloutWorker {
    /// A worker without networks and plan.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the worker has the opponent network of this id.
    pub fn knows(&self, network: &str) -> bool {
        self.networks.contains_key(network)
    }

    /// Adds an opponent network.
    ///
    /// # Errors
    ///
    /// If the message is refused.
    pub fn add_network(&mut self, network: &[u8]) -> Result<(), MessageError> {
        let network = OpponentNetwork::read(network)?;
        self.networks.insert(network.id().into(), network);
        Ok(())
    }

    /// Takes a plan, unless it is the current one. Drops networks that the plan does not name.
    ///
    /// # Errors
    ///
    /// If the message is refused, or an opponent network is missing.
    pub fn set_plan(&mut self, plan: &[u8]) -> Result<(), MessageError> {
        if self.plan.as_ref().is_some_and(|(_, form)| form.is_of(plan)) {
            return Ok(());
        }
        let parsed = Plan::from_bytes(plan, &self.networks)?;
        let networks = parsed.networks().iter();
        self.networks = networks.map(|network| (network.id().into(), network.clone())).collect();
        let form = ShardForm::of(&parsed, plan);
        self.plan = Some((parsed, form));
        Ok(())
    }

    /// Computes the shard of this index, as a message.
    ///
    /// # Errors
    ///
    /// If there is no plan, or the plan has no such shard.
    pub fn gather(&self, index: usize) -> Result<Vec<u8>, MessageError> {
        let refused = |fault: String| MessageError::new(format!("shard {index}"), fault);
        let (plan, form) = self.plan.as_ref().ok_or_else(|| refused("no plan yet".into()))?;
        if index >= plan.shards() {
            return Err(refused(format!("the plan has {} shards", plan.shards())));
        }
        Ok(form.write(index, &plan.gather(index)))
    }
}
