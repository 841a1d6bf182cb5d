//! The keeper of a program, as its host sees it.
//!
//! A keeper is a small process of its own ([`keep`](super::keep)), so no other child of the host is touched: the wheel
//! lives in processes with children of their own. The two speak through a pair of sockets, which is the keeper's standard
//! input:
//!
//! | from | line | meaning |
//! | --- | --- | --- |
//! | host | one byte, with three descriptors | start the program with this standard input, output and error |
//! | keeper | `started PID` | it runs |
//! | keeper | `failed ERRNO` | it cannot be started |
//! | keeper | `ended STATUS` | it has ended, with this wait status |
//! | host | one byte, or the end | kill all |
//! | keeper | the end | nothing of the program is left |

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, ErrorKind, IoSlice, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use rustix::process::{PidfdFlags, pidfd_open, pidfd_send_signal};

use super::{Pipes, TO_DIE, wait};

/// The command that starts a keeper.
static COMMAND: OnceLock<Vec<OsString>> = OnceLock::new();

/// From now on, programs have a keeper. The command starts one, which runs [`keep`](super::keep) with all further
/// arguments. Later calls change nothing.
pub fn keep_by(command: Vec<OsString>) {
    let _ = COMMAND.set(command);
}

/// What leads to a keeper and its program.
struct Link {
    socket: UnixStream,
    /// Empty before the start, and if this system has no descriptors of processes.
    program: OnceLock<OwnedFd>,
}

/// The keepers that run, by the numbers of their processes.
fn keepers() -> MutexGuard<'static, BTreeMap<u32, Arc<Link>>> {
    static KEEPERS: Mutex<BTreeMap<u32, Arc<Link>>> = Mutex::new(BTreeMap::new());
    KEEPERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A keeper and its program.
pub(in super::super) struct Keeper {
    process: Child,
    link: Arc<Link>,
}

impl Keeper {
    /// Starts a keeper, which starts the program. `None` if no keeper can be had.
    pub(super) fn start(
        run: &[String],
        (name, value): (&str, &str),
        pipes: &Pipes,
        limit: Duration,
    ) -> Option<io::Result<Self>> {
        let (first, arguments) = COMMAND.get()?.split_first()?;
        let (socket, theirs) = UnixStream::pair().ok()?;
        let mut command = Command::new(first);
        command.args(arguments).args(run).env(name, value);
        command.stdin(OwnedFd::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
        // The lock is held, so that an interrupt finds every keeper that has been started.
        let mut keepers = keepers();
        // Ctrl-C at the terminal must not end it before the host does.
        let process = command.process_group(0).spawn().ok()?;
        // With the other end in it the socket would never end.
        drop(command);
        let link = Arc::new(Link { socket, program: OnceLock::new() });
        keepers.insert(process.id(), link.clone());
        drop(keepers);
        let keeper = Self { process, link };
        match keeper.begin(pipes, limit) {
            Ok(()) => Some(Ok(keeper)),
            Err(error) => {
                keeper.kill();
                // A keeper that ends without a word could not begin.
                (error.kind() != ErrorKind::UnexpectedEof).then_some(Err(error))
            }
        }
    }

    /// Hands the pipes over, and waits for the start of the program.
    fn begin(&self, pipes: &Pipes, limit: Duration) -> io::Result<()> {
        let fds = [pipes.stdin.as_fd(), pipes.stdout.as_fd(), pipes.stderr.as_fd()];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut rights = SendAncillaryBuffer::new(&mut space);
        rights.push(SendAncillaryMessage::ScmRights(&fds));
        // A keeper that has ended already is noticed below.
        let socket = &self.link.socket;
        let _ = sendmsg(socket, &[IoSlice::new(b"p")], &mut rights, SendFlags::NOSIGNAL);
        let mut line = String::new();
        let until = Instant::now() + limit;
        // No byte is read that belongs to a later line.
        let bytes = Until { socket, until }.take(64);
        BufReader::with_capacity(1, bytes).read_line(&mut line)?;
        match read(&line) {
            Some(("started", pid)) => {
                let pid = rustix::process::Pid::from_raw(pid);
                if let Some(fd) = pid.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()) {
                    let _ = self.link.program.set(fd);
                }
                Ok(())
            }
            Some(("failed", error)) => Err(io::Error::from_raw_os_error(error)),
            _ => Err(ErrorKind::UnexpectedEof.into()),
        }
    }

    /// Kills the program and all that it has started. Returns how the program ended.
    pub(super) fn kill(mut self) -> Option<ExitStatus> {
        self.link.order(self.process.id());
        let mut said = String::new();
        if self.link.wait(Instant::now() + TO_DIE, &mut said).is_err() {
            let _ = self.process.kill();
        }
        wait(&mut self.process);
        keepers().remove(&self.process.id());
        let ended = said.lines().filter_map(read).find(|(word, _)| *word == "ended");
        ended.map(|(_, status)| ExitStatus::from_raw(status))
    }
}

impl Link {
    /// Orders the keeper with this number to kill all.
    fn order(&self, keeper: u32) {
        // The program may have stopped its keeper.
        let _ = kill(Pid::from_raw(keeper as i32), Signal::SIGCONT);
        // It may have ended already.
        let _ = (&self.socket).write_all(b"k");
        let _ = self.socket.shutdown(std::net::Shutdown::Write);
    }

    /// Waits until the keeper has killed all, and takes what it still says.
    fn wait(&self, until: Instant, said: &mut String) -> io::Result<()> {
        let read_all = Until { socket: &self.socket, until }.take(4096).read_to_string(said);
        if let Some(program) = self.program.get() {
            // If it has killed its keeper.
            let _ = pidfd_send_signal(program, rustix::process::Signal::KILL);
        }
        read_all.map(drop)
    }
}

/// A word and a number.
fn read(line: &str) -> Option<(&str, i32)> {
    let (word, number) = line.trim_end().split_once(' ')?;
    Some((word, number.parse().ok()?))
}

/// Orders all keepers to kill, waits for them, and blocks the start of any other.
pub(super) fn kill_all() {
    let keepers = keepers();
    for (&keeper, link) in keepers.iter() {
        link.order(keeper);
    }
    let until = Instant::now() + TO_DIE;
    for link in keepers.values() {
        let _ = link.wait(until, &mut String::new());
    }
    // The lock stays held, so that no other program starts.
    std::mem::forget(keepers);
}

/// Reads a socket until a moment.
struct Until<'s> {
    socket: &'s UnixStream,
    until: Instant,
}

impl Read for Until<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.socket.set_read_timeout(Some(left))?;
        match (&mut &*self.socket).read(buffer) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => Err(ErrorKind::TimedOut.into()),
            read => read,
        }
    }
}
