//! Files that are written whole or not at all.

use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::{Failure, Result};

/// Standard output, or a file that appears under its name when it is finished.
pub(crate) enum Output {
    Stdout(BufWriter<io::Stdout>),
    File { temporary: BufWriter<NamedTempFile>, path: PathBuf },
}

impl Output {
    /// Opens a file beside where `path` will be, or standard output.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else {
            return Ok(Self::Stdout(BufWriter::new(io::stdout())));
        };
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        if path.is_dir() {
            return Err(cannot_write(path.display(), Failure::user("it is a folder")));
        }
        let temporary = NamedTempFile::new_in(folder).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Failure::user("there is no such folder"),
            // The temporary file's own name, which the error has, would only confuse.
            kind => io::Error::from(kind).into(),
        });
        let temporary = temporary.map_err(|failure| cannot_write(path.display(), failure))?;
        Ok(Self::File { temporary: BufWriter::new(temporary), path: path.into() })
    }

    /// Writes some text.
    pub(crate) fn write(&mut self, text: impl Display) -> Result {
        let written = match self {
            Self::Stdout(out) => write!(out, "{text}"),
            Self::File { temporary, .. } => write!(temporary, "{text}"),
        };
        written.map_err(|error| self.failure(error))
    }

    /// Everything has been written: a file appears under its name.
    pub(crate) fn finish(mut self) -> Result {
        let finished = match &mut self {
            Self::Stdout(out) => out.flush(),
            Self::File { temporary, .. } => temporary.flush(),
        };
        finished.map_err(|error| self.failure(error))?;
        let Self::File { temporary, path } = self else { return Ok(()) };
        let persist = || {
            let file = temporary.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.as_file().sync_all()?;
            // Temporary files are private; what was asked for is an ordinary file.
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
            }
            file.persist(&path).map_err(|error| error.error)
        };
        persist().map(drop).map_err(|error| cannot_write(path.display(), error))
    }

    fn failure(&self, error: io::Error) -> Failure {
        match self {
            Self::Stdout(_) => cannot_write("standard output", error),
            Self::File { path, .. } => cannot_write(path.display(), error),
        }
    }
}

/// Why something was not written.
pub(crate) fn cannot_write(what: impl Display, error: impl Into<Failure>) -> Failure {
    error.into().at(format!("cannot write {what}"))
}
