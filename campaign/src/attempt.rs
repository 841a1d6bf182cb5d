//! One try: its folder, its random numbers, and its runs of the program.

use std::ffi::OsString;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};

use newmarket_env::Rng;
use nix::sys::signal::Signal;

use crate::materials::Materials;
use crate::program::{Call, Outcome, Program};
use crate::verdict::{Failure, Fault, judge};

/// A running try.
pub(crate) struct Attempt<'c> {
    pub(crate) program: &'c Program,
    /// Python with Ray, for the kind `workers`.
    pub(crate) python: Option<&'c Program>,
    pub(crate) materials: &'c Materials,
    pub(crate) rng: Rng,
    /// The folder of the try; the program runs in its subfolder `work`.
    pub(crate) folder: PathBuf,
    /// The commands so far, each with its end.
    pub(crate) lines: Vec<String>,
    pub(crate) runs: u64,
    /// How many runs were sent a signal.
    pub(crate) signals: u64,
    /// Whether a run was killed. A killed program cannot clean up.
    pub(crate) killed: bool,
}

impl Attempt<'_> {
    /// A path in the folder where the program runs.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join("work").join(name)
    }

    /// Writes a file there.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it has a folder")).expect("can be made");
        fs::write(path, bytes).expect("the campaign's own disk has room");
    }

    /// Runs the program. Any [`Fault`] is a failure.
    pub(crate) fn run(&mut self, call: &Call) -> Result<Outcome, Failure> {
        self.run_by(self.program, call)
    }

    /// Runs Python. Any [`Fault`] is a failure.
    pub(crate) fn run_python(&mut self, call: &Call) -> Result<Outcome, Failure> {
        self.run_by(self.python.expect("the kind was asked for with Python"), call)
    }

    fn run_by(&mut self, program: &Program, call: &Call) -> Result<Outcome, Failure> {
        self.lines.push(call.line(&program.path));
        let outcome = match program.run(call, &self.folder) {
            Ok(outcome) => outcome,
            // The command line is too long for the system.
            Err(error) if error.kind() == std::io::ErrorKind::ArgumentListTooLong => {
                return self.run(&Call::new(["--version"], 10_000));
            }
            Err(error) => panic!("cannot run {}: {error}", program.path.display()),
        };
        self.runs += 1;
        self.signals += u64::from(outcome.sent.is_some());
        self.lines.push(format!("# {}, after {:?}", outcome.status, outcome.sent));
        judge(call, &outcome, program.memory)?;
        self.killed |= outcome.status.signal() == Some(Signal::SIGKILL as i32);
        if !self.killed
            && let Some(path) = leftover(&self.folder.join("work"))
        {
            return Err(Failure::new(Fault::Leftover, path.display().to_string()));
        }
        Ok(outcome)
    }

    /// Runs the program, which must refuse the input.
    pub(crate) fn refuses(&mut self, call: &Call, what: &str) -> Result<Outcome, Failure> {
        let outcome = self.run(call)?;
        if outcome.sent.is_none() && outcome.status.success() {
            return Err(Failure::new(Fault::Accepted, what));
        }
        Ok(outcome)
    }

    /// Runs the program, which must succeed.
    pub(crate) fn does(&mut self, call: &Call) -> Result<Outcome, Failure> {
        let outcome = self.run(call)?;
        if outcome.success() {
            return Ok(outcome);
        }
        let why = format!("{:?}: {}", outcome.status, crate::verdict::first_line(&outcome.stderr));
        Err(Failure::new(Fault::Refused, why))
    }
}

/// The arguments of a command, with `place` for `@`.
pub(crate) fn filled(command: &[&str], place: &str) -> Vec<OsString> {
    command.iter().map(|word| word.replace('@', place).into()).collect()
}

/// The file that marks a folder in which a run may still begin. It is not a temporary file.
const BEGUN: &str = ".begun.unfinished";

/// A temporary file below this folder.
fn leftover(folder: &Path) -> Option<PathBuf> {
    let mut entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path());
    entries.find_map(|path| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let temporary = name.is_some_and(|name| {
            name != BEGUN && (name.starts_with(".tmp") || name.ends_with(".unfinished"))
        });
        if temporary {
            Some(path)
        } else if !path.is_symlink() && path.is_dir() {
            leftover(&path)
        } else {
            None
        }
    })
}
