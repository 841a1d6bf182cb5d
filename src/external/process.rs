//! A running program, read and written line by line. It can neither delay the host beyond the time limits nor fill the
//! host's memory.

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Read, Write, pipe};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use newmarket_engine::LONGEST_LINE;
use newmarket_env::text::{BYTE_ORDER_MARK, QUOTED, brief};

use super::fault::{Fault, Kind};
use super::group::{Group, Pipes};
use super::message::Message;
use crate::{terminal, threads};

/// The most unread lines of a program. A program that writes more has to wait.
const MOST_WAITING: usize = 16;
/// The most bytes that are held back until the next question.
const MOST_HELD: usize = 16 << 10;
/// The most lines of its standard error that are shown.
const MOST_LOGGED: u32 = 100;
/// Time limit for the program to end.
const TO_END: Duration = Duration::from_millis(500);

/// A running program.
pub(super) struct Process {
    /// `None` after it was killed.
    group: Option<Group>,
    /// The channel to the writing thread. A program that does not read must not block the host.
    to: Option<Sender<Vec<u8>>>,
    from: Receiver<Vec<u8>>,
    held: Vec<u8>,
    /// Ends when all of its standard error has been shown.
    log: Receiver<()>,
}

impl Process {
    /// Starts a program. An environment variable tells it the time limit for a decision. `logged` counts the lines of its
    /// standard error, over all of its processes.
    pub(super) fn start(
        run: &[String],
        to_move: Duration,
        to_start: Duration,
        logged: &Arc<AtomicU32>,
    ) -> Result<Self, Fault> {
        Self::begin(run, to_move, to_start, logged.clone()).map_err(|error| {
            let program = &run[0];
            let hint = if run.len() == 1 && program.contains(' ') {
                "; arguments are named like exec:[\"PROGRAM\",\"ARGUMENT\"]"
            } else {
                ""
            };
            let program = brief(program, QUOTED);
            Fault::new(Kind::Start, format!("cannot start `{program}`: {error}{hint}"))
        })
    }

    fn begin(
        run: &[String],
        to_move: Duration,
        to_start: Duration,
        logged: Arc<AtomicU32>,
    ) -> io::Result<Self> {
        let ((theirs, stdin), (stdout, their_stdout)) = (pipe()?, pipe()?);
        let (stderr, their_stderr) = pipe()?;
        let pipes = Pipes { stdin: theirs, stdout: their_stdout, stderr: their_stderr };
        let to_move = to_move.as_millis().to_string();
        let environment = ("NEWMARKET_MOVE_MS", &*to_move);
        let (to, lines) = channel();
        let (send, from) = sync_channel(MOST_WAITING);
        let group = Some(Group::start(run, environment, pipes, to_start)?);
        let (log_ends, logs) = channel::<()>();
        let process = Self { group, to: Some(to), from, held: Vec::new(), log: logs };
        let name = brief(&run[0], QUOTED).into_owned();
        // The threads end when the program closes its pipes, at the latest when it is killed. If one of them cannot be
        // started, dropping the process kills the program.
        threads::start(move || write(stdin, &lines))?;
        threads::start(move || read(stdout, &send))?;
        threads::start(move || {
            log(stderr, &name, &logged);
            drop(log_ends);
        })?;
        Ok(process)
    }

    /// Sends a message without an answer, at the latest with the next question.
    pub(super) fn tell(&mut self, message: &Message) {
        message.write(&mut self.held);
        if self.held.len() > MOST_HELD {
            self.send();
        }
    }

    fn send(&mut self) {
        if let Some(to) = &self.to {
            // If the program has ended, reading its answer fails.
            let _ = to.send(std::mem::take(&mut self.held));
        }
    }

    /// Sends a question, and waits for the next line.
    pub(super) fn ask(&mut self, message: &Message, limit: Duration) -> Result<Vec<u8>, Fault> {
        if let Ok(line) = self.from.try_recv() {
            return Err(Fault::quoting(Kind::Flood, "it writes a line without being asked", &line));
        }
        message.write(&mut self.held);
        self.send();
        match self.from.recv_timeout(limit) {
            Ok(line) if line.len() > LONGEST_LINE => {
                let what = format!("a line of more than {LONGEST_LINE} bytes");
                Err(Fault::quoting(Kind::Flood, &what, &line))
            }
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => {
                let what = format!("no answer within {} ms", limit.as_millis());
                Err(Fault::new(Kind::Silence, what))
            }
            Err(RecvTimeoutError::Disconnected) => Err(Fault::new(Kind::Death, self.death())),
        }
    }

    /// How the program ended.
    fn death(&mut self) -> String {
        // The output of a program closes a moment before the program ends.
        thread::sleep(Duration::from_millis(20));
        match self.group.take().and_then(Group::kill) {
            Some(status) => format!("it has ended, or closed its output ({status})"),
            _ => "it has ended".into(),
        }
    }

    /// Kills the program, and waits until what it has said is shown. Whoever holds its pipes may be alive.
    fn end(&self, group: Group) {
        group.kill();
        let _ = self.log.recv_timeout(TO_END);
    }

    /// Kills the program.
    pub(super) fn kill(mut self) {
        if let Some(group) = self.group.take() {
            self.end(group);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let Some(group) = self.group.take() else { return };
        Message::Quit {}.write(&mut self.held);
        self.send();
        // Closes the program's input once everything is written.
        drop(self.to.take());
        let until = Instant::now() + TO_END;
        let left = || until.checked_duration_since(Instant::now());
        // Lines may come without end.
        while left().is_some_and(|left| self.from.recv_timeout(left).is_ok()) {}
        self.end(group);
    }
}

fn write(mut stdin: PipeWriter, lines: &Receiver<Vec<u8>>) {
    for bytes in lines {
        if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Sends the program's lines, without their line ends. Stops after a line that is too long.
fn read(stdout: PipeReader, to: &SyncSender<Vec<u8>>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let most = (BYTE_ORDER_MARK.len() + LONGEST_LINE) as u64 + 2;
        match stdout.by_ref().take(most).read_until(b'\n', &mut line) {
            Ok(read) if read > 0 => {}
            _ => return,
        }
        let whole = line.pop_if(|byte| *byte == b'\n').is_some();
        line.pop_if(|byte| *byte == b'\r');
        if line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        let over = !whole && line.len() > LONGEST_LINE;
        if to.send(line).is_err() || over {
            return;
        }
    }
}

/// Shows the lines of the program's standard error, up to a bound for all of its processes, of which `logged` were shown.
fn log(stderr: PipeReader, name: &str, logged: &AtomicU32) {
    let mut stderr = BufReader::new(stderr);
    while logged.load(Ordering::Relaxed) <= MOST_LOGGED {
        let mut line = Vec::new();
        match stderr.by_ref().take(4 * QUOTED as u64).read_until(b'\n', &mut line) {
            Ok(read) if read > 0 => {}
            _ => return,
        }
        let text = match logged.fetch_add(1, Ordering::Relaxed) {
            MOST_LOGGED => "further lines are not shown".into(),
            nth if nth > MOST_LOGGED => break,
            _ => String::from_utf8_lossy(&line),
        };
        terminal::warn(format!("{name}: {}", brief(text.trim_end(), 2 * QUOTED)));
    }
    let _ = std::io::copy(&mut stderr, &mut std::io::sink());
}
