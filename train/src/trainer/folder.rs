//! The files of a run folder.

use crate::TrainError;
use crate::benchmark;
use crate::config::Config;
use crate::league::League;
use crate::state::RunState;
use newmarket_agents::Player;
use newmarket_checkpoints::{
    BEST, Checkpoint, FormatError, best, file_name, list, sweep, write_whole,
};
use newmarket_env::files::{LONGEST_SETTINGS, read_text};
use newmarket_net::Weights;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A folder with this file is a run. The file is written last, so the folder then has all that a run needs.
const CONFIG: &str = "config.toml";

/// Marks a folder whose run has not quite begun. Its name is one that `sweep` removes.
const BEGUN: &str = ".begun.unfinished";

/// The folder of checkpoints of a run.
pub(super) fn checkpoints(folder: &Path) -> PathBuf {
    folder.join("checkpoints")
}

/// Whether a folder is a run.
pub(super) fn is_run(folder: &Path) -> bool {
    folder.join(CONFIG).exists()
}

/// Begins a run in a folder that does not exist, is empty, or has an interrupted beginning. The
/// configuration is written last. Returns the lock of [`lock`].
pub(super) fn begin(folder: &Path, config: &Config) -> Result<Option<File>, TrainError> {
    fs::create_dir_all(folder).map_err(TrainError::io("create", folder))?;
    let lock = lock(folder)?;
    let begun = folder.join(BEGUN);
    let mut entries = fs::read_dir(folder).map_err(TrainError::io("use", folder))?;
    if entries.next().is_some() {
        if is_run(folder) {
            return Err(TrainError::IsARun(folder.into()));
        }
        if !begun.exists() {
            return Err(TrainError::NotEmpty(folder.into()));
        }
    }
    File::create(&begun).map_err(TrainError::io("create", &begun))?;
    make_checkpoints(folder)?;
    League::keep(config, folder)?;
    write_config(folder, config)?;
    clean(folder)?;
    Ok(lock)
}

/// Makes the folder of the checkpoints of a run, unless it is there.
pub(super) fn make_checkpoints(folder: &Path) -> Result<(), TrainError> {
    let path = checkpoints(folder);
    fs::create_dir_all(&path).map_err(TrainError::io("create", &path))
}

/// Writes or replaces the configuration of a run.
pub(super) fn write_config(folder: &Path, config: &Config) -> Result<(), TrainError> {
    let text = format!(
        "# Everything that this run is a function of; `newmarket resume` reads it.\n\n{}",
        config.to_toml()?
    );
    Ok(write_whole(&folder.join(CONFIG), text.as_bytes())?)
}

/// The best policy so far, which is that of this update. A run may have been stopped after it wrote the
/// numbered checkpoint and before it wrote the copy; then the copy is made now, also if it is damaged.
pub(super) fn best_player(folder: &Path, update: u64) -> Result<Player, TrainError> {
    let path = checkpoints(folder);
    let numbered = path.join(file_name(update));
    if let Some(file) = best(&path)? {
        match Checkpoint::read(&file) {
            Ok(saved) if saved.run.update == update => return Ok(seated(&saved)),
            Err(error) if is_whole(&error) || !numbered.exists() => return Err(error.into()),
            _ => {}
        }
    }
    let saved = Checkpoint::read(&numbered)?;
    let bytes = fs::read(&numbered).map_err(TrainError::io("read", &numbered))?;
    write_whole(&path.join(BEST), &bytes)?;
    Ok(seated(&saved))
}

/// The player of a checkpoint.
fn seated(saved: &Checkpoint) -> Player {
    benchmark::player(&saved.weights, saved.plays)
}

/// Locks a folder against training by other processes, until the returned file is dropped or the process
/// ends.
pub(super) fn lock(folder: &Path) -> Result<Option<File>, TrainError> {
    // Only Unix can open a folder as a file and lock it.
    if !cfg!(unix) {
        return Ok(None);
    }
    let file = File::open(folder).map_err(TrainError::io("read", folder))?;
    let locked = file.try_lock().or_else(|_| {
        // `is_training` locks the folder for a moment.
        std::thread::sleep(Duration::from_millis(20));
        file.try_lock()
    });
    match locked {
        Err(TryLockError::WouldBlock) => Err(TrainError::InUse(folder.into())),
        // Some file systems have no locks.
        Err(TryLockError::Error(_)) => Ok(None),
        Ok(()) => Ok(Some(file)),
    }
}

