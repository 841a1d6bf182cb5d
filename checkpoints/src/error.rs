//! Errors of checkpoint files, apart from their contents.

use std::io;
use std::path::{Path, PathBuf};

use crate::format_error::FormatError;
use crate::released;

/// Why a checkpoint was not read or written, in one line.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The operation, as in `read` or `write`.
        action: &'static str,
        /// Why it was refused.
        source: io::Error,
    },
    /// The bytes are not a checkpoint that can be used here.
    #[error("{}: {source}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The fault of its bytes.
        source: FormatError,
    },
    /// No file, folder or released player of this name.
    #[error(
        "{}: no such file or folder: expected {}, a checkpoint, an exported player or a run \
         folder",
        path.display(),
        released::ALL.map(|released| released.name).join(", ")
    )]
    NoPlayer {
        /// The part of the name after `net:`.
        path: PathBuf,
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

    pub(crate) fn format(path: &Path) -> impl FnOnce(FormatError) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Format { path, source }
    }
}
