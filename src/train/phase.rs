//! How a phase of training learns, in a few words.

use newmarket_train::config::{Algorithm, AllActions, TrainingPhase};
use newmarket_train::objective::Objective;

/// The estimator of targets and the objective.
pub(crate) fn words(phase: &TrainingPhase) -> String {
    let estimator = match &phase.algorithm {
        Algorithm::SampledAction(gae, _) => format!("GAE, λ {}", gae.lambda),
        Algorithm::AllActions(AllActions::PolicyRollouts(rollouts), _) => match rollouts.playouts {
            1 => "a policy rollout of every action".into(),
            playouts => format!("{playouts} policy rollouts of every action"),
        },
        Algorithm::AllActions(AllActions::Determinized(search), _) => {
            format!("every action in {} determinizations", search.worlds)
        }
    };
    let objective = match phase.algorithm.objective() {
        Objective::Clipped(_) => "PPO's clipped objective",
        Objective::Regression(_) => "regression on advantages",
    };
    format!("{estimator}; {objective}")
}
