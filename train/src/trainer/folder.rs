//! The files of a run folder.

use crate::TrainError;
use crate::config::Config;
use crate::league::League;
use crate::state::RunState;
use newmarket_checkpoints::{
    BEST, Checkpoint, FormatError, best, file_name, list, sweep, write_whole,
};
use newmarket_env::files::{LONGEST_SETTINGS, read_text};
use newmarket_net::Weights;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A folder is a run from the moment that it has this file, and then it has all that a run needs.
const CONFIG: &str = "config.toml";

/// What a folder has besides, or instead, if a beginning was cut short. A name that is swept.
const BEGUN: &str = ".begun.unfinished";

/// The folder of checkpoints of a run.
pub(super) fn checkpoints(folder: &Path) -> PathBuf {
    folder.join("checkpoints")
}

/// Whether a folder is a run.
pub(super) fn is_run(folder: &Path) -> bool {
    folder.join(CONFIG).exists()
}

/// Makes a folder a run: it must not be there, or be empty, or be a beginning that was cut short.
/// The configuration goes in last. The answer is that of [`lock`].
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
    let path = checkpoints(folder);
    fs::create_dir_all(&path).map_err(TrainError::io("create", &path))?;
    League::keep(config, folder)?;
    write_config(folder, config)?;
    clean(folder)?;
    Ok(lock)
}

/// Writes the configuration of a run, in the place of what it was before.
pub(super) fn write_config(folder: &Path, config: &Config) -> Result<(), TrainError> {
    let text = format!(
        "# Everything that this run is a function of; `newmarket resume` reads it.\n\n{}",
        config.to_toml()?
    );
    Ok(write_whole(&folder.join(CONFIG), text.as_bytes())?)
}

/// The best policy so far, after this update. Where the run was stopped between writing the checkpoint that
/// calls itself the best and its copy, or where the copy is not whole, the copy is made now.
pub(super) fn best_player(folder: &Path, update: u64) -> Result<Weights, TrainError> {
    let path = checkpoints(folder);
    let numbered = path.join(file_name(update));
    if let Some(file) = best(&path)? {
        match Checkpoint::read(&file) {
            Ok(saved) if saved.run.update == update => return Ok(saved.weights),
            Err(error) if is_whole(&error) || !numbered.exists() => return Err(error.into()),
            _ => {}
        }
    }
    let saved = Checkpoint::read(&numbered)?;
    let bytes = fs::read(&numbered).map_err(TrainError::io("read", &numbered))?;
    write_whole(&path.join(BEST), &bytes)?;
    Ok(saved.weights)
}

/// Keeps other processes from training in a folder for as long as the answer lives: the system
/// frees it when this one dies, however that happens.
pub(super) fn lock(folder: &Path) -> Result<Option<File>, TrainError> {
    // A folder can be opened as a file, and so be locked, on Unix only.
    if !cfg!(unix) {
        return Ok(None);
    }
    let file = File::open(folder).map_err(TrainError::io("read", folder))?;
    let locked = file.try_lock().or_else(|_| {
        // Perhaps somebody only looks, which takes a moment: see `is_training`.
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

/// Whether a process trains in a folder; nothing where that cannot be known.
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

/// Removes what a process that was killed has left half written.
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

/// Where a run stands: at its latest checkpoint, or at the beginning. If the latest is not whole, at
/// the latest that is; then also a line that says so.
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

/// Whether a checkpoint that was refused has at least all of its bytes.
fn is_whole(error: &newmarket_checkpoints::Error) -> bool {
    use FormatError::{Corrupt, Foreign, Truncated};
    let newmarket_checkpoints::Error::Format { source, .. } = error else { return true };
    !matches!(source, Corrupt { .. } | Foreign { .. } | Truncated { .. })
}
