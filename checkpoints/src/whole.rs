//! Files that are written whole or not at all.
//!
//! A device, a pipe or `/dev/stdout` is written to directly. A regular file is replaced at once when all is
//! written. A symbolic link to it stays a link, its mode stays, and a read-only file is refused.

use alloc::format;
use alloc::vec::Vec;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempPath;

/// The end of the name of an unfinished file.
pub(crate) const UNFINISHED: &str = ".unfinished";

/// The most links that are followed, as on Linux. More links are taken to be a circle.
const MOST_LINKS: usize = 40;

/// The unfinished files of this process, for [`remove_unfinished`].
static BEING_WRITTEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn being_written() -> MutexGuard<'static, Vec<PathBuf>> {
    BEING_WRITTEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all unfinished files of this process, for a process that is about to exit on an interrupt. Later
/// calls that begin or finish a file block, so no file can appear before the process exits.
pub fn remove_unfinished() {
    let mut files = being_written();
    for file in files.drain(..) {
        // The file may be gone already, and no caller is left to report an error to.
        let _ = fs::remove_file(file);
    }
    core::mem::forget(files);
}

/// An unfinished file. If it is dropped before [`WholeFile::finish`], an old file stays unchanged.
#[derive(Debug)]
pub struct WholeFile {
    file: File,
    /// The file to replace; `None` if the path is written to directly.
    replaces: Option<Replacement>,
}

#[derive(Debug)]
struct Replacement {
    temporary: Temporary,
    target: PathBuf,
    /// The permissions of the file that is replaced.
    mode: Option<Permissions>,
}

/// A sibling of the target, removed when dropped.
#[derive(Debug)]
struct Temporary(Option<TempPath>);

impl WholeFile {
    /// Opens `path` itself if it exists and is no regular file, else a sibling of it.
    ///
    /// # Errors
    ///
    /// If it is a folder, may not be written to, or the file system refuses.
    pub fn open(path: &Path) -> io::Result<Self> {
        let target = match follow(path)? {
            Target::Descriptor(file) => return Ok(Self { file, replaces: None }),
            Target::Path(target) => target,
        };
        let old = match fs::metadata(&target) {
            Ok(about) => Some(about),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if old.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"));
        }
        if old.as_ref().is_some_and(|about| !about.is_file()) {
            let file = OpenOptions::new().write(true).open(&target)?;
            return Ok(Self { file, replaces: None });
        }
        let mode = old.map(|about| about.permissions());
        if let Some(mode) = &mode {
            // The superuser could replace it, but it was made read-only on purpose.
            if mode.readonly() {
                let why = "the file is read-only: allow writing to it, or name another";
                return Err(io::Error::new(ErrorKind::PermissionDenied, why));
            }
            OpenOptions::new().write(true).open(&target)?;
        }
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        // The lock is held until the file is in the list, so an interrupt finds it.
        let mut files = being_written();
        // Created by hand: files of the crate are private to this user, and its errors name the sibling.
        let mut code = None;
        let sibling =
            tempfile::Builder::new().prefix(".").suffix(UNFINISHED).make_in(folder, |path| {
                create(path, mode.as_ref()).inspect_err(|error| code = error.raw_os_error())
            });
        let (file, temporary) =
            sibling.map_err(|error| bare(error.kind(), code, folder))?.into_parts();
        files.push(temporary.to_path_buf());
        let temporary = Temporary(Some(temporary));
        Ok(Self { file, replaces: Some(Replacement { temporary, target, mode }) })
    }

    /// Waits for the disk, and puts the file in its place. At every moment, and after a loss of power, the
    /// path is the old file or the new one.
    ///
    /// # Errors
    ///
    /// If the file system refuses. An old file is then unchanged.
    pub fn finish(mut self) -> io::Result<()> {
        let Some(Replacement { mut temporary, target, mode }) = self.replaces.take() else {
            return self.file.flush();
        };
        if let Some(mode) = mode {
            self.file.set_permissions(mode)?;
        }
        self.file.sync_all()?;
        temporary.persist(&target)?;
        // Only Unix can open a folder as a file and wait for it.
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        if cfg!(unix) {
            File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all())?;
        }
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Temporary {
    fn persist(&mut self, target: &Path) -> io::Result<()> {
        let mut files = being_written();
        let Some(path) = self.0.take() else { return Ok(()) };
        files.retain(|file| **file != *path);
        path.persist(target).map_err(|error| error.error)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = self.0.take() {
            let mut files = being_written();
            files.retain(|file| **file != *path);
            drop(path);
        }
    }
}

/// Creates a file with at most these permissions; by default those that the umask leaves.
fn create(path: &Path, mode: Option<&Permissions>) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        options.mode(mode.map_or(0o666, PermissionsExt::mode));
    }
    #[cfg(not(unix))]
    let _ = mode;
    options.open(path)
}

/// The system's error, of this kind and code, without the name of the sibling.
fn bare(kind: ErrorKind, code: Option<i32>, folder: &Path) -> io::Error {
    match kind {
        ErrorKind::NotFound => io::Error::new(kind, "there is no such folder"),
        ErrorKind::PermissionDenied => {
            let why = format!("no file may be made in {}: Permission denied", folder.display());
            io::Error::new(kind, why)
        }
        _ => code.map_or_else(|| kind.into(), io::Error::from_raw_os_error),
    }
}

/// The target of a path.
enum Target {
    /// A descriptor of this process, as `/dev/stdout`.
    Descriptor(File),
    /// A path that is no link. It may not exist.
    Path(PathBuf),
}

/// Follows links, also to a file that does not exist yet.
fn follow(path: &Path) -> io::Result<Target> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        if let Some(file) = descriptor(&path) {
            return file.map(Target::Descriptor);
        }
        match fs::read_link(&path) {
            // A relative link starts at the folder of the link.
            Ok(to) => path = path.parent().map_or(to.clone(), |folder| folder.join(&to)),
            Err(_) => return Ok(Target::Path(path)),
        }
    }
    Err(io::Error::new(ErrorKind::InvalidFilename, "its symbolic links lead round in a circle"))
}

/// The descriptor that a path names: a copy of it where possible, so that both writers share a position.
fn descriptor(path: &Path) -> Option<io::Result<File>> {
    let folder = path.parent()?.to_str()?;
    let own = format!("/proc/{}/fd", std::process::id());
    if !["/dev/fd", "/proc/self/fd", &own].contains(&folder) {
        return None;
    }
    let number: u32 = path.file_name()?.to_str()?.parse().ok()?;
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let same = match number {
            1 => Some(io::stdout().as_fd().try_clone_to_owned()),
            2 => Some(io::stderr().as_fd().try_clone_to_owned()),
            _ => None,
        };
        if let Some(same) = same {
            return Some(same.map(File::from));
        }
    }
    Some(OpenOptions::new().append(true).open(path))
}
