//! Decisions with their targets: the rows that the learner reads.
//!
//! The rows are one flat table, independent of each other. Observations stay packed, a few hundred bytes
//! a row, until a shard of a minibatch needs their numbers.

use newmarket_env::Observation;
use std::ops::{Deref, DerefMut, Range};

/// An observation in its packed form.
pub trait Packed: Clone + Send + Sync {
    /// The number of inputs.
    const WIDTH: usize;

    /// Calls `see` with the index, below [`Self::WIDTH`], and the value of each entry that is not zero. Values
    /// of the same index add up.
    fn for_each_nonzero(&self, see: impl FnMut(usize, f32));
}

impl Packed for Observation {
    const WIDTH: usize = Self::LEN;

    fn for_each_nonzero(&self, see: impl FnMut(usize, f32)) {
        self.for_each_nonzero(see);
    }
}

/// A decision of the policy: the observation, the policy's output, and the kind of decision.
#[derive(Clone, Debug)]
pub struct PolicyDecision<O> {
    /// The observation of the seat.
    pub observation: O,
    /// Bit `a` is set where action `a` was legal.
    pub legal: u128,
    /// The log-probabilities of the legal actions, in their order. `[legal actions]`
    pub log_probs: Vec<f32>,
    /// The output of the value head: the expected return to the end of the episode, in chips.
    pub value: f32,
    /// The kind of decision: a number for each phase in each class of tables.
    pub kind: u16,
    /// The unit of the table, in chips ([`table_unit`](newmarket_agents::table_unit)).
    pub unit: f32,
}

/// Decisions of many seats and deals, column by column, without their observations. Row `i` is entry `i` of
/// the columns `[rows]` and the range [`RowColumns::actions`] of the columns `[actions]`, which have an entry
/// for each legal action.
#[derive(Clone, Debug, Default)]
pub struct RowColumns {
    /// Legal actions, as bits. `[rows]`
    pub legal: Vec<u128>,
    /// Outputs of the value head, in chips. `[rows]`
    pub values: Vec<f32>,
    /// Targets of the value head, in chips. `[rows]`
    pub targets: Vec<f32>,
    /// Kinds of decisions. `[rows]`
    kinds: Vec<u16>,
    /// The end of each row in the columns `[actions]`. `[rows]`
    ends: Vec<u32>,
    /// The log-probability of each action in the rollout. `[actions]`
    pub log_probs: Vec<f32>,
    /// The weight of each action in the clipped objective, 0 to 1. `[actions]`
    pub weights: Vec<f32>,
    /// The advantage of each action, in units of its table. `[actions]`
    pub advantages: Vec<f32>,
}

/// Decisions of many seats and deals: their observations, and all other columns.
#[derive(Clone, Debug)]
pub struct RolloutRows<O> {
    /// Observations. `[rows]`
    pub observations: Vec<O>,
    columns: RowColumns,
}

impl<O> Default for RolloutRows<O> {
    fn default() -> Self {
        Self { observations: Vec::new(), columns: RowColumns::default() }
    }
}

impl<O> Deref for RolloutRows<O> {
    type Target = RowColumns;

    fn deref(&self) -> &RowColumns {
        &self.columns
    }
}

impl<O> DerefMut for RolloutRows<O> {
    fn deref_mut(&mut self) -> &mut RowColumns {
        &mut self.columns
    }
}

impl<O> RolloutRows<O> {
    /// Adds a row with a target for the sampled action alone, which gets all the weight. `advantage` is in
    /// chips. The value target is the λ-return, advantage + value.
    pub fn push_sampled_action(
        &mut self,
        decision: PolicyDecision<O>,
        taken: usize,
        advantage: f32,
    ) {
        let place = self.log_probs.len() + taken;
        let actions = decision.log_probs.len();
        let target = decision.value + advantage;
        self.weights.extend(std::iter::repeat_n(0.0, actions));
        self.advantages.extend(std::iter::repeat_n(0.0, actions));
        (self.weights[place], self.advantages[place]) = (1.0, advantage / decision.unit);
        self.push(decision, target);
    }

    /// Adds a row with the return `gains` of every legal action, in chips, `[legal actions]`. The weight of
    /// an action is its probability, and its advantage is its return less the mean, in units of the table.
    pub fn push_all_actions(&mut self, decision: PolicyDecision<O>, gains: &[f32]) {
        let mean: f32 = decision.log_probs.iter().zip(gains).map(|(p, g)| p.exp() * g).sum();
        self.weights.extend(decision.log_probs.iter().map(|p| p.exp()));
        self.advantages.extend(gains.iter().map(|gain| (gain - mean) / decision.unit));
        self.push(decision, mean);
    }

    /// Adds a row with these `weights`, 0 to 1, and `advantages` in units of the table. `[legal actions]`
    /// `target` is that of the value head, in chips.
    pub fn push_weighed(
        &mut self,
        decision: PolicyDecision<O>,
        target: f32,
        weights: &[f32],
        advantages: &[f32],
    ) {
        self.weights.extend(weights);
        self.advantages.extend(advantages);
        self.push(decision, target);
    }

