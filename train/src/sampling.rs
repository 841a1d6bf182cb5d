//! From logits to a legal action.

use newmarket_env::ActionMask;
use newmarket_env::seed::{Rng, unit};

/// Log-probabilities of the legal actions, with all logits multiplied by `sharpness`.
pub(crate) fn log_policy(
    logits: &[f32],
    sharpness: f32,
    legal: ActionMask,
    log_probs: &mut Vec<f32>,
) {
    log_probs.clear();
    log_probs.extend(legal.iter().map(|action| sharpness * logits[action.index()]));
    log_softmax(log_probs);
}

/// Converts logits to log-probabilities.
fn log_softmax(xs: &mut [f32]) {
    let top = xs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let total = top + xs.iter().map(|x| (x - top).exp()).sum::<f32>().ln();
    for x in xs {
        *x -= total;
    }
}

/// The index of the likeliest action; the first of equals, as in playouts.
pub(crate) fn likeliest(log_probs: &[f32]) -> usize {
    let best = log_probs.iter().enumerate().min_by(|a, b| b.1.total_cmp(a.1));
    best.expect("there is a legal action").0
}

/// Samples the index of an action.
pub(crate) fn sample(log_probs: &[f32], rng: &mut Rng) -> usize {
    let mut left = unit(rng) as f32;
    for (i, log_prob) in log_probs.iter().enumerate() {
        left -= log_prob.exp();
        if left < 0.0 {
            return i;
        }
    }
    // Rounding can leave the sum of the probabilities just below 1.
    log_probs.len() - 1
}
