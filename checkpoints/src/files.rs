//! Checkpoints as files. A file is written whole or not at all.

use alloc::format;
use alloc::vec::Vec;
use std::fs::{self, File};
use std::io::{Read, Write as _};
use std::path::Path;

use crate::error::Error;
use crate::format_error::FormatError;
use crate::header::{length_of, length_of_header};
use crate::manifest::Checkpoint;
use crate::player::NetPlayer;
use crate::read::CheckpointSummary;
use crate::whole::WholeFile;

/// The largest file that is read, in bytes. The largest networks that `NetConfig` allows do not fit.
const MAX_BYTES: u64 = 1 << 34;

/// Reads a file, and checks all its hashes and the golden pass.
///
/// # Errors
///
/// The errors of [`Checkpoint::read`], or a golden pass with another result.
pub fn verify(path: &Path) -> Result<CheckpointSummary, Error> {
    CheckpointSummary::verify(&load(path)?).map_err(Error::format(path))
}

impl Checkpoint {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If there is no such file, or [`Checkpoint::from_bytes`] refuses its bytes.
    pub fn read(path: &Path) -> Result<Self, Error> {
        Self::from_bytes(&load(path)?).map_err(Error::format(path))
    }

    /// Writes a file, and replaces an old one.
    ///
    /// # Errors
    ///
    /// If [`Checkpoint::to_bytes`] refuses it, or the file system does. An old file at `path` is then
    /// unchanged.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        write_whole(path, &self.to_bytes().map_err(Error::format(path))?)
    }
}

impl NetPlayer {
    /// Reads a checkpoint or an exported player.
    ///
    /// # Errors
    ///
    /// If there is no such file, or [`NetPlayer::from_bytes`] refuses its bytes.
    pub fn read(path: &Path) -> Result<Self, Error> {
        Self::from_bytes(&load(path)?).map_err(Error::format(path))
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
    // The header says how long the file should be, or that it is another kind of file.
    let (read, format) = (|| Error::io(path, "read"), || Error::format(path));
    let mut file = File::open(path).map_err(read())?;
    let mut bytes = Vec::new();
    let mut read_to = |bytes: &mut Vec<u8>, length: u64| {
        let missing = length.saturating_sub(bytes.len() as u64);
        Read::by_ref(&mut file).take(missing).read_to_end(bytes).map_err(read())
    };
    read_to(&mut bytes, 9)?;
    let header = length_of_header(&bytes).map_err(format())?;
    read_to(&mut bytes, header)?;
    let whole = length_of(&bytes).map_err(format())?;
    if about.len() > whole {
        return Err(format()(FormatError::corrupt("its length")));
    }
    if about.len() < whole {
        return Err(format()(FormatError::Truncated { got: about.len(), expected: whole }));
    }
    read_to(&mut bytes, whole)?;
    Ok(bytes)
}

/// Writes a whole file: at every moment, and after a loss of power, `path` is the old file or the new
/// one. See [`WholeFile`].
///
/// # Errors
///
/// If the file system refuses. An old file at `path` is then unchanged.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let write = || {
        let mut file = WholeFile::open(path)?;
        file.write_all(bytes)?;
        file.finish()
    };
    write().map_err(Error::io(path, "write"))
}
