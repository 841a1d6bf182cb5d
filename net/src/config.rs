//! The configuration of a network: its widths.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// The shape of a policy network.
///
/// The network is a multilayer perceptron with a shared trunk of `hidden.len()` layers, a policy
/// head of `actions` logits and a value head of one number.
///
/// ```
/// use newmarket_net::NetConfig;
///
/// let config = NetConfig { inputs: 512, hidden: vec![256, 256], actions: 74 };
/// assert!(config.validate().is_ok());
/// assert_eq!(config.parameters(), (512 + 1) * 256 + (256 + 1) * 256 + (256 + 1) * 75);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetConfig {
    /// Length of an observation vector.
    pub inputs: usize,
    /// Width of each trunk layer, first to last; at least one.
    pub hidden: Vec<usize>,
    /// Number of actions (logits); at most 128, the width of a legal mask.
    pub actions: usize,
}

/// One dense layer of a network: `y = x · weight + bias`, `weight` `[inputs, outputs]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// `trunk.0`, `trunk.1`, …, `policy` or `value`.
    pub name: String,
    /// Rows of the weight: the width of the layer before.
    pub inputs: usize,
    /// Columns of the weight, length of the bias.
    pub outputs: usize,
}

/// Why a [`NetConfig`] cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetConfigError {
    /// A width is zero.
    #[error("network: `{0}` is 0, must be at least 1")]
    ZeroWidth(&'static str),
    /// A width is beyond any sensible network (and beyond what a reader should allocate).
    #[error("network: `{what}` is {got}, must be at most {max}")]
    TooWide {
        /// The name of the width.
        what: &'static str,
        /// The width in the configuration.
        got: usize,
        /// The largest width that is accepted.
        max: usize,
    },
    /// The trunk has no layer.
    #[error("network: `hidden` is empty, must name at least one width, as in [256, 256]")]
    NoTrunk,
}

impl NetConfig {
    /// Most actions: a legal mask is a `u128`.
    pub const MAX_ACTIONS: usize = 128;
    /// Widest input or hidden layer.
    pub const MAX_WIDTH: usize = 1 << 14;
    /// Most hidden layers.
    pub const MAX_DEPTH: usize = 32;

    /// Checks that a network of this shape can be built.
    ///
    /// # Errors
    ///
    /// The first width that is zero or beyond its limit, or an empty trunk.
    #[inline]
    pub fn validate(&self) -> Result<(), NetConfigError> {
        let check = |what, got, max| match got {
            0 => Err(NetConfigError::ZeroWidth(what)),
            _ if got > max => Err(NetConfigError::TooWide { what, got, max }),
            _ => Ok(()),
        };
        check("inputs", self.inputs, Self::MAX_WIDTH)?;
        check("actions", self.actions, Self::MAX_ACTIONS)?;
        if self.hidden.is_empty() {
            return Err(NetConfigError::NoTrunk);
        }
        check("hidden layers", self.hidden.len(), Self::MAX_DEPTH)?;
        self.hidden.iter().try_for_each(|&width| check("hidden", width, Self::MAX_WIDTH))
    }

    /// The dense layers in their fixed order: the trunk, the policy head, the value head.
    #[inline]
    pub fn layers(&self) -> Vec<Layer> {
        let mut layers = Vec::with_capacity(self.hidden.len() + 2);
        let mut inputs = self.inputs;
        for (k, &outputs) in self.hidden.iter().enumerate() {
            layers.push(Layer { name: format!("trunk.{k}"), inputs, outputs });
            inputs = outputs;
        }
        layers.push(Layer { name: "policy".into(), inputs, outputs: self.actions });
        layers.push(Layer { name: "value".into(), inputs, outputs: 1 });
        layers
    }

    /// The number of units of a hidden layer that belong to suits, if weights are tied so that suits can be
    /// permuted: the first three quarters, in groups of four. The other units belong to no suit.
    pub fn equivariant_units(width: usize) -> usize {
        width * 3 / 16 * 4
    }

    /// Number of trainable parameters.
    pub fn parameters(&self) -> usize {
        self.layers().iter().map(|l| (l.inputs + 1) * l.outputs).sum()
    }
}
