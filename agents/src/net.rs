//! The policy network: its shape, its burn module for training, and plain Rust for playing.
//!
//! One set of numbers, three forms of it:
//!
//! ```text
//! PolicyNet  <->  Weights  ->  FastNet
//! (training)      (files)      (playing: rollouts, search, duels)
//! ```
//!
//! [`PolicyNet`] is what a learner differentiates. [`Weights`] are its plain arrays in a fixed
//! order: what a checkpoint stores. [`FastNet`] plays from them without burn, and gives the same
//! bits on every machine.

mod agent;
mod config;
mod infer;
mod joined;
mod model;
mod playouts;
mod race;
mod search;

pub use agent::{Choice, NetAgent};
pub use config::{Layer, NetConfig, NetConfigError};
pub use infer::{FastNet, Row, Scratch, argmax, masked_softmax, sample};
pub use joined::JoinError;
pub use model::{NamedArray, PolicyNet, Weights, WeightsError};
pub use playouts::Playouts;
pub use search::NetSearch;
