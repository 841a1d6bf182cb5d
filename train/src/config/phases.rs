//! Phases of a run, each with an estimator of targets and an objective.

use crate::estimator::{Determinized, Gae, PolicyRollouts, TargetEstimator};
use crate::objective::{Clipped, Objective};
use crate::schedule::Schedule;
use serde::{Deserialize, Serialize};

/// A part of a run with one algorithm.
///
/// ```toml
/// [[phases]]
/// until = 0.6
/// estimator = { kind = "determinized", worlds = 60, ante_share = 0.1, decision_share = 1.0 }
/// objective = { kind = "regression", temperature = 0.5 }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TrainingPhaseText", into = "TrainingPhaseText")]
pub struct TrainingPhase {
    /// The progress at which the phase ends, above that of the phase before; the last phase ends at 1.
    pub until: f64,
    /// The estimator and the objective.
    pub algorithm: Algorithm,
}

/// An estimator with an objective that fits it.
#[derive(Clone, Debug, PartialEq)]
pub enum Algorithm {
    /// Only the sampled action has a target.
    SampledAction(Gae, Clipped),
    /// Every legal action has a target.
    AllActions(AllActions, Objective),
}

/// An estimator that tries every legal action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AllActions {
    /// Rollouts by the policy.
    PolicyRollouts(PolicyRollouts),
    /// Heuristic playouts in sampled worlds.
    Determinized(Determinized),
}

impl Algorithm {
    /// The estimator of targets.
    pub fn estimator(&self) -> &dyn TargetEstimator {
        match self {
            Self::SampledAction(gae, _) => gae,
            Self::AllActions(AllActions::PolicyRollouts(rollouts), _) => rollouts,
            Self::AllActions(AllActions::Determinized(search), _) => search,
        }
    }

    /// The objective.
    pub fn objective(&self) -> Objective {
        match self {
            Self::SampledAction(_, clipped) => Objective::Clipped(*clipped),
            Self::AllActions(_, objective) => *objective,
        }
    }

    /// The schedule of the entropy bonus, if the objective has one.
    pub(super) fn entropy_mut(&mut self) -> Option<&mut Schedule> {
        match self {
            Self::SampledAction(_, clipped) | Self::AllActions(_, Objective::Clipped(clipped)) => {
                Some(&mut clipped.entropy)
            }
            Self::AllActions(_, Objective::Regression(_)) => None,
        }
    }

    /// Whether targets come from determinized search.
    pub fn is_determinized(&self) -> bool {
        matches!(self, Self::AllActions(AllActions::Determinized(_), _))
    }
}

impl TrainingPhase {
    /// All faults of its values, except of `until`, which is checked with the other phases.
    pub(super) fn faults(&self) -> Vec<String> {
        let estimator = match &self.algorithm {
            Algorithm::SampledAction(gae, _) => gae.faults(),
            Algorithm::AllActions(AllActions::PolicyRollouts(rollouts), _) => rollouts.faults(),
            Algorithm::AllActions(AllActions::Determinized(search), _) => search.faults(),
        };
        estimator.into_iter().chain(self.algorithm.objective().faults()).collect()
    }
}

/// A phase in TOML, which allows every combination of estimator and objective.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table of until, estimator and objective")]
struct TrainingPhaseText {
    until: f64,
    estimator: EstimatorText,
    objective: Objective,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum EstimatorText {
    Gae(Gae),
    PolicyRollouts(PolicyRollouts),
    Determinized(Determinized),
}

impl TryFrom<TrainingPhaseText> for TrainingPhase {
    type Error = String;

