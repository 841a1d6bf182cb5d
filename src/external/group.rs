//! Process groups: a program together with all processes that it starts.

use std::process::{Child, Command, ExitStatus};

#[cfg(unix)]
mod running {
    use std::collections::BTreeSet;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;

    /// The groups that still run.
    fn groups() -> MutexGuard<'static, BTreeSet<i32>> {
        static GROUPS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
        GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn spawn(command: &mut Command) -> std::io::Result<Child> {
        // The lock is held, so that an interrupt finds every program that has been started.
        let mut groups = groups();
        let child = command.process_group(0).spawn()?;
        groups.insert(child.id() as i32);
        Ok(child)
    }

    pub(super) fn kill(child: &mut Child) {
        let _ = killpg(Pid::from_raw(child.id() as i32), Signal::SIGKILL);
    }

    pub(super) fn ended(child: &Child) {
        groups().remove(&(child.id() as i32));
    }

    pub(crate) fn kill_all() {
        let groups = groups();
        for &group in groups.iter() {
            let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        }
        // The lock stays held, so that no other program starts.
        std::mem::forget(groups);
    }
}

#[cfg(not(unix))]
mod running {
    use std::process::{Child, Command};

    pub(super) fn spawn(command: &mut Command) -> std::io::Result<Child> {
        command.spawn()
    }

    pub(super) fn kill(child: &mut Child) {
        let _ = child.kill();
    }

    pub(super) fn ended(_: &Child) {}

    pub(crate) fn kill_all() {}
}

/// Kills all programs, and blocks the start of any other. The caller exits next.
pub(crate) use running::kill_all;

/// Starts a program in its own process group.
pub(super) fn spawn(command: &mut Command) -> std::io::Result<Child> {
    running::spawn(command)
}

/// Kills a program and its group, and waits for its end. Until then no other process can get its number.
pub(super) fn kill(mut child: Child) -> std::io::Result<ExitStatus> {
    running::kill(&mut child);
    running::ended(&child);
    child.wait()
}
