//! From what happened at the tables to rows that can be learnt from.
//!
//! A deal is played by several seats, and each seat lives through a stream of its own: its
//! decisions, and between them the chips that came and went, whoever caused it. Streams are
//! gathered while a deal runs ([`Stream`]), judged when it is over ([`crate::advantage::gae`]) and
//! appended to one flat table ([`Rows`]) in which every row is independent of all others.
//!
//! Observations stay packed, a few hundred bytes a row; they become `f32` only when a shard of a
//! minibatch is put together.

use crate::advantage::gae;
use crate::hidden::Hidden;
use std::ops::Range;

/// By how much more a kind of decision may count than one with the mean square of all.
const MOST_BALANCE: f64 = 100.0;

/// An observation in its packed form.
pub trait Packed: Clone + Send + Sync {
    /// How many numbers it becomes.
    const WIDTH: usize;

    /// Writes them; `out` has [`Self::WIDTH`] places.
    fn expand_into(&self, out: &mut [f32]);
}

/// What a seat knew and did at one decision.
#[derive(Clone, Debug)]
pub struct Decision<O> {
    /// What it saw.
    pub observation: O,
    /// Bit `a` is set where action `a` was legal; the *choices* are these actions in order.
    pub legal: u128,
    /// The log-probability of each choice. `[choices]`
    pub log_probs: Vec<f32>,
    /// What it expected to gain from here to the end of the deal, in chips.
    pub value: f32,
    /// What kind of decision it was: a number for each phase at each table.
    pub kind: u16,
    /// What it could not see, if anybody is to learn from that.
    pub hidden: Option<Hidden>,
}

/// One seat's decisions in one deal, with what followed each.
#[derive(Clone, Debug)]
pub struct Stream<O> {
    /// Each with the number of the choice that was taken.
    decisions: Vec<(Decision<O>, usize)>,
    /// Chips after decision `t` and before decision `t + 1`.
    rewards: Vec<f32>,
}

impl<O> Default for Stream<O> {
    fn default() -> Self {
        Self { decisions: Vec::new(), rewards: Vec::new() }
    }
}

impl<O: Packed> Stream<O> {
    /// The seat decides, and takes the choice of this number.
    pub fn decide(&mut self, decision: Decision<O>, taken: usize) {
        self.decisions.push((decision, taken));
        self.rewards.push(0.0);
    }

    /// Chips come or go. What happens before the first decision is nobody's merit and is dropped.
    pub fn receive(&mut self, chips: f32) {
        if let Some(last) = self.rewards.last_mut() {
            *last += chips;
        }
    }

    /// The deal is over: judges every decision, moves them to `rows`, and is empty again.
    pub fn finish(&mut self, lambda: f32, rows: &mut Rows<O>) {
        let values: Vec<f32> = self.decisions.iter().map(|(d, _)| d.value).collect();
        let mut advantages = vec![0.0; values.len()];
        gae(&self.rewards, &values, lambda, &mut advantages);
        for ((decision, taken), advantage) in self.decisions.drain(..).zip(advantages) {
            rows.push_taken(decision, taken, advantage);
        }
        self.rewards.clear();
    }
}

/// Decisions of many seats and deals, column by column. Row `i` is entry `i` of the columns
/// `[rows]` and the stretch [`Rows::choices`] of the columns `[choices]`.
#[derive(Clone, Debug)]
pub struct Rows<O> {
    /// What was seen. `[rows]`
    pub observations: Vec<O>,
    /// What was legal, as bits. `[rows]`
    pub legal: Vec<u128>,
    /// What could not be seen. `[rows]`, or empty where nobody learns from that.
    pub hidden: Vec<Hidden>,
    /// What was expected, in chips. `[rows]`
    pub values: Vec<f32>,
    /// What should have been, in chips. `[rows]`
    pub targets: Vec<f32>,
    /// What kind of decision it was. `[rows]`
    kinds: Vec<u16>,
    /// Where the choices of the next row begin. `[rows]`
    ends: Vec<u32>,
    /// The log-probability of each choice. `[choices]`
    pub log_probs: Vec<f32>,
    /// How much each choice counts. `[choices]`
    pub weights: Vec<f32>,
    /// How much better than expected each choice is, in chips. `[choices]`
    pub advantages: Vec<f32>,
}

impl<O> Default for Rows<O> {
    fn default() -> Self {
        Self {
            observations: Vec::new(),
            legal: Vec::new(),
            hidden: Vec::new(),
            values: Vec::new(),
            targets: Vec::new(),
            kinds: Vec::new(),
            ends: Vec::new(),
            log_probs: Vec::new(),
            weights: Vec::new(),
            advantages: Vec::new(),
        }
    }
}