    fn try_from(text: TrainingPhaseText) -> Result<Self, String> {
        let TrainingPhaseText { until, estimator, objective } = text;
        let algorithm = match (estimator, objective) {
            (EstimatorText::Gae(gae), Objective::Clipped(clipped)) => {
                Algorithm::SampledAction(gae, clipped)
            }
            (EstimatorText::Gae(_), Objective::Regression(_)) => {
                return Err("objective `regression` needs an estimator that tries all actions, \
                            `policy_rollouts` or `determinized`; with `gae` use `clipped`"
                    .into());
            }
            (EstimatorText::PolicyRollouts(rollouts), objective) => {
                Algorithm::AllActions(AllActions::PolicyRollouts(rollouts), objective)
            }
            (EstimatorText::Determinized(search), objective) => {
                Algorithm::AllActions(AllActions::Determinized(search), objective)
            }
        };
        Ok(Self { until, algorithm })
    }
}

impl From<TrainingPhase> for TrainingPhaseText {
    fn from(phase: TrainingPhase) -> Self {
        let objective = phase.algorithm.objective();
        let estimator = match phase.algorithm {
            Algorithm::SampledAction(gae, _) => EstimatorText::Gae(gae),
            Algorithm::AllActions(AllActions::PolicyRollouts(rollouts), _) => {
                EstimatorText::PolicyRollouts(rollouts)
            }
            Algorithm::AllActions(AllActions::Determinized(search), _) => {
                EstimatorText::Determinized(search)
            }
        };
        Self { until: phase.until, estimator, objective }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLIPPED: &str = "{ kind = 'clipped', clip = 0.2, entropy = 0.01 }";
    const REGRESSION: &str = "{ kind = 'regression', temperature = 0.5 }";
    const GAE: &str = "{ kind = 'gae', lambda = 0.95 }";
    const SEARCH: &str =
        "{ kind = 'determinized', worlds = 60, ante_share = 0.1, decision_share = 1 }";
    const ROLLOUTS: &str =
        "{ kind = 'policy_rollouts', playouts = 4, ante_share = 0.1, decision_share = 1 }";

    fn parse(estimator: &str, objective: &str) -> Result<TrainingPhase, toml::de::Error> {
        toml::from_str(&format!("until = 1\nestimator = {estimator}\nobjective = {objective}"))
    }

    #[test]
    fn every_combination_that_makes_sense_is_read_and_written() {
        for (estimator, objective) in [
            (GAE, CLIPPED),
            (SEARCH, CLIPPED),
            (SEARCH, REGRESSION),
            (ROLLOUTS, CLIPPED),
            (ROLLOUTS, REGRESSION),
        ] {
            let phase = parse(estimator, objective).expect(estimator);
            assert!(phase.faults().is_empty(), "{phase:?}");
            let written = toml::to_string(&phase).expect("serialises");
            assert_eq!(toml::from_str::<TrainingPhase>(&written).expect("reads back"), phase);
        }
        let phase = parse(ROLLOUTS, REGRESSION).expect("fits");
        let Algorithm::AllActions(AllActions::PolicyRollouts(rollouts), objective) =
            phase.algorithm
        else {
            panic!("{phase:?}")
        };
        assert_eq!(rollouts, PolicyRollouts::new(4, 0.1, 1.0), "defaults");
        assert_eq!(objective, Objective::Regression(crate::objective::Regression::new(0.5)));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (estimator, objective, word) in [
            (GAE, REGRESSION, "needs an estimator that tries all actions"),
            ("{ kind = 'magic' }", CLIPPED, "magic"),
            ("{ kind = 'gae', lambda = 1, worlds = 3 }", CLIPPED, "worlds"),
            (SEARCH, "{ kind = 'regression', temperature = 1, clip = 0.2 }", "clip"),
        ] {
            let message = parse(estimator, objective).expect_err(word).to_string();
            assert!(message.contains(word), "{message}");
        }
        for (estimator, objective, word) in [
            ("{ kind = 'gae', lambda = 1.5 }", CLIPPED, "lambda"),
            (GAE, "{ kind = 'clipped', clip = 0, entropy = 0 }", "clip"),
            (SEARCH, "{ kind = 'regression', temperature = 0 }", "temperature"),
        ] {
            let phase = parse(estimator, objective).expect("has the right form");
            assert!(phase.faults()[0].contains(word), "{:?}", phase.faults());
        }
    }
}
