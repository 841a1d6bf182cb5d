//! The golden pass: a forward pass in the file, by which a reader checks its own inference.

use alloc::format;
use alloc::string::ToString as _;
use alloc::vec::Vec;

use newmarket_net::{FastNet, Weights};
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::format_error::FormatError;

/// The greatest difference of an output from the golden one, relative to `1 + |golden|`.
const TOLERANCE: f32 = 1e-5;

/// The network's output for [`golden_input`]`(seed)`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Golden {
    pub(crate) seed: u64,
    /// `[actions]`.
    pub(crate) logits: Vec<f32>,
    pub(crate) value: f32,
}

/// The golden input of a seed, `[inputs]`. xoshiro256++, seeded by `SplitMix64` (`seed_from_u64`), gives one
/// draw `u` for each value. The value is `(u >> 40) / 2²⁴` if the two lowest bits of `u` are zero, else 0.
pub fn golden_input(inputs: usize, seed: u64) -> Vec<f32> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..inputs)
        .map(|_| match rng.next_u64() {
            u if u.trailing_zeros() >= 2 => (u >> 40) as f32 / (1u32 << 24) as f32,
            _ => 0.0,
        })
        .collect()
}

impl Golden {
    /// The seed of the golden input in all files that are written.
    #[cfg(feature = "std")]
    pub(crate) const SEED: u64 = 1;

    #[cfg(feature = "std")]
    pub(crate) fn of(weights: &Weights) -> Self {
        Self::at(weights, Self::SEED)
    }

    fn at(weights: &Weights, seed: u64) -> Self {
        let net = FastNet::new(weights);
        let mut scratch = net.scratch();
        let input = golden_input(weights.config().inputs, seed);
        let (logits, value) = net.forward(&input[..], &mut scratch);
        Self { seed, logits: logits.to_vec(), value }
    }

    /// Checks that inference gives the outputs of the file.
    pub(crate) fn check(&self, weights: &Weights) -> Result<(), FormatError> {
        let here = Self::at(weights, self.seed);
        let names = (0..).map(|k| format!("logit {k}"));
        let pairs = here.logits.iter().zip(&self.logits).zip(names);
        let value = ((&here.value, &self.value), "value".to_string());
        for ((&got, &expected), output) in pairs.chain([value]) {
            // Not `>`: NaN must fail, too.
            let near = (got - expected).abs() <= TOLERANCE * (1.0 + expected.abs());
            if !near {
                return Err(FormatError::Golden { output, got, expected });
            }
        }
        Ok(())
    }
}
