//! Checkpoint files: one file holds a network, how it came about, and all that a run needs to go
//! on exactly.
//!
//! `FORMAT.md` describes the file for readers in any language. In short: a valid safetensors file
//! whose metadata is a JSON manifest and whose last 32 bytes seal everything before them.
//!
//! ```
//! use newmarket_net::{NetConfig, Weights};
//! use newmarket_checkpoints::{Checkpoint, Encoding, Run, verify};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("update-000001.ckpt");
//! let net = NetConfig { inputs: 8, hidden: vec![16], actions: 4 };
//! let encoding = Encoding { version: 1, fingerprint: 0xfeed };
//! let run = Run { encoding, update: 1, ..Run::default() };
//! let checkpoint = Checkpoint { run, weights: Weights::init(&net, 7), optimizer: None };
//!
//! checkpoint.write(&path)?;
//! assert_eq!(Checkpoint::read(&path)?, checkpoint);
//! assert_eq!(verify(&path)?.update, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod golden;
mod manifest;
mod optimizer;
mod read;
pub mod released;
pub mod roster;
mod store;
mod trained_on;
mod write;

pub use error::Error;
pub use golden::golden_input;
pub use manifest::{Checkpoint, Encoding, Run};
pub use optimizer::{OptimizerError, OptimizerState, Scalar};
pub use read::{Summary, verify};
pub use store::{BEST, Keep, best, file_name, latest, list, resolve, save, sweep};
pub use trained_on::{Parent, TrainedOn, TrainedTable};
pub use write::write_whole;
