//! From logits to an action: the largest, or a draw, among the legal ones.

/// The legal action with the largest logit; the lowest of them if several tie.
///
/// Bit `i` of `legal` says that action `i` is legal.
///
/// # Panics
///
/// If no action is legal, or a legal action has no logit.
#[inline]
pub fn argmax(logits: &[f32], legal: u128) -> usize {
    let mut best = None;
    for i in bits(legal) {
        if best.is_none_or(|(_, top)| logits[i] > top) {
            best = Some((i, logits[i]));
        }
    }
    best.expect("at least one legal action").0
}

/// Probabilities of the legal actions, 0 elsewhere: `logits` `[actions]` → `out` `[actions]`.
///
/// Summed in `f64`; the same bits on every machine.
///
/// # Panics
///
/// If no action is legal, a legal action has no logit, or `out` is not as long as `logits`.
#[inline]
pub fn masked_softmax(logits: &[f32], legal: u128, out: &mut [f32]) {
    assert_eq!(out.len(), logits.len(), "length of the probabilities");
    let (top, total) = partition(logits, legal);
    out.fill(0.0);
    for i in bits(legal) {
        out[i] = (weight(logits[i], top) / total) as f32;
    }
}

/// Draws a legal action from the masked softmax with `unit`, a uniform draw from `[0, 1)`;
/// returns it with the logarithm of its probability.
///
/// Allocates nothing; the same bits on every machine.
///
/// # Panics
///
/// If no action is legal, or a legal action has no logit.
#[inline]
pub fn sample(logits: &[f32], legal: u128, unit: f64) -> (usize, f32) {
    let (top, total) = partition(logits, legal);
    let mut left = unit * total;
    let mut chosen = None;
    for i in bits(legal) {
        let w = weight(logits[i], top);
        // One whose weight has underflowed to 0 is never drawn, not even by rounding at the end.
        if w > 0.0 {
            chosen = Some(i);
            if left < w {
                break;
            }
            left -= w;
        }
    }
    let i = chosen.expect("the largest logit has weight 1");
    (i, (f64::from(logits[i]) - f64::from(top) - libm::log(total)) as f32)
}

/// The largest legal logit, and `Σ exp(logit − largest)` over the legal actions.
#[inline]
fn partition(logits: &[f32], legal: u128) -> (f32, f64) {
    let top = logits[argmax(logits, legal)];
    (top, bits(legal).map(|i| weight(logits[i], top)).sum())
}

fn weight(logit: f32, top: f32) -> f64 {
    libm::exp(f64::from(logit) - f64::from(top))
}

/// The positions of the set bits, ascending.
fn bits(mut mask: u128) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        (mask != 0).then(|| {
            let i = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            i
        })
    })
}
