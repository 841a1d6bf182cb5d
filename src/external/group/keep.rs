//! The work of a keeper: it starts a program, and at an order, or when its host is gone, kills the program and all that
//! came of it.
//!
//! Orphans among the descendants of a keeper become its children (`PR_SET_CHILD_SUBREAPER`), so none can leave it: neither
//! by a group or a session of its own, nor by a parent that ends.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{self, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, exit};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::prctl::set_child_subreaper;
use nix::sys::signal::{SigSet, SigmaskHow, Signal, kill};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid, waitpid};
use nix::unistd::{Pid, getpid};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};

use super::TO_DIE;

/// Keeps the program of these arguments, on behalf of the process at the other end of standard input. Returns the exit
/// code. A process that does this does nothing else.
pub fn keep(run: impl IntoIterator<Item = OsString>) -> u8 {
    let run: Vec<OsString> = run.into_iter().collect();
    u8::from(kept(&run).is_err())
}

fn kept(run: &[OsString]) -> io::Result<()> {
    set_child_subreaper(true)?;
    // The program may send signals to its parent. It does not inherit this mask.
    let before = SigSet::all().thread_swap_mask(SigmaskHow::SIG_SETMASK)?;
    let mut host = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let [stdin, stdout, stderr] = received(&host)?;
    let Some((program, arguments)) = run.split_first() else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let mut command = Command::new(program);
    command.args(arguments).stdin(stdin).stdout(stdout).stderr(stderr).process_group(0);
    // While this is locked, no process is waited for, so no number of a child can become that of a stranger.
    let waiting = Arc::new(Mutex::new(()));
    let (orders, locked) = (host.try_clone()?, waiting.clone());
    thread::Builder::new().spawn(move || obey(orders, &locked))?;
    before.thread_set_mask()?;
    let spawned = command.spawn();
    SigSet::all().thread_set_mask()?;
    let program = match spawned {
        Ok(child) => child.id() as i32,
        Err(error) => {
            return writeln!(
                host,
                "failed {}",
                error.raw_os_error().unwrap_or(Errno::ENOENT as i32)
            );
        }
    };
    // With the program's ends of the pipes in it they would never end.
    drop(command);
    // If the host is gone, the other thread notices.
    let _ = writeln!(host, "started {program}");
    loop {
        match waitid(Id::All, WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT) {
            Err(Errno::EINTR) => continue,
            // None is left.
            Err(_) => return Ok(()),
            Ok(_) => {}
        }
        let _locked = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        while let Ok(status) = waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            let (pid, status) = match status {
                WaitStatus::Exited(pid, code) => (pid, code << 8),
                WaitStatus::Signaled(pid, signal, core) => {
                    (pid, signal as i32 | i32::from(core) << 7)
                }
                _ => break,
            };
            if pid.as_raw() == program {
                let _ = writeln!(host, "ended {status}");
            }
        }
    }
}

/// The three descriptors that the host sends first.
fn received(host: &UnixStream) -> io::Result<[OwnedFd; 3]> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut rights = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    recvmsg(host, &mut [IoSliceMut::new(&mut byte)], &mut rights, RecvFlags::CMSG_CLOEXEC)?;
    let fds = rights.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(fds) => Some(fds),
        _ => None,
    });
    let fds: Vec<OwnedFd> = fds.flatten().collect();
    fds.try_into().map_err(|_| io::ErrorKind::InvalidData.into())
}

/// Waits for the order to kill, or for the end of the host, and kills until nothing is left. The process ends when the
/// other thread finds that it has no children.
fn obey(mut orders: UnixStream, waiting: &Mutex<()>) {
    let _ = orders.read(&mut [0]);
    let until = Instant::now() + TO_DIE;
    while Instant::now() < until {
        let locked = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        for process in descendants(getpid().as_raw()) {
            let _ = kill(Pid::from_raw(process), Signal::SIGKILL);
        }
        drop(locked);
        thread::sleep(Duration::from_millis(1));
    }
    // A process of another user cannot be killed.
    exit(1)
}

/// All processes that came of this one, each after its parent.
fn descendants(of: i32) -> Vec<i32> {
    let mut children: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let pid = entry.file_name().to_str().and_then(|name| name.parse().ok());
        if let Some(pid) = pid
            && let Some(parent) = parent(pid)
        {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = children.remove(&of).unwrap_or_default();
    let mut nth = 0;
    while let Some(&process) = found.get(nth) {
        found.extend(children.remove(&process).unwrap_or_default());
        nth += 1;
    }
    found
}

/// The parent of a process, if it still is there.
fn parent(of: i32) -> Option<i32> {
    let text = fs::read(format!("/proc/{of}/stat")).ok()?;
    // The name of the process, in parentheses, may hold anything.
    let name_ends = text.iter().rposition(|&byte| byte == b')')?;
    let rest = std::str::from_utf8(&text[name_ends + 1..]).ok()?;
    rest.split_ascii_whitespace().nth(1)?.parse().ok()
}
