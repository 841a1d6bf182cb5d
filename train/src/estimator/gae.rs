//! Generalised advantage estimation (Schulman, Moritz, Levine, Jordan and Abbeel 2016, eq. 11–16).
//!
//! Only the sampled action has a target. One call of [`gae`] handles the decisions of one seat in one
//! episode. Rewards are not discounted: γ = 1. λ trades the noise of the outcome (λ = 1) against the bias
//! of the value estimate (λ = 0).

use super::{DueDecision, EstimateTargets, TargetEstimator, Targets, out_of_unit};
use crate::policies::Policies;
use crate::trajectory::{PolicyDecision, RolloutRows};
use newmarket_env::seed::Rng;
use newmarket_env::{MAX_PLAYERS, Observation};
use serde::{Deserialize, Serialize};

/// Generalised advantage estimation on the outcome of the episode: with [`Clipped`], plain PPO, the
/// baseline of all other estimators. `train/NOTEBOOK.md`, 2 and 4, has measurements.
///
/// [`Clipped`]: crate::objective::Clipped
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gae {
    /// λ: 1 is unbiased and noisy, 0 trusts the value head.
    pub lambda: f64,
}

#[typetag::serde(name = "gae")]
impl TargetEstimator for Gae {
    fn about(&self) -> String {
        format!("GAE, λ {}", self.lambda)
    }

    fn faults(&self) -> Vec<String> {
        out_of_unit("lambda", self.lambda).into_iter().collect()
    }

    fn worker<'a>(&self, _: &'a Policies<'a>) -> Box<dyn EstimateTargets + 'a> {
        Box::new(Outcomes { lambda: self.lambda as f32, streams: Default::default() })
    }
}

/// The decisions and rewards of all seats of one episode.
struct Outcomes {
    lambda: f32,
    streams: [Stream<Observation>; MAX_PLAYERS],
}

impl EstimateTargets for Outcomes {
    fn pay(&mut self, seat: usize, chips: f32) {
        self.streams[seat].receive(chips);
    }

    fn decide(
        &mut self,
        turn: &DueDecision<'_>,
        decision: PolicyDecision<Observation>,
        taken: usize,
        _: &mut Rng,
        _: &mut Targets,
    ) {
        self.streams[turn.seat].decide(decision, taken);
    }

    fn settle(&mut self, targets: &mut Targets) {
        for stream in &mut self.streams {
            stream.finish(self.lambda, &mut targets.rows);
        }
    }
}

/// The decisions of one seat in one episode, with the rewards after each.
#[derive(Clone, Debug)]
struct Stream<O> {
    /// Each with the index of the action taken among the legal ones.
    decisions: Vec<(PolicyDecision<O>, usize)>,
    /// Chips after decision `t` and before decision `t + 1`.
    rewards: Vec<f32>,
}

impl<O> Default for Stream<O> {
    fn default() -> Self {
        Self { decisions: Vec::new(), rewards: Vec::new() }
    }
}

impl<O> Stream<O> {
    /// The seat takes the legal action of this index.
    fn decide(&mut self, decision: PolicyDecision<O>, taken: usize) {
        self.decisions.push((decision, taken));
        self.rewards.push(0.0);
    }

    /// Adds a reward, in chips. A reward before the first decision belongs to no decision.
    fn receive(&mut self, chips: f32) {
        if let Some(last) = self.rewards.last_mut() {
            *last += chips;
        }
    }

    /// Returns are complete: moves all decisions with their advantages to `rows`.
    fn finish(&mut self, lambda: f32, rows: &mut RolloutRows<O>) {
        let values: Vec<f32> = self.decisions.iter().map(|(d, _)| d.value).collect();
        let mut advantages = vec![0.0; values.len()];
        gae(&self.rewards, &values, lambda, &mut advantages);
        for ((decision, taken), advantage) in self.decisions.drain(..).zip(advantages) {
            rows.push_sampled_action(decision, taken, advantage);
        }
        self.rewards.clear();
    }
}

