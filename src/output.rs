//! Output to standard output or to a file. A file is written whole or not at all.

use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use newmarket_checkpoints::WholeFile;

use crate::failure::{Failure, Result, cannot_write};
use crate::interrupt;

/// Standard output, or a file, which appears at its path when it is finished.
pub(crate) enum Output {
    Stdout(BufWriter<io::Stdout>),
    File { file: BufWriter<WholeFile>, path: PathBuf },
}

impl Output {
    /// Opens the file at `path`, or standard output if there is no path.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else {
            return Ok(Self::Stdout(BufWriter::new(io::stdout())));
        };
        interrupt::catch()?;
        match WholeFile::open(path) {
            Ok(file) => Ok(Self::File { file: BufWriter::new(file), path: path.into() }),
            Err(error) => Err(cannot_write(path.display(), error)),
        }
    }

    /// Writes some text.
    pub(crate) fn write(&mut self, text: impl Display) -> Result {
        let written = match self {
            Self::Stdout(out) => write!(out, "{text}"),
            Self::File { file, .. } => write!(file, "{text}"),
        };
        written.map_err(|error| self.failure(error))
    }

    /// Writes bytes.
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) -> Result {
        let written = match self {
            Self::Stdout(out) => out.write_all(bytes),
            Self::File { file, .. } => file.write_all(bytes),
        };
        written.map_err(|error| self.failure(error))
    }

    /// Flushes all output. A file appears at its path.
    pub(crate) fn finish(mut self) -> Result {
        let flushed = match &mut self {
            Self::Stdout(out) => out.flush(),
            Self::File { file, .. } => file.flush(),
        };
        flushed.map_err(|error| self.failure(error))?;
        let Self::File { file, path } = self else { return Ok(()) };
        let finished = file.into_inner().map_err(io::IntoInnerError::into_error);
        finished.and_then(WholeFile::finish).map_err(|error| cannot_write(path.display(), error))
    }

    fn failure(&self, error: io::Error) -> Failure {
        match self {
            Self::Stdout(_) => cannot_write("standard output", error),
            Self::File { path, .. } => cannot_write(path.display(), error),
        }
    }
}

/// Refuses to overwrite an input file. `flag` gave `out`, and `what` describes the input `read`.
pub(crate) fn check_is_no_input(flag: &str, out: &Path, read: &Path, what: &str) -> Result {
    let same = || Some(read.is_file() && out.canonicalize().ok()? == read.canonicalize().ok()?);
    if same() != Some(true) {
        return Ok(());
    }
    let out = out.display();
    Err(Failure::user(format!("{flag} {out}: it is {what}; name another file")))
}
