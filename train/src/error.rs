//! What can go wrong, each as one line that says what, where, and what would be right.

use newmarket_env::text::brief;
use std::path::{Path, PathBuf};

/// Why training could not begin or continue.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// A preset that does not exist.
    #[error("there is no preset `{name}`; the presets are {known}")]
    UnknownPreset {
        /// The name that was given.
        name: String,
        /// The known names.
        known: String,
    },
    /// A configuration file or text that is not TOML, or has a key or value that does not fit.
    #[error("{place}: {message}")]
    Config {
        /// The file, or where else the text came from.
        place: String,
        /// The fault.
        message: String,
    },
    /// A `key=value` that does not fit.
    #[error("`--set {text}`: {message}")]
    Override {
        /// The override as given.
        text: String,
        /// The fault.
        message: String,
    },
    /// Values that fit their types but cannot be trained with; all faults.
    #[error("the configuration cannot be trained with: {}", some(.0))]
    Values(Vec<String>),
    /// A new run must not overwrite an old one.
    #[error(
        "{} is not empty; name a folder that does not exist yet, or go on with `newmarket resume {}`",
        .0.display(), .0.display()
    )]
    IsARun(PathBuf),
    /// A new run needs an empty folder.
    #[error("{} is not empty; name a folder that does not exist yet", .0.display())]
    NotEmpty(PathBuf),
    /// Another process trains in the folder.
    #[error("another process trains in {}; wait until it ends, or stop it", .0.display())]
    InUse(PathBuf),
    /// The folder of a run was moved, deleted or replaced while the run went on.
    #[error(
        "{}: {what} while the run went on, so it stops before update {update}; what was saved is where the \
         folder is now: put it back, then go on with `newmarket resume {}`",
        .folder.display(), .folder.display()
    )]
    Gone {
        /// The folder.
        folder: PathBuf,
        /// What happened to it.
        what: String,
        /// The first update that is not recorded.
        update: u64,
    },
    /// A folder that holds no run.
    #[error("{}: {reason}; a run folder holds config.toml and checkpoints/", .folder.display())]
    NotARun {
        /// The folder.
        folder: PathBuf,
        /// The fault.
        reason: String,
    },
    /// The operating system refused a file or folder.
    #[error("cannot {doing} {}: {error}", .path.display())]
    Io {
        /// The operation: "read", "write", "create" …
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// A run that had to stop, with advice. Files that were saved before are unchanged.
    #[error("{error}; {advice}")]
    Stopped {
        /// Why it stopped.
        error: Box<TrainError>,
        /// What to do about it.
        advice: String,
    },
    /// A loss or gradient that is not finite.
    #[error("update {update}: {what} is not a finite number")]
    NotFinite {
        /// Counted from 1.
        update: u64,
        /// Which quantity.
        what: String,
    },
    /// An agent that cannot be used in training.
    #[error("`{key}`: {error}")]
    Agent {
        /// Where it is named.
        key: &'static str,
        /// The fault of the name.
        error: Box<newmarket_checkpoints::roster::RosterError>,
    },
    /// The optimizer's state cannot be saved: a mistake of the program.
    #[error("the optimizer's state cannot be saved: {0}")]
    Optimizer(#[from] newmarket_checkpoints::OptimizerError),
    /// The trainer's state cannot be saved: a mistake of the program.
    #[error("the trainer's state cannot be saved: {0}")]
    State(String),
    /// A checkpoint could not be written or read.
    #[error(transparent)]
    Checkpoint(#[from] newmarket_checkpoints::Error),
    /// A message to or from rollout workers that cannot be made or is refused.
    #[error(transparent)]
    Message(#[from] crate::gather::MessageError),
    /// The rollout workers failed.
    #[error("the rollout of update {update} could not be gathered: {why}")]
    Gather {
        /// Counted from 1.
        update: u64,
        /// What went wrong.
        why: String,
    },
    /// Rules that cannot be played.
    #[error("table `{rules}`: {error}")]
    Rules {
        /// The name or path of the rules.
        rules: String,
        /// The fault of the rules.
        error: newmarket_env::LoadError,
    },
    /// A device that is not available.
    #[error("`--device {device}`: {problem}; without --device the processor computes")]
    Device {
        /// The name that was given.
        device: &'static str,
        /// Why not, and what would be right.
        problem: String,
    },
    /// The operating system gives no more threads.
    #[error("cannot start {count} worker threads: {error}; fewer would do")]
    Threads {
        /// How many were wanted.
        count: usize,
        /// Why not.
        error: String,
    },
}

/// The first ten phrases, and the number of others.
fn some(phrases: &[String]) -> String {
    let listed = phrases.iter().take(10).map(|phrase| brief(phrase, 300));
    let listed = listed.collect::<Vec<_>>().join("; ");
    match phrases.len().saturating_sub(10) {
        0 => listed,
        more => format!("{listed}; … and {more} more"),
    }
}

impl TrainError {
    /// For `map_err`: names the rules.
    pub(crate) fn rules(rules: &str) -> impl FnOnce(newmarket_env::LoadError) -> Self {
        let rules = rules.to_owned();
        move |error| Self::Rules { rules, error }
    }

    /// For `map_err`: names the operation and the path.
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Io { doing, path, error }
    }
}