/// Advantages of the decisions of one finished episode, in the unit of `rewards`.
///
/// With `T` decisions, `rewards[t]` is the reward after decision `t` and before decision `t + 1` (or
/// the end), and `values[t]` the estimate before decision `t`. The value after the last decision is 0.
/// Writes
///
/// ```text
/// δ_t = r_t + V_{t+1} − V_t        A_t = δ_t + λ A_{t+1}
/// ```
///
/// into `advantages` (all three have length `T`).
///
/// # Panics
///
/// If the lengths differ.
pub fn gae(rewards: &[f32], values: &[f32], lambda: f32, advantages: &mut [f32]) {
    assert_eq!(rewards.len(), values.len(), "one value a decision");
    assert_eq!(rewards.len(), advantages.len(), "one advantage a decision");
    let (mut next_value, mut next_advantage) = (0.0, 0.0);
    for t in (0..rewards.len()).rev() {
        let delta = rewards[t] + next_value - values[t];
        next_advantage = delta + lambda * next_advantage;
        next_value = values[t];
        advantages[t] = next_advantage;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, without recursion: `A_t = Σ_l λ^l δ_{t+l}`, each δ written out.
    fn double_loop(rewards: &[f32], values: &[f32], lambda: f32) -> Vec<f64> {
        let value = |t: usize| values.get(t).copied().map_or(0.0, f64::from);
        (0..rewards.len())
            .map(|t| {
                (t..rewards.len())
                    .map(|k| {
                        let delta = f64::from(rewards[k]) + value(k + 1) - value(k);
                        f64::from(lambda).powi((k - t) as i32) * delta
                    })
                    .sum()
            })
            .collect()
    }

    /// A small reproducible stream of numbers in about ±10.
    fn numbers(seed: u64, n: usize) -> Vec<f32> {
        let mut x = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut next = || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            ((x >> 40) as f32 / (1u32 << 24) as f32 - 0.5) * 20.0
        };
        (0..n).map(|_| next()).collect()
    }

    #[test]
    fn equals_the_double_loop() {
        for seed in 1..200 {
            let n = 1 + seed as usize % 13;
            let (rewards, values) = (numbers(seed, n), numbers(seed + 1000, n));
            let lambda = [0.0, 0.5, 0.95, 1.0][seed as usize % 4];
            let mut advantages = vec![0.0; n];
            gae(&rewards, &values, lambda, &mut advantages);
            for (fast, slow) in advantages.iter().zip(double_loop(&rewards, &values, lambda)) {
                assert!((f64::from(*fast) - slow).abs() < 1e-3, "{fast} and {slow}");
            }
        }
    }

    #[test]
    fn lambda_one_is_return_minus_value() {
        let (rewards, values) = ([1.0, -2.0, 5.0], [0.5, 1.5, -0.5]);
        let mut advantages = [0.0; 3];
        gae(&rewards, &values, 1.0, &mut advantages);
        for (got, expected) in advantages.iter().zip([4.0 - 0.5, 3.0 - 1.5, 5.0 + 0.5]) {
            assert!((got - expected).abs() < 1e-6);
        }
    }

    #[test]
    fn chips_count_for_the_decision_before_them() {
        let (mut stream, mut rows) = (Stream::default(), RolloutRows::default());
        stream.receive(-1.0); // the ante to the kitty, before any decision
        stream.decide(PolicyDecision::of_equals(2, 2.0), 0);
        stream.receive(5.0);
        stream.receive(-1.0);
        stream.decide(PolicyDecision::of_equals(3, 1.0), 2);
        stream.receive(-3.0);
        stream.finish(1.0, &mut rows);
        assert_eq!(rows.weights, [1.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(rows.advantages, [4.0 - 3.0 - 2.0, 0.0, 0.0, 0.0, -3.0 - 1.0]);
        assert_eq!(rows.targets, [1.0, -3.0]);
    }

    #[test]
    fn a_finished_stream_is_empty_again() {
        let (mut stream, mut rows) = (Stream::default(), RolloutRows::default());
        for _ in 0..2 {
            stream.decide(PolicyDecision::of_equals(2, 0.0), 0);
            stream.receive(2.0);
            stream.finish(0.95, &mut rows);
        }
        assert_eq!(rows.advantages, [2.0, 0.0, 2.0, 0.0]);
        stream.finish(0.95, &mut rows);
        assert_eq!(rows.len(), 2, "a seat that decided nothing adds no row");
    }
}
