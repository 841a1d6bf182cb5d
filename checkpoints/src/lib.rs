//! Checkpoints: one file holds a network, its provenance, and all that a run needs to continue
//! exactly.
//!
//! The crate reads and writes weights, an optimizer's state and a [`Provenance`], as bytes or as files,
//! and finds agents by name ([`roster`]). It does not depend on training.
//!
//! `FORMAT.md` describes the file for readers in any language: a valid safetensors file with a JSON
//! manifest as metadata, whose last 32 bytes are a hash of all bytes before them, the seal.
//!
//! ```
//! use newmarket_checkpoints::{Checkpoint, Encoding, Provenance, verify};
//! use newmarket_net::{NetConfig, Weights};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("update-000001.ckpt");
//! let net = NetConfig { inputs: 8, hidden: vec![16], actions: 4 };
//! let encoding = Encoding { version: 1, fingerprint: 0xfeed };
//! let run = Provenance { encoding, update: 1, ..Provenance::default() };
//! let checkpoint = Checkpoint::new(run, Weights::init(&net, 7));
//!
//! checkpoint.write(&path)?;
//! assert_eq!(Checkpoint::read(&path)?, checkpoint);
//! assert_eq!(verify(&path)?.update, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Without the feature `std` (on by default) the crate needs only `alloc`, and reads checkpoints from
//! bytes ([`Checkpoint::from_bytes`], [`NetPlayer::from_bytes`], [`released`]). Files, folders and names need
//! `std`.

#![no_std]
#![warn(clippy::std_instead_of_core, clippy::std_instead_of_alloc, clippy::alloc_instead_of_core)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "std")]
mod error;
#[cfg(feature = "std")]
pub mod export;
#[cfg(feature = "std")]
mod files;
mod format_error;
mod golden;
mod hash;
mod header;
#[cfg(feature = "std")]
mod kept_strategy;
mod manifest;
mod optimizer;
mod player;
mod plays;
mod read;
pub mod released;
#[cfg(feature = "std")]
pub mod roster;
#[cfg(feature = "std")]
mod store;
#[cfg(feature = "std")]
mod strategy_file;
mod trained_on;
#[cfg(feature = "std")]
mod whole;
#[cfg(feature = "std")]
mod write;

#[cfg(feature = "std")]
pub use error::Error;
#[cfg(feature = "std")]
pub use files::{verify, write_whole};
pub use format_error::FormatError;
pub use golden::golden_input;
#[cfg(feature = "std")]
pub use kept_strategy::KeptStrategy;
pub use manifest::{Checkpoint, Encoding, Provenance};
pub use optimizer::{OptimizerError, OptimizerState, Scalar};
pub use player::NetPlayer;
pub use read::CheckpointSummary;
#[cfg(feature = "std")]
pub use store::{BEST, Keep, best, file_name, latest, list, resolve, save, sweep};
#[cfg(feature = "std")]
pub use strategy_file::{
    LONGEST_STRATEGY, PREFIX as STRATEGY_PREFIX, StrategyError, read_strategy, strategy_from_toml,
};
pub use trained_on::{Parent, TrainedOn, TrainedTable};
#[cfg(feature = "std")]
pub use whole::{WholeFile, remove_unfinished};
