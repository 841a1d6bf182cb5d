//! Phases of a run, each with an estimator of targets and an objective.

use super::named::Named;
use crate::estimator::TargetEstimator;
use crate::memory::RowMemory;
use crate::objective::Objective;
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
#[serde(deny_unknown_fields, expecting = "a table of until, estimator and objective")]
pub struct TrainingPhase {
    /// The progress at which the phase ends, above that of the phase before; the last phase ends at 1.
    pub until: f64,
    /// The estimator of targets.
    pub estimator: Named<dyn TargetEstimator>,
    /// The objective of the policy head.
    pub objective: Named<dyn Objective>,
    /// The memory of rows; without one, the rows of an update are learnt once and dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Named<dyn RowMemory>>,
}

impl TrainingPhase {
    /// How it learns, in a few words.
    pub fn about(&self) -> String {
        let memory = self.memory.as_ref().map_or(String::new(), |it| format!("; {}", it.about()));
        format!("{}; {}{memory}", self.estimator.about(), self.objective.about())
    }

    /// All faults of its values, except of `until`, which is checked with the other phases.
    pub(super) fn faults(&self) -> Vec<String> {
        let mut faults = self.estimator.faults();
        faults.extend(self.objective.faults());
        faults.extend(self.memory.iter().flat_map(|memory| memory.faults()));
        if self.objective.temperature().is_some() && !self.estimator.tries_all_actions() {
            faults.push(format!(
                "objective `{}` needs an estimator that tries all actions, as `policy_rollouts` or \
                 `determinized`; with `{}` use `clipped`",
                self.objective.typetag_name(),
                self.estimator.typetag_name()
            ));
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimator::PolicyRollouts;
    use crate::objective::Regression;

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
        // Defaults are written, too.
        let phase = parse(ROLLOUTS, REGRESSION).expect("fits");
        let estimator: Box<dyn TargetEstimator> = Box::new(PolicyRollouts::new(4, 0.1, 1.0));
        let objective: Box<dyn Objective> = Box::new(Regression::new(0.5));
        let (estimator, objective) = (estimator.into(), objective.into());
        let whole = TrainingPhase { until: 1.0, estimator, objective, memory: None };
        assert_eq!(phase, whole);
        assert_ne!(phase, parse(ROLLOUTS, CLIPPED).expect("fits"));
        let written = toml::to_string(&phase).expect("serialises");
        assert!(written.contains("hear_leads = false") && !written.contains("memory"), "{written}");
    }

    #[test]
    fn a_memory_is_read_and_written() {
        let text = |memory: &str| {
            format!("until = 1\nestimator = {GAE}\nobjective = {CLIPPED}\nmemory = {memory}")
        };
        let text = text("{ kind = 'reservoir', capacity = 9, sample = 0 }");
        let phase: TrainingPhase = toml::from_str(&text).expect("fits");
        let written = toml::to_string(&phase).expect("serialises");
        assert_eq!(toml::from_str::<TrainingPhase>(&written).expect("reads back"), phase);
        assert_eq!(phase.faults(), ["`sample` is 0, 1 to 1000000 are allowed"]);
        assert!(phase.about().ends_with("; 0 rows from a reservoir of 9"), "{}", phase.about());
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (estimator, objective, word) in [
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
            (GAE, REGRESSION, "`regression` needs an estimator that tries all actions"),
        ] {
            let phase = parse(estimator, objective).expect("has the right form");
            assert!(phase.faults()[0].contains(word), "{:?}", phase.faults());
        }
    }
}