/// What has happened to the folder of a run since it was opened as `opened`, if it is no longer the same.
pub(super) fn changed(folder: &Path, opened: Option<&File>) -> Option<String> {
    if !folder.exists() {
        return Some("the folder was moved or deleted".into());
    }
    if opened.is_some_and(|opened| !is_same(folder, opened)) {
        return Some("the folder was replaced by another".into());
    }
    let parts = [CONFIG, crate::metrics::FILE, "checkpoints"];
    let gone = parts.into_iter().find(|part| !folder.join(part).exists())?;
    Some(format!("{gone} was moved or deleted"))
}

/// Whether a path still leads to an open folder. Without numbers of files it is taken to.
fn is_same(folder: &Path, opened: &File) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let number = |about: fs::Metadata| (about.dev(), about.ino());
        match (fs::metadata(folder), opened.metadata()) {
            (Ok(now), Ok(then)) => number(now) == number(then),
            _ => true,
        }
    }
    #[cfg(not(unix))]
    {
        let _ = (folder, opened);
        true
    }
}

/// Whether a process trains in a folder; `None` if the system cannot tell.
pub fn is_training(folder: &Path) -> Option<bool> {
    if !cfg!(unix) {
        return None;
    }
    match File::open(folder).ok()?.try_lock_shared() {
        Ok(()) => Some(false),
        Err(TryLockError::WouldBlock) => Some(true),
        Err(TryLockError::Error(_)) => None,
    }
}

/// Removes unfinished files of processes that were killed.
pub(super) fn clean(folder: &Path) -> Result<(), TrainError> {
    for part in ["", "checkpoints", "networks"].map(|part| folder.join(part)) {
        if part.is_dir() {
            sweep(&part)?;
        }
    }
    Ok(())
}

/// The configuration of a run.
pub(super) fn config(folder: &Path) -> Result<Config, TrainError> {
    let path = folder.join(CONFIG);
    let text = read_text(&path, LONGEST_SETTINGS).map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            let reason = format!("there is no {CONFIG} in it, so no run has begun there");
            TrainError::NotARun { folder: folder.into(), reason }
        }
        _ => TrainError::io("read", &path)(error),
    })?;
    Config::from_toml(&text, &path.display().to_string()).map_err(|error| TrainError::Stopped {
        error: Box::new(error),
        advice: format!(
            "if another version of the program began this run, go on with that version, or begin a new \
             run from these weights with --set network.start={}",
            folder.display()
        ),
    })
}

/// The state of a run: that of its latest checkpoint, or the state before the first update. If the latest
/// checkpoint is damaged, the state of the latest whole one, and a line that says so.
pub(super) fn state(
    folder: &Path,
    config: &Config,
    start: Option<&Weights>,
) -> Result<(RunState, Option<String>), TrainError> {
    let path = checkpoints(folder);
    let mut saved = if path.is_dir() { list(&path)? } else { Vec::new() };
    let Some((_, latest)) = saved.pop() else { return Ok((RunState::new(config, start), None)) };
    let read = |path: &Path| RunState::from_checkpoint(config, &Checkpoint::read(path)?, path);
    let error = match read(&latest) {
        Err(TrainError::Checkpoint(error)) if !is_whole(&error) => error,
        state => return Ok((state?, None)),
    };
    let older = saved.iter().rev().find_map(|(_, path)| read(path).ok());
    let best = best(&path)?.and_then(|path| read(&path).ok());
    match older.into_iter().chain(best).max_by_key(|state| state.update) {
        Some(state) => {
            let notice =
                format!("{error}; the latest that can be used is of update {}", state.update);
            Ok((state, Some(notice)))
        }
        None => Err(error.into()),
    }
}

/// Whether a checkpoint that was refused is complete and undamaged.
fn is_whole(error: &newmarket_checkpoints::Error) -> bool {
    use FormatError::{Corrupt, Foreign, Truncated};
    let newmarket_checkpoints::Error::Format { source, .. } = error else { return true };
    !matches!(source, Corrupt { .. } | Foreign { .. } | Truncated { .. })
}
