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
    /// Bit `a` is set where action `a` was legal.
    pub legal: u128,
    /// The action that it took.
    pub action: u8,
    /// The log-probability with which it did.
    pub log_prob: f32,
    /// What it expected to gain from here to the end of the deal, in chips.
    pub value: f32,
}

/// One seat's decisions in one deal, with what followed each.
#[derive(Clone, Debug)]
pub struct Stream<O> {
    decisions: Vec<Decision<O>>,
    /// Chips after decision `t` and before decision `t + 1`.
    rewards: Vec<f32>,
}

impl<O> Default for Stream<O> {
    fn default() -> Self {
        Self { decisions: Vec::new(), rewards: Vec::new() }
    }
}

impl<O: Packed> Stream<O> {
    /// The seat decides.
    pub fn decide(&mut self, decision: Decision<O>) {
        self.decisions.push(decision);
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
        let values: Vec<f32> = self.decisions.iter().map(|d| d.value).collect();
        let mut advantages = vec![0.0; values.len()];
        gae(&self.rewards, &values, lambda, &mut advantages);
        for (decision, advantage) in self.decisions.drain(..).zip(advantages) {
            rows.push(decision, advantage);
        }
        self.rewards.clear();
    }
}

/// Decisions of many seats and deals, column by column; row `i` is entry `i` of every column.
#[derive(Clone, Debug)]
pub struct Rows<O> {
    /// What was seen.
    pub observations: Vec<O>,
    /// What was legal, as bits.
    pub legal: Vec<u128>,
    /// What was done.
    pub actions: Vec<u8>,
    /// The log-probability with which it was.
    pub log_probs: Vec<f32>,
    /// What was expected, in chips.
    pub values: Vec<f32>,
    /// How much better it went, in chips.
    pub advantages: Vec<f32>,
}

impl<O> Default for Rows<O> {
    fn default() -> Self {
        Self {
            observations: Vec::new(),
            legal: Vec::new(),
            actions: Vec::new(),
            log_probs: Vec::new(),
            values: Vec::new(),
            advantages: Vec::new(),
        }
    }
}

impl<O> Rows<O> {
    /// How many rows.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// Adds one row; `advantage` is in chips.
    pub fn push(&mut self, decision: Decision<O>, advantage: f32) {
        self.observations.push(decision.observation);
        self.legal.push(decision.legal);
        self.actions.push(decision.action);
        self.log_probs.push(decision.log_prob);
        self.values.push(decision.value);
        self.advantages.push(advantage);
    }

    /// Adds all rows of another table after one's own.
    pub fn append(&mut self, mut other: Self) {
        self.observations.append(&mut other.observations);
        self.legal.append(&mut other.legal);
        self.actions.append(&mut other.actions);
        self.log_probs.append(&mut other.log_probs);
        self.values.append(&mut other.values);
        self.advantages.append(&mut other.advantages);
    }

    /// The λ-returns, which the value head is trained towards: advantage + value, in chips.
    pub fn returns(&self) -> Vec<f32> {
        self.advantages.iter().zip(&self.values).map(|(a, v)| a + v).collect()
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

    fn decision(action: u8, value: f32) -> Decision<Nothing> {
        Decision { observation: Nothing, legal: 3, action, log_prob: -0.5, value }
    }

    #[test]
    fn chips_count_for_the_decision_before_them() {
        let (mut stream, mut rows) = (Stream::default(), Rows::default());
        stream.receive(-1.0); // the ante that everybody pays: before any decision
        stream.decide(decision(0, 2.0));
        stream.receive(5.0);
        stream.receive(-1.0);
        stream.decide(decision(1, 1.0));
        stream.receive(-3.0);
        stream.finish(1.0, &mut rows);
        assert_eq!(rows.actions, [0, 1]);
        assert_eq!(rows.advantages, [4.0 - 3.0 - 2.0, -3.0 - 1.0]);
        assert_eq!(rows.returns(), [1.0, -3.0]);
    }

    #[test]
    fn a_finished_stream_is_empty_again() {
        let (mut stream, mut rows) = (Stream::default(), Rows::default());
        for _ in 0..2 {
            stream.decide(decision(0, 0.0));
            stream.receive(2.0);
            stream.finish(0.95, &mut rows);
        }
        assert_eq!(rows.advantages, [2.0, 2.0]);
        stream.finish(0.95, &mut rows);
        assert_eq!(rows.len(), 2, "a seat that decided nothing adds no row");
    }

    #[test]
    fn appending_keeps_the_order() {
        let mut rows = Rows::default();
        rows.push(decision(0, 1.0), 0.5);
        let mut more = Rows::default();
        more.push(decision(7, 2.0), -0.5);
        rows.append(more);
        assert_eq!((rows.len(), rows.is_empty()), (2, false));
        assert_eq!((rows.actions[1], rows.values[1], rows.advantages[1]), (7, 2.0, -0.5));
    }
}
