//! Failures of commands: the one line that is reported, and the exit code.

use std::error::Error;
use std::fmt;
use std::io;

use newmarket_agents::Disagreement;
use newmarket_checkpoints::roster::RosterError;
use newmarket_checkpoints::{FormatError, StrategyError};
use newmarket_env::rules::Faults;
use newmarket_env::text::with_causes;
use newmarket_env::text::{brief, plain};
use newmarket_env::trace::TraceFault;
use newmarket_env::{IllegalAction, LoadError};
use newmarket_eval::study::NothingToStudy;
use newmarket_net::JoinError;
use newmarket_train::TrainError;

/// Why a command failed, as one line for standard error.
#[derive(Debug)]
pub enum Failure {
    /// The user's input cannot be used: a bad argument, a bad file, an unknown name. Exit code 2. The line says
    /// where, what is wrong, and what would be right.
    User(String),
    /// The program or the system failed: a full disk, or an engine and a referee that disagree. Exit code 1.
    Program(String),
    /// The reader of standard output has closed it (`newmarket … | head`). No line, exit code 0.
    ReaderGone,
}

/// The most characters of a line. A quoted input may have millions.
const LONGEST: usize = 4000;

/// The result of a command.
pub(crate) type Result<T = (), E = Failure> = std::result::Result<T, E>;

impl Failure {
    /// A failure by the user's input, in one line.
    pub(crate) fn user(line: impl Into<String>) -> Self {
        Self::User(line.into())
    }

    /// The same failure with `place: ` before its line.
    pub(crate) fn at(self, place: impl fmt::Display) -> Self {
        match self {
            Self::User(line) => Self::User(format!("{place}: {line}")),
            Self::Program(line) => Self::Program(format!("{place}: {line}")),
            Self::ReaderGone => Self::ReaderGone,
        }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::User(_) => 2,
            Self::Program(_) => 1,
            Self::ReaderGone => 0,
        }
    }
}

/// The failure of a write.
pub(crate) fn cannot_write(what: impl fmt::Display, error: impl Into<Failure>) -> Failure {
    error.into().at(format!("cannot write {what}"))
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(line) | Self::Program(line) => {
                f.write_str(&plain(&brief(&line.replace('\n', " "), LONGEST)))
            }
            Self::ReaderGone => f.write_str("the reader of the output has closed it"),
        }
    }
}

/// Adds a place to a failure.
pub(crate) trait At<T> {
    /// The result, with `place: ` before the line of a failure.
    fn at(self, place: impl fmt::Display) -> Result<T>;
}

impl<T, E: Into<Failure>> At<T> for Result<T, E> {
    fn at(self, place: impl fmt::Display) -> Result<T> {
        self.map_err(|error| error.into().at(place))
    }
}

/// The failure of an I/O error, in the words of `error`, which reports it. A path that does not exist or must not be
/// used is the user's fault, and so is a limit that the user has set (`ulimit`); any other error, such as a full disk, is
/// the system's.
fn io_failure(io: &io::Error, error: &dyn Error) -> Failure {
    use io::ErrorKind as Kind;
    match io.kind() {
        Kind::BrokenPipe => Failure::ReaderGone,
        Kind::NotFound
        | Kind::PermissionDenied
        | Kind::AlreadyExists
        | Kind::IsADirectory
        | Kind::NotADirectory
        | Kind::InvalidFilename
        | Kind::AddrInUse
        | Kind::AddrNotAvailable
        | Kind::InvalidData
        | Kind::FileTooLarge
        | Kind::OutOfMemory
        | Kind::WouldBlock => Failure::User(with_causes(error)),
        _ if is_too_many_files(io) => Failure::User(with_causes(error)),
        _ => Failure::Program(with_causes(error)),
    }
}

/// Whether this process has as many open files as it may have.
fn is_too_many_files(error: &io::Error) -> bool {
    #[cfg(unix)]
    return error.raw_os_error() == Some(nix::errno::Errno::EMFILE as i32);
    #[cfg(not(unix))]
    {
        let _ = error;
        false
    }
}

/// Error types that are always the user's fault, or always the program's.
macro_rules! always {
    ($($failure:ident: $($error:ty),+;)+) => {
        $($(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::$failure(with_causes(&error))
            }
        })+)+
    };
}

always! {
    User: LoadError, Faults, FormatError, TraceFault, NothingToStudy, JoinError, StrategyError,
        rayon::ThreadPoolBuildError;
    Program: Disagreement, IllegalAction, serde_json::Error, indicatif::style::TemplateError;
}

#[cfg(not(unix))]
impl From<ctrlc::Error> for Failure {
    fn from(error: ctrlc::Error) -> Self {
        Self::Program(with_causes(&error))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        io_failure(&error, &error)
    }
}

impl From<newmarket_checkpoints::Error> for Failure {
    fn from(error: newmarket_checkpoints::Error) -> Self {
        checkpoint_failure(&error, &error)
    }
}

fn checkpoint_failure(checkpoint: &newmarket_checkpoints::Error, error: &dyn Error) -> Failure {
    use newmarket_checkpoints::Error;
    match checkpoint {
        Error::Io { source, .. } => io_failure(source, error),
        _ => Failure::User(with_causes(error)),
    }
}

impl From<RosterError> for Failure {
    fn from(error: RosterError) -> Self {
        match &error {
            RosterError::Net(checkpoint) => checkpoint_failure(checkpoint, &error),
            _ => Self::User(with_causes(&error)),
        }
    }
}

impl From<TrainError> for Failure {
    fn from(error: TrainError) -> Self {
        train_failure(&error, &error)
    }
}

fn train_failure(train: &TrainError, error: &dyn Error) -> Failure {
    match train {
        TrainError::Io { error: io, .. } => io_failure(io, error),
        TrainError::Checkpoint(checkpoint) => checkpoint_failure(checkpoint, error),
        TrainError::Stopped { error: why, .. } => train_failure(why, error),
        TrainError::Gather { .. } => Failure::Program(with_causes(error)),
        _ => Failure::User(with_causes(error)),
    }
}