    fn push(&mut self, decision: PolicyDecision<O>, target: f32) {
        self.observations.push(decision.observation);
        self.legal.push(decision.legal);
        self.values.push(decision.value);
        self.targets.push(target);
        self.kinds.push(decision.kind);
        self.log_probs.extend(decision.log_probs);
        let end = self.log_probs.len() as u32;
        self.ends.push(end);
    }

    /// Appends all rows of another table.
    pub fn append(&mut self, mut other: Self) {
        let before = self.log_probs.len() as u32;
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.observations.append(&mut other.observations);
        self.legal.append(&mut other.legal);
        self.values.append(&mut other.values);
        self.targets.append(&mut other.targets);
        self.kinds.append(&mut other.kinds);
        self.log_probs.append(&mut other.log_probs);
        self.weights.append(&mut other.weights);
        self.advantages.append(&mut other.advantages);
    }

    /// These rows of the table, in this order.
    #[must_use]
    pub fn pick(&self, rows: &[usize]) -> Self
    where
        O: Clone,
    {
        let mut picked = Self::default();
        for &row in rows {
            let actions = self.actions(row);
            picked.observations.push(self.observations[row].clone());
            picked.legal.push(self.legal[row]);
            picked.values.push(self.values[row]);
            picked.targets.push(self.targets[row]);
            picked.kinds.push(self.kinds[row]);
            picked.log_probs.extend(&self.log_probs[actions.clone()]);
            picked.weights.extend(&self.weights[actions.clone()]);
            picked.advantages.extend(&self.advantages[actions]);
            let end = picked.log_probs.len() as u32;
            picked.ends.push(end);
        }
        picked
    }
}

impl RowColumns {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The kind of decision of a row.
    pub fn kind(&self, row: usize) -> u16 {
        self.kinds[row]
    }

    /// The range of a row's legal actions in the columns `[actions]`.
    pub fn actions(&self, row: usize) -> Range<usize> {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        start as usize..self.ends[row] as usize
    }

    /// The weight of each row, with mean 1. A kind of decision counts in proportion to the square root of
    /// its frequency, independent of its stakes: the weight is one over that root and over the mean square of
    /// the kind's advantages, each less the mean of its row. The mean square is taken to be at least that of
    /// all rows over `most`. `[rows]`
    pub fn class_weights(&self, most: f64) -> Vec<f32> {
        let kinds = self.kinds.iter().max().map_or(0, |&kind| usize::from(kind) + 1);
        let mut sums = vec![(0.0, 0.0); kinds];
        for (row, &kind) in self.kinds.iter().enumerate() {
            let gains = &self.advantages[self.actions(row)];
            let mean = gains.iter().sum::<f32>() / gains.len() as f32;
            let square: f32 = gains.iter().map(|gain| (gain - mean).powi(2)).sum();
            let (sum, rows) = &mut sums[usize::from(kind)];
            *sum += f64::from(square / gains.len() as f32);
            *rows += 1.0;
        }
        let all = sums.iter().map(|(sum, _)| sum).sum::<f64>() / self.len().max(1) as f64;
        let least = (all / most).max(f64::MIN_POSITIVE);
        let weight = |&(sum, rows): &(f64, f64)| 1.0 / ((sum / rows).max(least) * rows.sqrt());
        let weights: Vec<f64> = sums.iter().map(weight).collect();
        let each = self.kinds.iter().map(|&kind| weights[usize::from(kind)]);
        let mean = each.clone().sum::<f64>() / self.len().max(1) as f64;
        each.map(|weight| (weight / mean) as f32).collect()
    }

    /// The share of the targets' variance that the values explain: 1 is perfect, 0 is as good as the mean,
    /// negative is worse. 0 if the targets do not vary.
    pub fn explained_variance(&self) -> f64 {
        let pairs = self.values.iter().zip(&self.targets);
        let residual: Vec<f64> = pairs.map(|(v, t)| f64::from(*t) - f64::from(*v)).collect();
        let targets: Vec<f64> = self.targets.iter().map(|t| f64::from(*t)).collect();
        let total = variance(&targets);
        if total > 0.0 { 1.0 - variance(&residual) / total } else { 0.0 }
    }

    /// The advantages with weighted mean 0 and spread 1 over all actions. `[actions]`
    ///
    /// They are standardised over all rows of an update. In each minibatch it would add noise and make
    /// shards depend on each other.
    pub fn standard_advantages(&self) -> Vec<f32> {
        let pairs = || {
            self.weights.iter().zip(&self.advantages).map(|(w, a)| (f64::from(*w), f64::from(*a)))
        };
        let total: f64 = pairs().map(|(w, _)| w).sum();
        let mean = pairs().map(|(w, a)| w * a).sum::<f64>() / total;
        let variance = pairs().map(|(w, a)| w * (a - mean).powi(2)).sum::<f64>() / total;
        let spread = variance.sqrt() + 1e-8;
        self.advantages.iter().map(|a| ((f64::from(*a) - mean) / spread) as f32).collect()
    }
}

