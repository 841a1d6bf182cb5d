//! The faults that the campaign looks for.

use std::os::unix::process::ExitStatusExt;

use nix::sys::signal::Signal;

use crate::program::{Call, Outcome};

/// The most bytes of a message.
const MESSAGE: usize = 64 << 10;

/// A fault of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// A panic, even if it was caught.
    Panic,
    /// An end by a signal that was not sent.
    Signal,
    /// No end within the time limit after an interrupt.
    NoAnswer,
    /// An exit code other than 0, 2, 130, or 1 without an injected fault of input or output.
    ExitCode,
    /// More memory than allowed, without an announcement.
    Memory,
    /// A message of more than 64 KiB.
    Message,
    /// A control character in the output.
    Control,
    /// A file lost, half written, not written to, or replaced by one of another kind.
    File,
    /// A temporary file left behind.
    Leftover,
    /// A wrong input was accepted.
    Accepted,
    /// A right input was refused.
    Refused,
    /// A process that outlives the program that started it.
    Survivor,
    /// Weights that differ from those of an undisturbed run.
    Weights,
}

impl Fault {
    /// All faults, each with its name in reports.
    pub(crate) const ALL: [(Self, &str); 13] = [
        (Self::Panic, "panic"),
        (Self::Signal, "signal"),
        (Self::NoAnswer, "no answer"),
        (Self::ExitCode, "exit code"),
        (Self::Memory, "memory"),
        (Self::Message, "message"),
        (Self::Control, "control"),
        (Self::File, "file"),
        (Self::Leftover, "leftover"),
        (Self::Accepted, "accepted"),
        (Self::Refused, "refused"),
        (Self::Survivor, "survivor"),
        (Self::Weights, "weights"),
    ];

    /// The name in reports.
    pub(crate) fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// A failure of the program.
#[derive(Debug, PartialEq)]
pub(crate) struct Failure {
    pub(crate) fault: Fault,
    pub(crate) detail: String,
}

impl Failure {
    pub(crate) fn new(fault: Fault, detail: impl Into<String>) -> Self {
        Self { fault, detail: detail.into() }
    }
}

/// A failure unless `holds`.
pub(crate) fn demand(holds: bool, fault: Fault, detail: &str) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(Failure::new(fault, detail)) }
}

/// Looks for a fault: returns its detail if it is there.
type Sign = fn(&Call, &Outcome, u64) -> Option<String>;

/// The checks for faults, the clearest fault first.
const SIGNS: [(Fault, Sign); 7] = [
    (Fault::Panic, panicked),
    (Fault::Memory, greedy),
    (Fault::NoAnswer, silent),
    (Fault::Signal, died),
    (Fault::ExitCode, exited),
    (Fault::Message, flooded),
    (Fault::Control, controls),
];

/// The first fault of a run of the program.
pub(crate) fn judge(call: &Call, outcome: &Outcome, memory: u64) -> Result<(), Failure> {
    for (fault, sign) in SIGNS {
        if let Some(detail) = sign(call, outcome, memory) {
            return Err(Failure::new(fault, detail));
        }
    }
    Ok(())
}

fn panicked(_: &Call, outcome: &Outcome, _: u64) -> Option<String> {
    let text = String::from_utf8_lossy(&outcome.stderr);
    let line = text.lines().find(|line| line.contains("panicked"))?;
    Some(line.into())
}

/// The program's announcement of a large run.
const ANNOUNCED: &str = "GB of memory, for a network of";

fn greedy(_: &Call, outcome: &Outcome, memory: u64) -> Option<String> {
    let printed = [&outcome.stdout[..], &outcome.stderr].concat();
    let announced = String::from_utf8_lossy(&printed).contains(ANNOUNCED);
    (outcome.peak > memory && !announced).then(|| format!("{} MiB", outcome.peak >> 20))
}

fn silent(_: &Call, outcome: &Outcome, _: u64) -> Option<String> {
    (!outcome.answered).then(|| format!("after {:?}", outcome.sent))
}

fn died(_: &Call, outcome: &Outcome, memory: u64) -> Option<String> {
    let signal = outcome.status.signal()?;
    let killed = outcome.peak > memory && signal == Signal::SIGKILL as i32;
    let sent = outcome.sent.is_some_and(|sent| sent as i32 == signal);
    (!killed && !sent).then(|| format!("{:?}", Signal::try_from(signal)))
}

fn exited(call: &Call, outcome: &Outcome, _: u64) -> Option<String> {
    let code = outcome.status.code()?;
    // A shell exits with 128 plus the signal.
    let by_signal = outcome.sent.is_some_and(|sent| code == 128 + sent as i32);
    let right = matches!(code, 0 | 2 | 130) || by_signal || code == 1 && call.injected;
    (!right).then(|| format!("{code}: {}", first_line(&outcome.stderr)))
}

fn flooded(_: &Call, outcome: &Outcome, _: u64) -> Option<String> {
    let bytes = outcome.stderr.len();
    (bytes > MESSAGE).then(|| format!("{bytes} bytes or more"))
}

fn controls(_: &Call, outcome: &Outcome, _: u64) -> Option<String> {
    for bytes in [&outcome.stderr, &outcome.stdout] {
        let text = String::from_utf8_lossy(bytes);
        let found = text.chars().find(|&c| c.is_control() && !matches!(c, '\n' | '\t'));
        if let Some(found) = found {
            return Some(format!("{found:?}: {}", first_line(text.as_bytes()).escape_debug()));
        }
    }
    None
}

/// The first line of a text, at most 200 characters.
pub(crate) fn first_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.lines().next().unwrap_or("").chars().take(200).collect()
}
