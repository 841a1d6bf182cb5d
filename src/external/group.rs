//! A program with all that it starts, and its end.

use std::process::{Child, Command, ExitStatus};

#[cfg(unix)]
mod running {
    use std::collections::BTreeSet;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;

    /// The groups that have not ended.
    fn groups() -> MutexGuard<'static, BTreeSet<i32>> {
        static GROUPS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
        GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn spawn(command: &mut Command) -> std::io::Result<Child> {
        // An interrupt must find every program that has been started.
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
        // None is started any more.
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

/// Kills every program that runs, for good: this program ends next.
pub(crate) use running::kill_all;

/// Starts a program in a group of its own.
pub(super) fn spawn(command: &mut Command) -> std::io::Result<Child> {
    running::spawn(command)
}

/// Kills a program and its group, and waits for its end. Its number is free for others only after
/// that.
pub(super) fn kill(mut child: Child) -> std::io::Result<ExitStatus> {
    running::kill(&mut child);
    running::ended(&child);
    child.wait()
}