impl<O> Rows<O> {
    /// How many rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The same decisions, seen in another way.
    pub fn map<P>(self, see: impl FnMut(O) -> P) -> Rows<P> {
        Rows {
            observations: self.observations.into_iter().map(see).collect(),
            legal: self.legal,
            hidden: self.hidden,
            values: self.values,
            targets: self.targets,
            kinds: self.kinds,
            ends: self.ends,
            log_probs: self.log_probs,
            weights: self.weights,
            advantages: self.advantages,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Where the choices of a row stand in the columns of choices.
    pub fn choices(&self, row: usize) -> Range<usize> {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        start as usize..self.ends[row] as usize
    }

    /// Adds a row of which only the choice taken was tried: all weight is on it. The value target
    /// is the λ-return, advantage + value.
    pub fn push_taken(&mut self, decision: Decision<O>, taken: usize, advantage: f32) {
        let place = self.log_probs.len() + taken;
        let choices = decision.log_probs.len();
        let target = decision.value + advantage;
        self.weights.extend(std::iter::repeat_n(0.0, choices));
        self.advantages.extend(std::iter::repeat_n(0.0, choices));
        (self.weights[place], self.advantages[place]) = (1.0, advantage);
        self.push(decision, target);
    }

    /// Adds a row of which every choice was tried, `gains` `[choices]` chips from here to the end
    /// of the deal: each weighs as much as it was probable, and is compared with the mean.
    pub fn push_tried(&mut self, decision: Decision<O>, gains: &[f32]) {
        let mean: f32 = decision.log_probs.iter().zip(gains).map(|(p, g)| p.exp() * g).sum();
        self.weights.extend(decision.log_probs.iter().map(|p| p.exp()));
        self.advantages.extend(gains.iter().map(|gain| gain - mean));
        self.push(decision, mean);
    }

    fn push(&mut self, decision: Decision<O>, target: f32) {
        self.observations.push(decision.observation);
        self.legal.push(decision.legal);
        self.hidden.extend(decision.hidden);
        self.values.push(decision.value);
        self.targets.push(target);
        self.kinds.push(decision.kind);
        self.log_probs.extend(decision.log_probs);
        self.ends.push(self.log_probs.len() as u32);
    }

    /// Adds all rows of another table after one's own.
    pub fn append(&mut self, mut other: Self) {
        let before = self.log_probs.len() as u32;
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.observations.append(&mut other.observations);
        self.legal.append(&mut other.legal);
        self.hidden.append(&mut other.hidden);
        self.values.append(&mut other.values);
        self.targets.append(&mut other.targets);
        self.kinds.append(&mut other.kinds);
        self.log_probs.append(&mut other.log_probs);
        self.weights.append(&mut other.weights);
        self.advantages.append(&mut other.advantages);
    }

    /// How much each row counts so that every kind of decision counts as much as the root of how
    /// frequent it is, whatever is at stake: the inverse of the mean square of the kind's advantages,
    /// each less the mean of its row, over that root; 1 in the mean. What is rare is then learnt
    /// before what is frequent is learnt by heart. `[rows]`
    pub fn balance(&self) -> Vec<f32> {
        let kinds = self.kinds.iter().max().map_or(0, |&kind| usize::from(kind) + 1);
        let mut sums = vec![(0.0, 0.0); kinds];
        for (row, &kind) in self.kinds.iter().enumerate() {
            let gains = &self.advantages[self.choices(row)];
            let mean = gains.iter().sum::<f32>() / gains.len() as f32;
            let square: f32 = gains.iter().map(|gain| (gain - mean).powi(2)).sum();
            let (sum, rows) = &mut sums[usize::from(kind)];
            *sum += f64::from(square / gains.len() as f32);
            *rows += 1.0;
        }
        let all = sums.iter().map(|(sum, _)| sum).sum::<f64>() / self.len().max(1) as f64;
        // A kind in which nothing is at stake must not count without limit.
        let least = (all / MOST_BALANCE).max(f64::MIN_POSITIVE);
        let weight = |&(sum, rows): &(f64, f64)| 1.0 / ((sum / rows).max(least) * rows.sqrt());
        let weights: Vec<f64> = sums.iter().map(weight).collect();
        let each = self.kinds.iter().map(|&kind| weights[usize::from(kind)]);
        let mean = each.clone().sum::<f64>() / self.len().max(1) as f64;
        each.map(|weight| (weight / mean) as f32).collect()
    }

    /// The advantages with weighted mean 0 and spread 1 over all choices. `[choices]`
    ///
    /// Over all rows of an update, not over each minibatch, where it would add noise and make
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

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone)]
    struct Nothing;
    impl Packed for Nothing {
        const WIDTH: usize = 0;
        fn expand_into(&self, _: &mut [f32]) {}
    }

