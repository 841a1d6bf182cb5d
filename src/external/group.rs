//! A program together with all processes that it starts.
//!
//! On Linux a keeper stands between this process and the program ([`keeper`]): it ends with the program and all of its
//! descendants, in whatever group or session they are. Where there is no keeper, the program has a process group of its
//! own, and what has left the group is not found.

#[cfg(target_os = "linux")]
mod keep;
#[cfg(target_os = "linux")]
mod keeper;
mod plain;

use std::io::{self, PipeReader, PipeWriter};
use std::process::{Child, Command, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
pub use keep::keep;
#[cfg(target_os = "linux")]
pub use keeper::keep_by;

/// Time limit for a killed process to end. The system may hold it, or another user may own it.
const TO_DIE: Duration = Duration::from_secs(2);

/// The program's ends of its pipes.
pub(super) struct Pipes {
    pub(super) stdin: PipeReader,
    pub(super) stdout: PipeWriter,
    pub(super) stderr: PipeWriter,
}

/// A running program.
pub(super) enum Group {
    #[cfg(target_os = "linux")]
    Kept(keeper::Keeper),
    Plain(Child),
}

impl Group {
    /// Starts a program: its name and arguments, with more of an environment. A keeper has so much time to do it.
    pub(super) fn start(
        run: &[String],
        environment: (&str, &str),
        pipes: Pipes,
        limit: Duration,
    ) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        if let Some(kept) = keeper::Keeper::start(run, environment, &pipes, limit) {
            return kept.map(Self::Kept);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = limit;
        let (program, arguments) = run.split_first().expect("a name has a program");
        let mut command = Command::new(program);
        command.args(arguments).env(environment.0, environment.1);
        command.stdin(pipes.stdin).stdout(pipes.stdout).stderr(pipes.stderr);
        plain::spawn(&mut command).map(Self::Plain)
    }

    /// Kills the program and all that it has started, and waits for their end, for a bounded time. Returns how the
    /// program ended.
    pub(super) fn kill(self) -> Option<ExitStatus> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Kept(keeper) => keeper.kill(),
            Self::Plain(child) => plain::kill(child),
        }
    }
}

/// Kills all programs, and blocks the start of any other. The caller exits next.
pub(crate) fn kill_all() {
    #[cfg(target_os = "linux")]
    keeper::kill_all();
    plain::kill_all();
}

/// Waits for the end of a process; `None` if it lasts too long.
fn wait(child: &mut Child) -> Option<ExitStatus> {
    let until = Instant::now() + TO_DIE;
    loop {
        match child.try_wait() {
            Ok(None) if Instant::now() < until => sleep(Duration::from_millis(1)),
            ended => return ended.ok().flatten(),
        }
    }
}
