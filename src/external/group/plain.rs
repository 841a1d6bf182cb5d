//! Programs without a keeper: each has a process group of its own.

use std::process::{Child, ExitStatus};

use super::wait;

#[cfg(unix)]
mod running {
    use std::collections::BTreeSet;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use nix::sys::signal::{Signal, kill, killpg};
    use nix::unistd::Pid;

    /// The groups that still run.
    fn groups() -> MutexGuard<'static, BTreeSet<i32>> {
        static GROUPS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
        GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(in super::super) fn spawn(command: &mut Command) -> std::io::Result<Child> {
        // The lock is held, so that an interrupt finds every program that has been started.
        let mut groups = groups();
        let child = command.process_group(0).spawn()?;
        groups.insert(child.id() as i32);
        Ok(child)
    }

    /// Kills a group and its first process, which may have left it. Until it is waited for, no other process can get
    /// its number.
    fn kill_group(group: i32) {
        let group = Pid::from_raw(group);
        let _ = killpg(group, Signal::SIGKILL);
        let _ = kill(group, Signal::SIGKILL);
    }

    pub(super) fn kill_one(child: &mut Child) {
        let mut groups = groups();
        kill_group(child.id() as i32);
        groups.remove(&(child.id() as i32));
    }

    pub(in super::super) fn kill_all() {
        let groups = groups();
        groups.iter().copied().for_each(kill_group);
        // The lock stays held, so that no other program starts.
        std::mem::forget(groups);
    }
}

#[cfg(not(unix))]
mod running {
    use std::process::{Child, Command};

    pub(in super::super) fn spawn(command: &mut Command) -> std::io::Result<Child> {
        command.spawn()
    }

    pub(super) fn kill_one(child: &mut Child) {
        let _ = child.kill();
    }

    pub(in super::super) fn kill_all() {}
}

pub(super) use running::{kill_all, spawn};

/// Kills a program and its group, and waits for its end.
pub(super) fn kill(mut child: Child) -> Option<ExitStatus> {
    running::kill_one(&mut child);
    wait(&mut child)
}
