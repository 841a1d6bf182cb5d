//! Several networks joined into one network, whose output is the mean of their outputs.

use alloc::vec;
use alloc::vec::Vec;

use crate::config::{NetConfig, NetConfigError};
use crate::weights::{NamedArray, Weights};

/// Why networks cannot be joined.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// There is no network to join.
    #[error("no network to join: expected at least one")]
    Nothing,
    /// A network differs from the first in more than its widths.
    #[error(
        "network {nth} has {inputs} inputs, {layers} hidden layers and {actions} actions, the first \
         one {} inputs, {} hidden layers and {} actions: only widths may differ",
        first.inputs, first.hidden.len(), first.actions
    )]
    Unlike {
        /// The number of the network, from 1.
        nth: usize,
        /// Length of its observations.
        inputs: usize,
        /// Number of its hidden layers.
        layers: usize,
        /// Number of its logits.
        actions: usize,
        /// The shape of the first.
        first: NetConfig,
    },
    /// The joined network would be larger than a network may be.
    #[error(transparent)]
    Config(#[from] NetConfigError),
}

impl Weights {
    /// One network whose logits and value are the means of those of `parts`.
    ///
    /// Each layer is as wide as the layers of all parts together, and no unit of a part reads a unit of
    /// another part. The errors of separately trained networks are in part independent, so the mean of
    /// their outputs has smaller errors (Hansen and Salamon 1990, *Neural network ensembles*). Units that
    /// belong to suits come first ([`NetConfig::equivariant_units`]). So if weights are tied in every part,
    /// and widths are multiples of 16, weights are tied in the joined network.
    ///
    /// # Errors
    ///
    /// If there are no parts, or they differ in inputs, actions or the number of hidden layers.
    pub fn joined(parts: &[Self]) -> Result<Self, JoinError> {
        let first = parts.first().ok_or(JoinError::Nothing)?.config();
        let kind = |config: &NetConfig| (config.inputs, config.hidden.len(), config.actions);
        for (nth, config) in (1..).zip(parts.iter().map(Self::config)) {
            let (inputs, layers, actions) = kind(config);
            if kind(config) != kind(first) {
                let first = first.clone();
                return Err(JoinError::Unlike { nth, inputs, layers, actions, first });
            }
        }
        let depth = first.hidden.len();
        let widths = |layer: usize| parts.iter().map(move |part| part.config().hidden[layer]);
        let hidden = (0..depth).map(|layer| widths(layer).sum()).collect();
        let config = NetConfig { inputs: first.inputs, hidden, actions: first.actions };
        config.validate()?;

        let units: Vec<_> = (0..depth).map(|layer| side_by_side(widths(layer))).collect();
        let all = |count: usize| (0..count).collect::<Vec<_>>();
        let mut arrays: Vec<NamedArray> = Self::layout(&config)
            .into_iter()
            .map(|(name, shape)| {
                let data = vec![0.0; shape.iter().product()];
                NamedArray { name, shape, data }
            })
            .collect();
        for (which, part) in parts.iter().enumerate() {
            for (at, layer) in part.config().layers().iter().enumerate() {
                let head = at >= depth;
                let share = if head { 1.0 / parts.len() as f32 } else { 1.0 };
                let from = match at.min(depth) {
                    0 => all(layer.inputs),
                    below => units[below - 1][which].clone(),
                };
                let to = if head { all(layer.outputs) } else { units[at][which].clone() };
                let [weight, bias] = [2 * at, 2 * at + 1];
                let width = arrays[bias].data.len();
                for (row, &i) in part.arrays()[weight].data.chunks(layer.outputs).zip(&from) {
                    for (x, &j) in row.iter().zip(&to) {
                        arrays[weight].data[i * width + j] += share * x;
                    }
                }
                for (x, &j) in part.arrays()[bias].data.iter().zip(&to) {
                    arrays[bias].data[j] += share * x;
                }
            }
        }
        Ok(Self::from_arrays(&config, arrays).expect("finite weights in their own layout"))
    }
}

/// The place of each unit of layers of these widths in the joined layer: units of suits first.
fn side_by_side(widths: impl Iterator<Item = usize> + Clone) -> Vec<Vec<usize>> {
    let mut suited = 0;
    let mut free = widths.clone().map(NetConfig::equivariant_units).sum();
    let place = |width: usize| {
        (0..width)
            .map(|unit| {
                let next = if unit < NetConfig::equivariant_units(width) {
                    &mut suited
                } else {
                    &mut free
                };
                *next += 1;
                *next - 1
            })
            .collect()
    };
    widths.map(place).collect()
}
