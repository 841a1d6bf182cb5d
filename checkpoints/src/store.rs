//! A folder of checkpoints: keeps the latest and the best, and resolves paths.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::files::write_whole;
use crate::manifest::Checkpoint;
use crate::whole::UNFINISHED;

/// Name of the best checkpoint so far.
///
/// The file is a whole copy, independent of the numbered checkpoints.
pub const BEST: &str = "best.ckpt";

/// What [`save`] keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// The number of newest checkpoints that are kept, at least 1.
    pub last: usize,
    /// Whether this checkpoint is the best so far. It is then also written as [`BEST`].
    pub best: bool,
}

/// The name of the checkpoint of an update: `update-000120.ckpt`.
pub fn file_name(update: u64) -> String {
    format!("update-{update:06}.ckpt")
}

/// Writes a checkpoint into a folder under the name of its update, then as the best if `keep` says so. Then
/// removes old numbered checkpoints and unfinished files of writers that died. Creates a missing folder.
///
/// In this order, a stop at any moment loses no checkpoint, and the numbered checkpoint of the best one always
/// exists. One run at a time writes to a folder. Checkpoints of later updates, of a run that was set back, are
/// not counted and stay.
///
/// # Errors
///
/// If [`Checkpoint::to_bytes`] refuses it, or the file system does.
pub fn save(folder: &Path, checkpoint: &Checkpoint, keep: Keep) -> Result<PathBuf, Error> {
    fs::create_dir_all(folder).map_err(Error::io(folder, "make"))?;
    let path = folder.join(file_name(checkpoint.run.update));
    let bytes = checkpoint.to_bytes().map_err(Error::format(&path))?;
    write_whole(&path, &bytes)?;
    if keep.best {
        write_whole(&folder.join(BEST), &bytes)?;
    }
    let mut numbered = list(folder)?;
    numbered.retain(|&(update, _)| update <= checkpoint.run.update);
    let surplus = numbered.len().saturating_sub(keep.last.max(1));
    for (_, old) in numbered.drain(..surplus) {
        fs::remove_file(&old).map_err(Error::io(&old, "remove"))?;
    }
    sweep(folder)?;
    Ok(path)
}

/// Removes unfinished files of writers that died. No other process may write to the folder.
///
/// # Errors
///
/// If the folder cannot be read, or a file cannot be removed.
pub fn sweep(folder: &Path) -> Result<(), Error> {
    for left in entries(folder)?.iter().filter(|path| is_unfinished(path)) {
        fs::remove_file(left).map_err(Error::io(left, "remove"))?;
    }
    Ok(())
}

/// The numbered checkpoints of a folder by update, the oldest first.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn list(folder: &Path) -> Result<Vec<(u64, PathBuf)>, Error> {
    let update = |path: &Path| {
        let name = path.file_name()?.to_str()?;
        let update = name.strip_prefix("update-")?.strip_suffix(".ckpt")?.parse().ok()?;
        (name == file_name(update)).then_some(update)
    };
    let mut found: Vec<_> =
        entries(folder)?.into_iter().filter_map(|path| Some((update(&path)?, path))).collect();
    found.sort();
    Ok(found)
}

/// The newest checkpoint of a folder, if there is one.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn latest(folder: &Path) -> Result<Option<PathBuf>, Error> {
    Ok(list(folder)?.pop().map(|(_, path)| path))
}

/// The best checkpoint of a folder, if there is one.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn best(folder: &Path) -> Result<Option<PathBuf>, Error> {
    let path = folder.join(BEST);
    match fs::metadata(&path) {
        Ok(about) => Ok(about.is_file().then_some(path)),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Error::io(&path, "read")(e)),
    }
}

/// The checkpoint of a path. A file is itself. In a folder of a run or of checkpoints, the best checkpoint, else
/// the newest.
///
/// # Errors
///
/// If there is nothing at `path`, or no checkpoint in the folder.
pub fn resolve(path: &Path) -> Result<PathBuf, Error> {
    let about = fs::metadata(path).map_err(Error::io(path, "read"))?;
    if !about.is_dir() {
        return Ok(path.to_path_buf());
    }
    for folder in [path.join("checkpoints"), path.to_path_buf()] {
        if folder.is_dir()
            && let Some(found) = best(&folder)?.or(latest(&folder)?)
        {
            return Ok(found);
        }
    }
    Err(Error::NoneHere { path: path.to_path_buf() })
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let fail = || Error::io(folder, "read");
    fs::read_dir(folder)
        .map_err(fail())?
        .map(|entry| entry.map(|e| e.path()).map_err(fail()))
        .collect()
}

fn is_unfinished(path: &Path) -> bool {
    path.file_name()
        .and_then(OsStr::to_str)
        .is_some_and(|name| name.starts_with('.') && name.ends_with(UNFINISHED))
}