fn variance(xs: &[f64]) -> f64 {
    let n = xs.len().max(1) as f64;
    let mean = xs.iter().sum::<f64>() / n;
    xs.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n
}

#[cfg(test)]
impl PolicyDecision<()> {
    /// A decision among `actions` equally likely actions, with this output of the value head.
    pub(crate) fn of_equals(actions: usize, value: f32) -> Self {
        let log_probs = vec![(1.0 / actions as f32).ln(); actions];
        let legal = (1 << actions) - 1;
        Self { observation: (), legal, log_probs, value, kind: 0, unit: 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_that_were_all_tried_are_compared_with_their_mean() {
        let mut rows = RolloutRows::default();
        rows.push_all_actions(PolicyDecision::of_equals(4, 9.0), &[1.0, 2.0, 3.0, 6.0]);
        for (a, expected) in rows.advantages.iter().zip([-2.0, -1.0, 0.0, 3.0]) {
            assert!((a - expected).abs() < 1e-5);
        }
        assert!((rows.targets[0] - 3.0).abs() < 1e-5);
        assert!(rows.weights.iter().all(|w| (w - 0.25).abs() < 1e-6));
    }

    #[test]
    fn appending_keeps_each_row_with_its_actions() {
        let (mut rows, mut more) = (RolloutRows::default(), RolloutRows::default());
        rows.push_sampled_action(PolicyDecision::of_equals(2, 1.0), 0, 0.5);
        more.push_sampled_action(PolicyDecision::of_equals(3, 2.0), 1, -0.5);
        more.push_sampled_action(PolicyDecision::of_equals(2, 3.0), 1, 7.0);
        rows.append(more);
        assert_eq!((rows.len(), rows.is_empty()), (3, false));
        let spans: Vec<_> = (0..3).map(|row| rows.actions(row)).collect();
        assert_eq!(spans, [0..2, 2..5, 5..7]);
        assert_eq!((rows.advantages[3], rows.advantages[6], rows.values[2]), (-0.5, 7.0, 3.0));
    }

    #[test]
    fn advantages_are_standardised_over_what_counts() {
        let mut rows = RolloutRows::default();
        for advantage in [1.0, 3.0] {
            rows.push_sampled_action(PolicyDecision::of_equals(3, 0.0), 1, advantage);
        }
        let standard = rows.standard_advantages();
        assert!(
            (standard[1] + 1.0).abs() < 1e-5 && (standard[4] - 1.0).abs() < 1e-5,
            "{standard:?}"
        );
    }

    #[test]
    fn a_kind_of_decisions_counts_as_the_root_of_its_rows_whatever_is_at_stake() {
        let kind_of = |row: u8| [0, 0, 0, 0, 3, 7][usize::from(row % 6)];
        let mut rows = RolloutRows::default();
        for n in 0..60_u8 {
            let stake = [8.0, 1.0, 0.0][usize::from(kind_of(n) / 3)];
            let gains = [0.0, stake, f32::from(n) * stake / 60.0];
            rows.push_all_actions(
                PolicyDecision { kind: kind_of(n).into(), ..PolicyDecision::of_equals(3, 0.0) },
                &gains,
            );
        }
        let weights = rows.class_weights(100.0);
        assert!((weights.iter().sum::<f32>() / 60.0 - 1.0).abs() < 1e-5, "1 in the mean");
        let total = |kind: u8| {
            let of_kind = (0..60).filter(|&row| kind_of(row) == kind).map(usize::from);
            let squares = of_kind.map(|row| {
                let gains = &rows.advantages[rows.actions(row)];
                let mean = gains.iter().sum::<f32>() / 3.0;
                weights[row] * gains.iter().map(|gain| (gain - mean).powi(2)).sum::<f32>()
            });
            squares.sum::<f32>()
        };
        // Four times the rows.
        assert!((total(0) / total(3) - 2.0).abs() < 0.1, "{} and {}", total(0), total(3));
        assert!(weights[4] > 50.0 * weights[0] && weights[5].is_finite());
    }

    #[test]
    fn explained_variance_knows_its_ends() {
        let explained = |values: [f32; 4], targets: [f32; 4]| {
            let (values, targets) = (values.to_vec(), targets.to_vec());
            RowColumns { values, targets, ..RowColumns::default() }.explained_variance()
        };
        let targets = [1.0, 2.0, 3.0, 6.0];
        assert!((explained(targets, targets) - 1.0).abs() < 1e-12);
        assert!(explained([3.0; 4], targets).abs() < 1e-12);
        assert!(explained([6.0, 3.0, 2.0, 1.0], targets) < 0.0);
        assert!(explained([1.0, 2.0, 1.0, 2.0], [4.0; 4]).abs() < 1e-12);
    }
}
