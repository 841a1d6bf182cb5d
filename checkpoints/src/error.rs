//! Everything that can be wrong with a checkpoint.

use std::io;
use std::path::{Path, PathBuf};

use newmarket_net::WeightsError;

use crate::optimizer::OptimizerError;

/// Why a checkpoint was not read or written: what, where, and what would be right, in one line.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system said no.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried, as in `read` or `write`.
        action: &'static str,
        /// What it said.
        source: io::Error,
    },
    /// Some other kind of file.
    #[error("{}: not a checkpoint: {found}; expected a file that this program wrote, as in update-000120.ckpt", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        found: String,
    },
    /// The beginning of a checkpoint.
    #[error("{}: truncated: {got} bytes, must be {expected}; copy it again or use an earlier checkpoint", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Its length.
        got: u64,
        /// The least length it must have, or exactly that where its header still says so.
        expected: u64,
    },
    /// A checkpoint whose bytes have changed since it was written.
    #[error("{}: corrupt: {part} is not what was written; copy it again or use an earlier checkpoint", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// Which part does not match.
        part: &'static str,
    },
    /// A checkpoint of another version of the format.
    #[error("{}: checkpoint format version {got}, this program reads versions 1 to {expected}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The file's version.
        got: u64,
        /// The version read here.
        expected: u32,
    },
    /// A sealed file whose manifest does not say what a manifest must.
    #[error("{}: manifest: {reason}; see FORMAT.md", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Tensors that are not the weights of the network that the manifest names.
    #[error("{}: {source}", path.display())]
    Weights {
        /// The file.
        path: PathBuf,
        /// What is wrong with them.
        source: WeightsError,
    },
    /// Optimizer tensors that make no sense.
    #[error("{}: {source}", path.display())]
    Optimizer {
        /// The file.
        path: PathBuf,
        /// What is wrong with them.
        source: OptimizerError,
    },
    /// The network was trained on another encoding of the table.
    #[error(
        "{}: made for encoding version {} ({:016x}), this program has version {} ({:016x}); use the program that made it, or train anew",
        path.display(), got.version, got.fingerprint, expected.version, expected.fingerprint
    )]
    Encoding {
        /// The file.
        path: PathBuf,
        /// The file's.
        got: crate::Encoding,
        /// The program's.
        expected: crate::Encoding,
    },
    /// Inference here does not give what it gave where the file was written.
    #[error("{}: golden pass: {output} is {got}, must be {expected}; inference differs from the writer's", path.display())]
    Golden {
        /// The file.
        path: PathBuf,
        /// Which output, as in `logit 3` or `value`.
        output: String,
        /// What this program computes.
        got: f32,
        /// What the file says.
        expected: f32,
    },
    /// A folder without any checkpoint.
    #[error("{}: no checkpoint here; expected best.ckpt or update-….ckpt in it or in its checkpoints/ folder", path.display())]
    NoneHere {
        /// The folder.
        path: PathBuf,
    },
}

impl Error {
    pub(crate) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { path, action, source }
    }

    pub(crate) fn foreign(path: &Path, found: impl Into<String>) -> Self {
        Self::Foreign { path: path.to_path_buf(), found: found.into() }
    }

    pub(crate) fn manifest(path: &Path, reason: impl Into<String>) -> Self {
        Self::Manifest { path: path.to_path_buf(), reason: reason.into() }
    }

    pub(crate) fn corrupt(path: &Path, part: &'static str) -> Self {
        Self::Corrupt { path: path.to_path_buf(), part }
    }
}
