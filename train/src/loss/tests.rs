//! The loss against the papers' formulas, number by number, and its gradients against finite
//! differences.

use super::*;
use crate::objective::{Clipped, Regression};
use crate::schedule::Schedule;
use burn::tensor::{Device, TensorData};

const ROWS: usize = 7;
const ACTIONS: usize = 5;

/// One minibatch as plain numbers.
#[derive(Clone)]
struct Plain {
    logits: Vec<f64>,
    values: Vec<f64>,
    legal: Vec<bool>,
    log_probs: Vec<f64>,
    weights: Vec<f64>,
    advantages: Vec<f64>,
    class_weights: Vec<f64>,
    targets: Vec<f64>,
}

/// Numbers between −1 and 1, the same every time.
fn noise(seed: u64, n: usize) -> Vec<f64> {
    let mut x = seed;
    let mut next = || {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (x >> 33) as f64 / f64::from(1u32 << 30) - 1.0
    };
    next();
    (0..n).map(|_| next()).collect()
}

/// Rows with two to five legal actions, ratios on both sides of the clip range; `taken`: all
/// weight on one action, else the old probabilities.
fn plain(seed: u64, taken: bool) -> Plain {
    let wide = ROWS * ACTIONS;
    let legal: Vec<bool> = (0..wide).map(|i| i % ACTIONS <= 1 + i / ACTIONS % 4).collect();
    let mut p = Plain {
        logits: noise(seed + 6, wide),
        values: noise(seed + 1, ROWS),
        legal,
        log_probs: vec![],
        weights: vec![],
        advantages: noise(seed + 2, wide),
        class_weights: noise(seed + 5, ROWS).into_iter().map(|x| 1.0 + 0.5 * x).collect(),
        targets: noise(seed + 3, ROWS),
    };
    // The policy of the rollout had other logits.
    let old: Vec<f64> = (0..ROWS).flat_map(|row| policy(&p, row)).collect();
    p.log_probs = old.iter().map(|q| q.ln()).collect();
    p.weights = old;
    if taken {
        p.weights = (0..wide).map(|i| f64::from(u8::from(i % ACTIONS == i / 7 % 2))).collect();
    }
    p.logits = noise(seed, wide);
    p
}

/// The probabilities of one row's actions, by the definition.
fn policy(p: &Plain, row: usize) -> Vec<f64> {
    let weights: Vec<f64> = (row * ACTIONS..(row + 1) * ACTIONS)
        .map(|i| if p.legal[i] { p.logits[i].exp() } else { 0.0 })
        .collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|w| w / sum).collect()
}

/// The loss, row by row, from the papers.
fn by_hand(p: &Plain, settings: &Settings) -> Losses {
    let mut losses = Losses::default();
    let n = ROWS as f64;
    for row in 0..ROWS {
        let probs = policy(p, row);
        let legal = || (row * ACTIONS..).zip(&probs).filter(|(i, _)| p.legal[*i]);
        match settings.clip {
            None => {
                let distances: Vec<f64> =
                    legal().map(|(i, _)| p.logits[i] - p.advantages[i]).collect();
                let mean = distances.iter().sum::<f64>() / distances.len() as f64;
                let squares = distances.iter().map(|x| 0.5 * (x - mean).powi(2)).sum::<f64>();
                losses.policy += squares * p.class_weights[row] / n;
            }
            Some([clip, _]) => {
                for (i, prob) in legal() {
                    let (a, weight) = (p.advantages[i], p.weights[i] / n);
                    let ratio = prob / p.log_probs[i].exp();
                    let cut = ratio.clamp(1.0 - clip, 1.0 + clip);
                    losses.policy -= weight * (ratio * a).min(cut * a);
                    *losses.clipped.get_or_insert(0.0) +=
                        weight * f64::from(u8::from((ratio - 1.0).abs() > clip));
                }
            }
        }
        for (i, prob) in legal() {
            let old = p.log_probs[i].exp();
            losses.kl += old * (old / prob).ln() / n;
            losses.entropy -= prob * prob.ln() / n;
        }
        losses.value += 0.5 * (p.values[row] - p.targets[row]).powi(2) / n;
    }
    losses.total = losses.policy + VALUE_WEIGHT * losses.value;
    if let Some([_, entropy_weight]) = settings.clip {
        losses.total -= entropy_weight * losses.entropy;
    }
    losses
}

/// Whether both have the same parts, and each differs by less than 1e-5.
fn assert_near(some: &Losses, others: &Losses) {
    assert_eq!(some.named().count(), others.named().count(), "{some:?} and {others:?}");
    for ((name, x), (_, y)) in some.named().zip(others.named()) {
        assert!((x - y).abs() < 1e-5, "{name}: {x} and {y}");
    }
}

fn tensor<const D: usize>(xs: &[f64], shape: [usize; D], device: &Device) -> Tensor<D> {
    let xs: Vec<f32> = xs.iter().map(|x| *x as f32).collect();
    Tensor::from_data(TensorData::new(xs, shape), device)
}

