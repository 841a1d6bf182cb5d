//! The quality of the policy's decisions in a rollout, by kind of decision, measured by the targets.
//!
//! The policy has not yet learnt from these targets, so it is measured on new deals. Targets are noisy:
//! even a perfect policy explains only a part of their variance.

use super::MetricsRow;
use crate::trajectory::RolloutRows;
use newmarket_env::Phase;

/// The phases with decisions, and their names in the record.
const KINDS: [(Phase, &str); 5] = [
    (Phase::Ante, "ante"),
    (Phase::DeadHand, "dead_hand"),
    (Phase::Auction, "auction"),
    (Phase::Lead, "lead"),
    (Phase::Bet, "bet"),
];

/// Sums over the decisions of one kind.
#[derive(Clone, Copy, Default)]
struct Sums {
    rows: f64,
    /// Decisions whose likeliest action has the best target.
    agreed: f64,
    /// The target of the likeliest action less the mean target of the legal actions, in units of the table.
    gained: f64,
    /// The best target less the target of the likeliest action, in units of the table.
    lost: f64,
    /// Squared targets, each less the mean of its row, and squared errors of the policy's logits.
    squares: f64,
    errors: f64,
}

/// Adds four metrics for each kind of decision: how often the likeliest action has the best target; its
/// gain over the mean of the legal actions and its loss to the best target, in units of the table; and, with a
/// `temperature` in units per nat, the share of the targets' variance that the logits explain. Every action
/// of the rows must have a target.
pub(crate) fn add_quality<O>(
    row: &mut MetricsRow,
    rows: &RolloutRows<O>,
    temperature: Option<f64>,
) {
    let mut kinds = [Sums::default(); Phase::COUNT];
    for nth in 0..rows.len() {
        let sums = &mut kinds[usize::from(rows.kind(nth)) % Phase::COUNT];
        let actions = rows.actions(nth);
        let targets = centred(&rows.advantages[actions.clone()]);
        let logits = centred(&rows.log_probs[actions]);
        let likeliest = position_of_most(&logits);
        let best = targets[position_of_most(&targets)];
        sums.rows += 1.0;
        sums.agreed += f64::from(u8::from(targets[likeliest] >= best));
        sums.gained += targets[likeliest];
        sums.lost += best - targets[likeliest];
        let unit = temperature.unwrap_or(0.0);
        for (target, logit) in targets.iter().zip(&logits) {
            sums.squares += target * target;
            sums.errors += (target - unit * logit).powi(2);
        }
    }
    for (phase, kind) in KINDS {
        let Sums { rows, agreed, gained, lost, squares, errors } = kinds[phase as usize];
        if rows == 0.0 {
            continue;
        }
        row.push(format!("quality/{kind}_agreement"), agreed / rows);
        row.push(format!("quality/{kind}_gain"), gained / rows);
        row.push(format!("quality/{kind}_loss"), lost / rows);
        if temperature.is_some() && squares > 0.0 {
            row.push(format!("quality/{kind}_explained"), 1.0 - errors / squares);
        }
    }
}

fn centred(values: &[f32]) -> Vec<f64> {
    let mean = values.iter().map(|&x| f64::from(x)).sum::<f64>() / values.len() as f64;
    values.iter().map(|&x| f64::from(x) - mean).collect()
}

/// The index of the greatest value, the first of equals.
fn position_of_most(values: &[f64]) -> usize {
    let mut most = 0;
    for (nth, value) in values.iter().enumerate() {
        if *value > values[most] {
            most = nth;
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trajectory::PolicyDecision;

    fn decision(phase: Phase, log_probs: &[f32]) -> PolicyDecision<()> {
        let mut decision = PolicyDecision::of_equals(log_probs.len(), 0.0);
        decision.log_probs = log_probs.to_vec();
        decision.kind = (Phase::COUNT * 3 + phase as usize) as u16;
        decision
    }

    #[test]
    fn kinds_are_judged_on_their_own() {
        let mut rows = RolloutRows::default();
        // The likeliest lead has the best target, then the worst.
        rows.push_all_actions(decision(Phase::Lead, &[-0.1, -3.0, -4.0]), &[7.0, 4.0, 1.0]);
        rows.push_all_actions(decision(Phase::Lead, &[-3.0, -0.1, -4.0]), &[9.0, 0.0, 3.0]);
        rows.push_all_actions(decision(Phase::DeadHand, &[-2.0, -0.2]), &[0.0, 5.0]);
        let mut row = MetricsRow::new(1);
        add_quality(&mut row, &rows, None);
        let value = |name: &str| row.get(&format!("quality/{name}")).expect(name);
        assert!((value("lead_agreement") - 0.5).abs() < 1e-12);
        assert!((value("lead_gain") - (3.0 - 4.0) / 2.0).abs() < 1e-6);
        assert!((value("lead_loss") - 4.5).abs() < 1e-6);
        assert!((value("dead_hand_agreement") - 1.0).abs() < 1e-12);
        assert_eq!(row.values.len(), 6);
    }

    #[test]
    fn logits_that_are_the_targets_explain_everything() {
        let mut rows = RolloutRows::default();
        let logits = [0.5_f32, -1.0, 2.0, 0.0];
        let gains = logits.map(|logit| 0.25 * logit + 3.0);
        rows.push_all_actions(decision(Phase::Ante, &logits), &gains);
        let explained = |temperature| {
            let mut row = MetricsRow::new(1);
            add_quality(&mut row, &rows, Some(temperature));
            row.get("quality/ante_explained").expect("with a temperature")
        };
        assert!((explained(0.25) - 1.0).abs() < 1e-9);
        // Twice as far from the mean as it is, or not at all.
        assert!(explained(0.5).abs() < 1e-6 && explained(1e-9).abs() < 1e-6);
    }
}
