//! The policy network: its shape, its weights, and plain Rust for playing.
//!
//! [`Weights`] are plain arrays in a fixed order: what a checkpoint stores. [`FastNet`] plays from
//! them, and gives the same bits on every machine. The form that is trained is in the crate
//! `newmarket-train`.

mod agent;
mod config;
mod infer;
mod joined;
mod playouts;
mod race;
mod search;
mod weights;

pub use agent::{Choice, NetAgent};
pub use config::{Layer, NetConfig, NetConfigError};
pub use infer::{FastNet, Row, Scratch, argmax, masked_softmax, sample};
pub use joined::JoinError;
pub use playouts::Playouts;
pub use search::NetSearch;
pub use weights::{NamedArray, Weights, WeightsError};
