//! Files that are written whole or not at all.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::NamedTempFile;

/// Standard output, or a file that appears under its name when it is finished.
pub(crate) enum Output {
    Stdout(BufWriter<io::Stdout>),
    File { temporary: BufWriter<NamedTempFile>, path: PathBuf },
}

impl Output {
    /// Opens a file beside where `path` will be, or standard output.
    pub(crate) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else {
            return Ok(Self::Stdout(BufWriter::new(io::stdout())));
        };
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        anyhow::ensure!(!path.is_dir(), "cannot write {}: it is a folder", path.display());
        let temporary = NamedTempFile::new_in(folder).map_err(|error| {
            // The temporary file's own name, which the error has, would only confuse.
            let cause = match error.kind() {
                io::ErrorKind::NotFound => "there is no such folder".into(),
                kind => io::Error::from(kind).to_string(),
            };
            anyhow::anyhow!("cannot write {}: {cause}", path.display())
        })?;
        Ok(Self::File { temporary: BufWriter::new(temporary), path: path.into() })
    }

    /// Everything has been written.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Stdout(mut out) => Ok(out.flush()?),
            Self::File { temporary, path } => {
                let write = || -> anyhow::Result<()> {
                    let file = temporary.into_inner().map_err(io::IntoInnerError::into_error)?;
                    file.as_file().sync_all()?;
                    // Temporary files are private; what was asked for is an ordinary file.
                    #[cfg(unix)]
                    {
                        use std::os::unix::fs::PermissionsExt;
                        let mode = std::fs::Permissions::from_mode(0o644);
                        file.as_file().set_permissions(mode)?;
                    }
                    file.persist(&path)?;
                    Ok(())
                };
                write().with_context(|| format!("cannot write {}", path.display()))
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => out.write(bytes),
            Self::File { temporary, .. } => temporary.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::File { temporary, .. } => temporary.flush(),
        }
    }
}
