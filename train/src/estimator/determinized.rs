//! A heuristic plays out every action in sampled determinizations.
//!
//! All actions of a decision are tried in the same worlds, drawn uniformly from all that are consistent
//! with the seat's view. The policy learns the play of `pimc` with many worlds, without the noise of one
//! search.

use super::{
    DueDecision, EstimateTargets, TargetEstimator, Targets, is_tried, not_a_sample, share_faults,
};
use crate::policies::Policies;
use crate::trajectory::PolicyDecision;
use newmarket_agents::search::{DeterminizedEvaluator, Playout};
use newmarket_env::Observation;
use newmarket_env::seed::Rng;
use serde::{Deserialize, Serialize};

/// Determinized search: heuristic playouts in sampled worlds.
///
/// The return is the chips of the deal, also where an episode is a session. `train/NOTEBOOK.md`, 12 and
/// 17, has measurements.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Determinized {
    /// Worlds for each decision, at least 1.
    pub worlds: u32,
    /// Share of the decisions on an ante chip that are tried and learnt from: there are many, and each
    /// has little information.
    pub ante_share: f64,
    /// Share of all other decisions that are tried and learnt from.
    pub decision_share: f64,
}

#[typetag::serde(name = "determinized")]
impl TargetEstimator for Determinized {
    fn about(&self) -> String {
        format!("every action in {} determinizations", self.worlds)
    }

    fn tries_all_actions(&self) -> bool {
        true
    }

    fn plays_by_heuristic(&self) -> bool {
        true
    }

    fn faults(&self) -> Vec<String> {
        let worlds = not_a_sample("worlds", self.worlds as usize).into_iter();
        worlds.chain(share_faults(self.ante_share, self.decision_share)).collect()
    }

    fn worker<'a>(&self, _: &'a Policies<'a>) -> Box<dyn EstimateTargets + 'a> {
        let evaluator = DeterminizedEvaluator::new(self.worlds, Playout::Stopper);
        Box::new(Search { config: *self, evaluator })
    }
}

struct Search {
    config: Determinized,
    evaluator: DeterminizedEvaluator,
}

impl EstimateTargets for Search {
    fn decide(
        &mut self,
        turn: &DueDecision<'_>,
        decision: PolicyDecision<Observation>,
        _: usize,
        rng: &mut Rng,
        targets: &mut Targets,
    ) {
        if is_tried(turn, self.config.ante_share, self.config.decision_share, rng) {
            let view = turn.state.view(turn.deal.game, turn.seat);
            let gains = self.evaluator.gains(&view, rng);
            targets.rows.push_all_actions(decision, &gains);
        }
    }
}
