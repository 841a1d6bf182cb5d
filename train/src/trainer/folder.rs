//! The files of a run folder.

use crate::TrainError;
use crate::config::Config;
use crate::league::Guest;
use crate::state::RunState;
use newmarket_agents::net::Weights;
use newmarket_checkpoints::{Checkpoint, file_name, latest};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

const CONFIG: &str = "config.toml";

/// The folder of checkpoints of a run.
pub(super) fn checkpoints(folder: &Path) -> PathBuf {
    folder.join("checkpoints")
}

/// The file of a past self.
pub(super) fn pool_file(folder: &Path, update: u64) -> PathBuf {
    folder.join("pool").join(file_name(update))
}

/// Takes possession of a folder: it must be empty or not there; the configuration goes in first.
pub(super) fn begin(folder: &Path, config: &Config) -> Result<(), TrainError> {
    match fs::read_dir(folder) {
        Ok(mut entries) => {
            if entries.next().is_some() {
                return Err(TrainError::NotEmpty(folder.into()));
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            fs::create_dir_all(folder).map_err(TrainError::io("create", folder))?;
        }
        Err(error) => return Err(TrainError::io("use", folder)(error)),
    }
    let path = folder.join(CONFIG);
    let text = format!(
        "# Everything that this run is a function of; `newmarket resume` reads it.\n\n{}",
        config.to_toml()
    );
    fs::write(&path, text).map_err(TrainError::io("write", &path))?;
    let path = checkpoints(folder);
    fs::create_dir_all(&path).map_err(TrainError::io("create", &path))
}

/// The configuration of a run.
pub(super) fn config(folder: &Path) -> Result<Config, TrainError> {
    let path = folder.join(CONFIG);
    let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            let reason = format!("there is no {CONFIG} in it");
            TrainError::NotARun { folder: folder.into(), reason }
        }
        _ => TrainError::io("read", &path)(error),
    })?;
    Config::from_toml(&text, &path.display().to_string())
}

/// Where a run stands: at its latest checkpoint, or at the beginning.
pub(super) fn state(
    folder: &Path,
    config: &Config,
    start: Option<&Weights>,
) -> Result<RunState, TrainError> {
    let path = checkpoints(folder);
    if !path.is_dir() {
        return Ok(RunState::new(config, start));
    }
    match latest(&path)? {
        Some(path) => RunState::from_checkpoint(config, &Checkpoint::read(&path)?, &path),
        None => Ok(RunState::new(config, start)),
    }
}

/// A past self of a run.
pub(super) fn past_self(folder: &Path, update: u64) -> Result<Guest, TrainError> {
    Ok(Guest::past(&Checkpoint::read(&pool_file(folder, update))?))
}
