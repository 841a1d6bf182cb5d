//! Checkpoints as files, which are whole or not there.

use alloc::format;
use alloc::vec::Vec;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use crate::error::Error;
use crate::format_error::FormatError;
use crate::manifest::Checkpoint;
use crate::read::CheckpointSummary;

/// Largest file that is read at all; the largest network has a fraction of it.
const MAX_BYTES: u64 = 1 << 34;

/// What the name of a file ends with while it is being written.
pub(crate) const UNFINISHED: &str = ".unfinished";

/// Reads a file, checks every hash in it and the golden pass.
///
/// # Errors
///
/// Whatever [`Checkpoint::read`] refuses, and a golden pass that does not come out.
pub fn verify(path: &Path) -> Result<CheckpointSummary, Error> {
    CheckpointSummary::verify(&load(path)?).map_err(Error::format(path))
}

impl Checkpoint {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it is not there, or [`Checkpoint::from_bytes`] refuses its bytes.
    pub fn read(path: &Path) -> Result<Self, Error> {
        Self::from_bytes(&load(path)?).map_err(Error::format(path))
    }

    /// Writes it to a file, in place of one that may be there.
    ///
    /// # Errors
    ///
    /// If it cannot be a checkpoint (see [`Checkpoint::to_bytes`]) or the file system refuses; what
    /// was at `path` is then as it was.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        write_whole(path, &self.to_bytes().map_err(Error::format(path))?)
    }
}

fn load(path: &Path) -> Result<Vec<u8>, Error> {
    let about = fs::metadata(path).map_err(Error::io(path, "read"))?;
    if !about.is_file() {
        let found = if about.is_dir() { "a folder" } else { "not a file" };
        return Err(Error::format(path)(FormatError::foreign(found)));
    }
    if about.len() > MAX_BYTES {
        let found = format!("{} bytes, far too many", about.len());
        return Err(Error::format(path)(FormatError::foreign(found)));
    }
    fs::read(path).map_err(Error::io(path, "read"))
}

/// Writes a sibling, waits until the disk has it, and renames it: at every moment, and after a
/// loss of power, `path` is the old file or the new one.
///
/// # Errors
///
/// If the file system refuses; what was at `path` is then as it was.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let fail = || Error::io(path, "write");
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // Made by hand: what the crate makes by itself other users may not read, and its errors speak
    // of the sibling.
    let mut file = tempfile::Builder::new()
        .prefix(".")
        .suffix(UNFINISHED)
        .make_in(folder, |path| File::create_new(path))
        .map_err(fail())?;
    file.as_file_mut().write_all(bytes).map_err(fail())?;
    file.as_file().sync_all().map_err(fail())?;
    file.persist(path).map_err(|e| fail()(e.error))?;
    // A folder can be opened as a file, and so be waited for, on Unix only.
    if cfg!(unix) {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(fail())?;
    }
    Ok(())
}
