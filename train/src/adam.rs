//! Adam (Kingma and Ba 2015) over the flat parameters, and the global gradient norm.
//!
//! burn's own optimizer does the arithmetic. Workers step blocks of parameters side by side. Each parameter is
//! stepped on its own, so the block size changes no bit. The state is two vectors and a counter: a checkpoint holds
//! them, and a resumed run continues from them exactly.

use crate::workers::Workers;
use burn::optim::{Adam as BurnAdam, AdamConfig, AdamState, AdaptiveMomentumState, Optimizer};
use burn::tensor::{Device, Tensor, TensorData};

/// The state of Adam between steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moments {
    /// Steps taken.
    pub steps: u64,
    /// Running mean of the gradients. `[count]`, empty before the first step.
    pub first: Vec<f32>,
    /// Running mean of their squares. `[count]`, empty before the first step.
    pub second: Vec<f32>,
}

/// Parameters of a block. The intermediate results of a block fit into the caches of a core.
const BLOCK: usize = 1 << 14;

/// The optimizer.
#[derive(Clone)]
pub(crate) struct Adam {
    rule: BurnAdam,
    /// One entry for each block of the parameters; empty before the first step.
    states: Vec<Option<AdamState<1>>>,
    device: Device,
}

impl Adam {
    /// β₁ = 0.9, β₂ = 0.999, and ε = 10⁻⁵ as PPO's reference implementations have it (Huang et al.,
    /// "The 37 implementation details of PPO", 2022, detail 3).
    pub(crate) fn new(moments: &Moments) -> Self {
        let device = Device::flex();
        let blocks = moments.first.chunks(BLOCK).zip(moments.second.chunks(BLOCK));
        let state = |(first, second)| {
            let (first, second) = (tensor(first, &device), tensor(second, &device));
            AdamState::new(AdaptiveMomentumState::new(moments.steps as usize, first, second))
        };
        let states = blocks.map(|block| Some(state(block))).collect();
        Self { rule: AdamConfig::new().with_epsilon(1e-5).build(), states, device }
    }

    /// One step of size `learning_rate` against `gradient`; both slices have `[count]` numbers.
    pub(crate) fn step(
        &mut self,
        learning_rate: f64,
        parameters: &mut [f32],
        gradient: &[f32],
        workers: &Workers,
    ) {
        let (parameters, gradient) = (parameters.chunks_mut(BLOCK), gradient.chunks(BLOCK));
        self.states.resize(parameters.len(), None);
        let blocks = parameters.zip(gradient).zip(&mut self.states);
        workers.each(blocks, |((parameters, gradient), state)| {
            let (weights, gradient) =
                (tensor(parameters, &self.device), tensor(gradient, &self.device));
            let (weights, next) = self.rule.step(learning_rate, weights, gradient, state.take());
            *state = next;
            parameters.copy_from_slice(&read(weights));
        });
    }

    /// The state as a checkpoint holds it.
    pub(crate) fn moments(&self) -> Moments {
        let mut moments = Moments::default();
        for state in self.states.iter().flatten() {
            moments.steps = state.momentum.time as u64;
            moments.first.extend(read(state.momentum.moment_1.clone()));
            moments.second.extend(read(state.momentum.moment_2.clone()));
        }
        moments
    }
}

fn tensor(numbers: &[f32], device: &Device) -> Tensor<1> {
    Tensor::from_data(TensorData::new(numbers.to_vec(), [numbers.len()]), device)
}

fn read(tensor: Tensor<1>) -> Vec<f32> {
    tensor.into_data().try_into_vec().expect("the optimizer keeps the type of its parameters, f32")
}

/// The Euclidean norm of the whole gradient. Eight partial sums in `f64`, in a fixed order, do not depend on each
/// other.
pub(crate) fn global_norm(gradient: &[f32]) -> f64 {
    let (eights, rest) = gradient.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for eight in eights {
        for (sum, &g) in sums.iter_mut().zip(eight) {
            *sum += f64::from(g) * f64::from(g);
        }
    }
    let rest: f64 = rest.iter().map(|&g| f64::from(g) * f64::from(g)).sum();
    (sums.iter().sum::<f64>() + rest).sqrt()
}

/// Scales the whole gradient so that its norm, given as `norm`, is at most `most` (Pascanu, Mikolov
/// and Bengio 2013); `most` = 0 leaves the gradient unchanged.
pub(crate) fn clip_norm(gradient: &mut [f32], norm: f64, most: f64) {
    if most > 0.0 && norm > most {
        let factor = (most / norm) as f32;
        for g in gradient {
            *g *= factor;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gradient(step: usize, n: usize) -> Vec<f32> {
        (0..n).map(|i| ((i * 7 + step * 13) % 11) as f32 / 5.0 - 1.0).collect()
    }

    /// Kingma and Ba's algorithm 1, one number at a time, in `f64`.
    #[test]
    fn equals_the_published_algorithm() {
        let (n, rate, workers) = (BLOCK + 23, 0.01, Workers::new(2).expect("threads"));
        let mut adam = Adam::new(&Moments::default());
        let mut weights: Vec<f32> = (0..n).map(|i| (i % 23) as f32 / 10.0).collect();
        let mut expected: Vec<f64> = weights.iter().map(|w| f64::from(*w)).collect();
        let (mut m, mut v) = (vec![0.0; n], vec![0.0; n]);
        for step in 1..=30 {
            let g = gradient(step, n);
            for i in 0..n {
                let g = f64::from(g[i]);
                m[i] = 0.9 * m[i] + 0.1 * g;
                v[i] = 0.999 * v[i] + 0.001 * g * g;
                let (mean, square) = (
                    m[i] / (1.0 - 0.9_f64.powi(step as i32)),
                    v[i] / (1.0 - 0.999_f64.powi(step as i32)),
                );
                expected[i] -= rate * mean / (square.sqrt() + 1e-5);
            }
            adam.step(rate, &mut weights, &g, &workers);
        }
        for (w, e) in weights.iter().zip(expected) {
            assert!((f64::from(*w) - e).abs() < 1e-4, "{w} and {e}");
        }
    }

    #[test]
    fn a_saved_state_goes_on_exactly() {
        let (n, workers) = (2 * BLOCK + 9, Workers::new(2).expect("threads"));
        let start: Vec<f32> = vec![0.5; n];
        let (mut straight, mut halved) = (start.clone(), start);
        let mut adam = Adam::new(&Moments::default());
        let mut other = adam.clone();
        for step in 0..10 {
            adam.step(0.01, &mut straight, &gradient(step, n), &workers);
        }
        for step in 0..10 {
            other = Adam::new(&other.moments());
            other.step(0.01, &mut halved, &gradient(step, n), &workers);
        }
        assert_eq!(straight, halved, "bit for bit");
        assert_eq!(adam.moments(), other.moments());
    }

    #[test]
    fn the_norm_is_global() {
        let mut g = vec![3.0, 0.0, -4.0];
        let norm = global_norm(&g);
        assert!((norm - 5.0).abs() < 1e-12);
        clip_norm(&mut g, norm, 10.0);
        assert_eq!(g, [3.0, 0.0, -4.0], "below the limit nothing changes");
        clip_norm(&mut g, norm, 0.0);
        assert_eq!(g, [3.0, 0.0, -4.0], "no limit");
        clip_norm(&mut g, norm, 0.5);
        assert!((global_norm(&g) - 0.5).abs() < 1e-6);
        assert!((g[0] / g[2] + 0.75).abs() < 1e-6, "the direction stays");
    }
}
