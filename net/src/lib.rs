//! The policy network: its configuration, its weights as plain arrays, and its forward pass.
//!
//! This crate is for programs that play or store a network. The input is an
//! [`Observation`](newmarket_env::Observation) or any row of numbers; the output is the logits of the
//! actions and a value. The crate does not know rules, states, players or training; of the environment it
//! reads observations only.
//!
//! [`Weights`] are stored in checkpoints. [`QuantisedNet`] plays from them in whole numbers. [`FastNet`]
//! computes in `f32`, for training and export. Both give the same bits on every machine and for every
//! number of rows.
//!
//! ```
//! use newmarket_net::{FastNet, NetConfig, Weights, argmax};
//!
//! let config = NetConfig { inputs: 3, hidden: vec![16], actions: 4 };
//! let net = FastNet::new(&Weights::init(&config, 7));
//! let mut scratch = net.scratch();
//! let (logits, _value) = net.forward(&[1.0, 0.0, 0.5][..], &mut scratch);
//! let action = argmax(logits, 0b0110); // of actions 1 and 2
//! assert!(action == 1 || action == 2);
//! ```
//!
//! Without the feature `std` (on by default) the crate needs `alloc` only.

#![no_std]
#![warn(clippy::std_instead_of_core, clippy::std_instead_of_alloc, clippy::alloc_instead_of_core)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod choose;
mod config;
mod fast;
mod joined;
mod quantised;
mod weights;

pub use choose::{argmax, masked_softmax, sample};
pub use config::{Layer, NetConfig, NetConfigError};
pub use fast::{FastNet, Row, Scratch};
pub use joined::JoinError;
pub use quantised::{QuantisedNet, QuantisedScratch, WholeHead, WholeLayer, WholeNumbers};
pub use weights::{NamedArray, Weights, WeightsError};