/// The rows from `from` to `to` as tensors. The choices of a row come in reverse order, to show
/// that the order does not matter.
fn tensors(p: &Plain, from: usize, to: usize, device: &Device) -> (NetworkOutput, Shard) {
    let n = to - from;
    let choices: Vec<Vec<Option<usize>>> = (from..to)
        .map(|row| {
            let of_row = (row * ACTIONS..(row + 1) * ACTIONS).rev().filter(|i| p.legal[*i]);
            of_row.map(Some).chain(std::iter::repeat(None)).take(ACTIONS).collect()
        })
        .collect();
    let column = |empty: f64, full: &dyn Fn(usize) -> f64| {
        let flat: Vec<f64> = choices.iter().flatten().map(|c| c.map_or(empty, full)).collect();
        tensor(&flat, [n, ACTIONS], device)
    };
    let masked = f64::from(MASKED);
    let shard = Shard {
        actions: column(0.0, &|i| (i % ACTIONS) as f64).int(),
        mask: column(masked, &|_| 0.0),
        log_probs: column(masked, &|i| p.log_probs[i]),
        weights: column(0.0, &|i| p.weights[i]),
        advantages: column(0.0, &|i| p.advantages[i]),
        row_weights: Some(tensor(&p.class_weights[from..to], [n, 1], device)),
        targets: tensor(&p.targets[from..to], [n], device),
    };
    let output = NetworkOutput {
        logits: tensor(&p.logits[from * ACTIONS..to * ACTIONS], [n, ACTIONS], device),
        values: tensor(&p.values[from..to], [n], device),
    };
    (output, shard)
}

const VALUE_WEIGHT: f64 = 0.5;
const PROGRESS: f64 = 0.25;

/// An objective, and where it is [`Clipped`] its clip range and entropy weight at [`PROGRESS`].
struct Settings {
    clip: Option<[f64; 2]>,
    objective: Box<dyn Objective>,
}

impl Settings {
    fn of(&self) -> LossSettings<'_> {
        let value_weight = VALUE_WEIGHT as f32;
        LossSettings { objective: &*self.objective, progress: PROGRESS, value_weight }
    }
}

fn settings() -> [Settings; 3] {
    let clipped = |clip: f64, entropy: f64| {
        // Lines that have these values at a quarter.
        let line = |x: f64| Schedule::Linear { from: 2.0 * x, to: -2.0 * x };
        let objective = Box::new(Clipped { clip: line(clip), entropy: line(entropy) });
        Settings { clip: Some([clip, entropy]), objective }
    };
    let regression = Settings { clip: None, objective: Box::new(Regression::new(0.5)) };
    [clipped(0.2, 0.01), clipped(0.4, 0.5), regression]
}

#[test]
fn equals_the_loss_written_by_hand() {
    let device = Device::flex();
    for seed in 1..20 {
        let p = plain(seed, seed % 2 == 0);
        for settings in settings() {
            let (output, shard) = tensors(&p, 0, ROWS, &device);
            assert_near(&loss(output, shard, ROWS, &settings.of()).read(), &by_hand(&p, &settings));
        }
    }
}

#[test]
fn gradients_equal_finite_differences() {
    let device = Device::flex().autodiff();
    for (seed, settings) in (1..7).flat_map(|s| settings().map(|o| (s, o))) {
        let p = plain(seed, seed % 2 == 0);
        let (mut output, shard) = tensors(&p, 0, ROWS, &device);
        output.logits = output.logits.require_grad();
        output.values = output.values.require_grad();
        let (logits, values) = (output.logits.clone(), output.values.clone());
        let total = loss(output, shard, ROWS, &settings.of()).total;
        let grads = total.backward();
        let read =
            |x: Option<TensorData>| x.expect("a gradient").try_into_vec::<f32>().expect("floats");
        let by_logits = read(logits.grad(&grads).map(Tensor::into_data));
        let by_values = read(values.grad(&grads).map(Tensor::into_data));
        let nudged = |nudge: &dyn Fn(&mut Plain, f64)| {
            let side = |step: f64| {
                let mut q = p.clone();
                nudge(&mut q, step);
                by_hand(&q, &settings).total
            };
            (side(1e-6) - side(-1e-6)) / 2e-6
        };
        for (i, got) in by_logits.into_iter().enumerate() {
            let expected = nudged(&|q, step| q.logits[i] += step);
            assert!((f64::from(got) - expected).abs() < 1e-5, "logit {i}: {got}, {expected}");
        }
        for (i, got) in by_values.into_iter().enumerate() {
            let expected = nudged(&|q, step| q.values[i] += step);
            assert!((f64::from(got) - expected).abs() < 1e-5, "value {i}: {got}, {expected}");
        }
    }
}

#[test]
fn shards_add_up_to_the_whole() {
    let device = Device::flex();
    let p = plain(3, false);
    let [_, settings, _] = settings();
    let part = |from, to| {
        let (output, shard) = tensors(&p, from, to, &device);
        loss(output, shard, ROWS, &settings.of()).read()
    };
    let mut sum = Losses::default();
    for shard in [part(0, 3), part(3, 4), part(4, ROWS)] {
        sum.add(&shard, 1.0);
    }
    assert_near(&sum, &part(0, ROWS));
}

#[test]
fn an_illegal_action_has_no_weight_and_no_gradient() {
    let device = Device::flex().autodiff();
    let mut p = plain(5, false);
    // A network may say anything about an illegal action, even with great conviction.
    for i in 0..ROWS * ACTIONS {
        if !p.legal[i] {
            p.logits[i] = 500.0;
        }
    }
    let (mut output, shard) = tensors(&p, 0, ROWS, &device);
    output.logits = output.logits.require_grad();
    let logits = output.logits.clone();
    let losses = loss(output, shard, ROWS, &settings()[1].of());
    let grads = losses.total.backward();
    assert_eq!(losses.read().not_finite(), None);
    let grad = logits.grad(&grads).expect("a gradient").into_data();
    for (i, g) in grad.try_into_vec::<f32>().expect("floats").into_iter().enumerate() {
        assert!(p.legal[i] || g == 0.0, "illegal {i} has gradient {g}");
    }
}

#[test]
fn nan_is_found_and_named() {
    let mut losses = Losses::default();
    assert_eq!(losses.not_finite(), None);
    losses.clipped = Some(f64::NAN);
    assert_eq!(losses.not_finite(), Some("clipped"));
    losses.value = f64::INFINITY;
    assert_eq!(losses.not_finite(), Some("value"));
}