    fn decision(choices: usize, value: f32) -> Decision<Nothing> {
        let log_probs = vec![(1.0 / choices as f32).ln(); choices];
        let legal = (1 << choices) - 1;
        Decision { observation: Nothing, legal, log_probs, value, kind: 0, hidden: None }
    }

    #[test]
    fn chips_count_for_the_decision_before_them() {
        let (mut stream, mut rows) = (Stream::default(), Rows::default());
        stream.receive(-1.0); // the ante that everybody pays: before any decision
        stream.decide(decision(2, 2.0), 0);
        stream.receive(5.0);
        stream.receive(-1.0);
        stream.decide(decision(3, 1.0), 2);
        stream.receive(-3.0);
        stream.finish(1.0, &mut rows);
        assert_eq!(rows.weights, [1.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(rows.advantages, [4.0 - 3.0 - 2.0, 0.0, 0.0, 0.0, -3.0 - 1.0]);
        assert_eq!(rows.targets, [1.0, -3.0]);
    }

    #[test]
    fn a_finished_stream_is_empty_again() {
        let (mut stream, mut rows) = (Stream::default(), Rows::default());
        for _ in 0..2 {
            stream.decide(decision(2, 0.0), 0);
            stream.receive(2.0);
            stream.finish(0.95, &mut rows);
        }
        assert_eq!(rows.advantages, [2.0, 0.0, 2.0, 0.0]);
        stream.finish(0.95, &mut rows);
        assert_eq!(rows.len(), 2, "a seat that decided nothing adds no row");
    }

    #[test]
    fn choices_that_were_all_tried_are_compared_with_their_mean() {
        let mut rows = Rows::default();
        rows.push_tried(decision(4, 9.0), &[1.0, 2.0, 3.0, 6.0]);
        for (a, expected) in rows.advantages.iter().zip([-2.0, -1.0, 0.0, 3.0]) {
            assert!((a - expected).abs() < 1e-5);
        }
        assert!((rows.targets[0] - 3.0).abs() < 1e-5);
        assert!(rows.weights.iter().all(|w| (w - 0.25).abs() < 1e-6));
    }

    #[test]
    fn appending_keeps_each_row_with_its_choices() {
        let (mut rows, mut more) = (Rows::default(), Rows::default());
        rows.push_taken(decision(2, 1.0), 0, 0.5);
        more.push_taken(decision(3, 2.0), 1, -0.5);
        more.push_taken(decision(2, 3.0), 1, 7.0);
        rows.append(more);
        assert_eq!((rows.len(), rows.is_empty()), (3, false));
        let spans: Vec<_> = (0..3).map(|row| rows.choices(row)).collect();
        assert_eq!(spans, [0..2, 2..5, 5..7]);
        assert_eq!((rows.advantages[3], rows.advantages[6], rows.values[2]), (-0.5, 7.0, 3.0));
    }

    #[test]
    fn advantages_are_standardised_over_what_counts() {
        let mut rows = Rows::default();
        for advantage in [1.0, 3.0] {
            rows.push_taken(decision(3, 0.0), 1, advantage);
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
        let mut rows = Rows::default();
        for n in 0..60_u8 {
            let stake = [8.0, 1.0, 0.0][usize::from(kind_of(n) / 3)];
            let gains = [0.0, stake, f32::from(n) * stake / 60.0];
            rows.push_tried(Decision { kind: kind_of(n).into(), ..decision(3, 0.0) }, &gains);
        }
        let balance = rows.balance();
        assert!((balance.iter().sum::<f32>() / 60.0 - 1.0).abs() < 1e-5, "1 in the mean");
        let total = |kind: u8| {
            let of_kind = (0..60).filter(|&row| kind_of(row) == kind).map(usize::from);
            let squares = of_kind.map(|row| {
                let gains = &rows.advantages[rows.choices(row)];
                let mean = gains.iter().sum::<f32>() / 3.0;
                balance[row] * gains.iter().map(|gain| (gain - mean).powi(2)).sum::<f32>()
            });
            squares.sum::<f32>()
        };
        // Four times the rows.
        assert!((total(0) / total(3) - 2.0).abs() < 0.1, "{} and {}", total(0), total(3));
        assert!(balance[4] > 50.0 * balance[0] && balance[5].is_finite());
    }
}
