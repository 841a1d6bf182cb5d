//! From logits to a legal action.

use newmarket_env::ActionMask;
use newmarket_env::seed::{Rng, unit};

/// The log-probabilities of the legal actions, their logits multiplied by `sharpness`.
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

/// Logits to log-probabilities.
fn log_softmax(xs: &mut [f32]) {
    let top = xs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let total = top + xs.iter().map(|x| (x - top).exp()).sum::<f32>().ln();
    for x in xs {
        *x -= total;
    }
}

/// The place of the likeliest action; of several the first, as in playouts.
pub(crate) fn likeliest(log_probs: &[f32]) -> usize {
    let best = log_probs.iter().enumerate().min_by(|a, b| b.1.total_cmp(a.1));
    best.expect("there is a legal action").0
}

/// Samples the place of an action.
pub(crate) fn sample(log_probs: &[f32], rng: &mut Rng) -> usize {
    let mut left = unit(rng) as f32;
    for (i, log_prob) in log_probs.iter().enumerate() {
        left -= log_prob.exp();
        if left < 0.0 {
            return i;
        }
    }
    // Rounding: the probabilities came to a hair less than 1.
    log_probs.len() - 1
}
