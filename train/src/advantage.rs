//! Generalised advantage estimation (Schulman, Moritz, Levine, Jordan and Abbeel 2016, eq. 11–16).
//!
//! One call handles one seat's decisions in one deal. A deal ends after a handful of decisions and
//! chips are chips whenever they arrive, so nothing is discounted: γ = 1. What λ trades is the
//! noise of the whole rest of the deal (λ = 1) against the bias of the value estimate (λ = 0).

/// Advantages of the decisions of one finished episode, in the unit of `rewards`.
///
/// With `T` decisions, `rewards[t]` is what came in after decision `t` and before decision `t + 1`
/// (or the end), and `values[t]` the estimate before decision `t`; the value after the last
/// decision is 0, because the deal is over. Writes
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

/// The share of the variance of `targets` that `predictions` explain: 1 is perfect, 0 is no better
/// than the mean, negative is worse. 0 where the targets do not vary.
pub fn explained_variance(predictions: &[f32], targets: &[f32]) -> f64 {
    let residual: Vec<f64> =
        predictions.iter().zip(targets).map(|(p, t)| f64::from(*t) - f64::from(*p)).collect();
    let targets: Vec<f64> = targets.iter().map(|t| f64::from(*t)).collect();
    let total = variance(&targets);
    if total > 0.0 { 1.0 - variance(&residual) / total } else { 0.0 }
}

fn variance(xs: &[f64]) -> f64 {
    let n = xs.len().max(1) as f64;
    let mean = xs.iter().sum::<f64>() / n;
    xs.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n
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
    fn explained_variance_knows_its_ends() {
        let targets = [1.0, 2.0, 3.0, 6.0];
        assert!((explained_variance(&targets, &targets) - 1.0).abs() < 1e-12);
        assert!(explained_variance(&[3.0; 4], &targets).abs() < 1e-12);
        assert!(explained_variance(&[6.0, 3.0, 2.0, 1.0], &targets) < 0.0);
        assert!(explained_variance(&[1.0, 2.0], &[4.0, 4.0]).abs() < 1e-12);
    }
}
