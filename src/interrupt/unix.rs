//! The signals of Unix.

use std::ffi::c_int;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nix::sys::signal::{Signal, raise};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;

use crate::threads;

/// A change of what the shell does with this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    /// The process is asked to stop, as by Ctrl-Z.
    Stop,
    /// It goes on after a stop.
    GoOn,
}

/// Calls `act` at each interrupt.
pub(super) fn at_interrupts(mut act: impl FnMut() + Send + 'static) -> io::Result<()> {
    at(&[SIGINT, SIGTERM, SIGHUP, SIGQUIT], move |_| act())
}

/// Calls `act` at each stop, instead of stopping, and when the process goes on after a stop. If it returns `false` at a
/// stop, the process [`stop`]s.
pub(crate) fn on_jobs(mut act: impl FnMut(Job) -> bool + Send + 'static) -> io::Result<()> {
    at(&[SIGTSTP, SIGCONT], move |signal| {
        let job = if signal == SIGTSTP { Job::Stop } else { Job::GoOn };
        if !act(job) && job == Job::Stop {
            let _ = stop();
        }
    })
}

/// Stops this process, until its shell resumes it. Without a shell that could resume it, it goes on at once.
pub(crate) fn stop() -> io::Result<()> {
    // The system treats it as SIGTSTP, which [`on_jobs`] has caught. SIGSTOP would stop a process that nobody resumes.
    Ok(raise(Signal::SIGTTOU)?)
}

/// A write beyond the largest size of a file (`ulimit -f`) fails from now on, instead of ending the process.
pub(crate) fn survive_large_files() -> io::Result<()> {
    let signal = Signal::SIGXFSZ as c_int;
    if !is_ignored(signal) {
        // A signal that is caught is not ignored, so programs that are started here have the usual behaviour.
        signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)))?;
    }
    Ok(())
}

/// Calls `act` at each of these signals, on a thread of its own. Signals that are ignored stay so.
fn at(signals: &[c_int], mut act: impl FnMut(c_int) + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new(signals.iter().filter(|&&signal| !is_ignored(signal)))?;
    threads::start(move || signals.forever().for_each(&mut act))?;
    Ok(())
}

/// Whether this process ignores a signal. Only Linux tells; elsewhere the answer is no.
fn is_ignored(signal: c_int) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or(0) >> (signal - 1) & 1 == 1
}
