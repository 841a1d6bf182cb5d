//! Threads. The system may refuse them, as by `ulimit -u`.

use std::error::Error;
use std::io;
use std::thread::{self, JoinHandle, available_parallelism};

use newmarket_env::text::with_causes;

use crate::failure::{Failure, Result};
use crate::terminal;

/// The most threads, unless there are more processors.
const MOST: usize = 256;

/// Starts a thread.
///
/// # Errors
/// If the system starts no more.
pub(crate) fn start<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    thread::Builder::new().spawn(work).map_err(|error| {
        let what = format!("cannot start a thread: {error}: allow more processes (ulimit -u)");
        io::Error::new(error.kind(), what)
    })
}

/// Starts the threads that share the work of a command: as many as `RAYON_NUM_THREADS` says, limited to a number that
/// the system can start. No result depends on it.
pub(crate) fn share_work() -> Result {
    let asked = std::env::var("RAYON_NUM_THREADS").ok();
    let asked = asked.and_then(|text| text.parse::<usize>().ok()).unwrap_or(0);
    let most = available_parallelism().map_or(1, usize::from).max(MOST);
    if asked > most {
        terminal::warn(format!("RAYON_NUM_THREADS is {asked}: using {most} threads, the most"));
    }
    match rayon::ThreadPoolBuilder::new().num_threads(asked.min(most)).build_global() {
        // Without a cause: it has been started before, as in a process of Python.
        Err(error) if error.source().is_some() => Err(Failure::user(format!(
            "cannot start the threads of the work: {}: allow more processes (ulimit -u) or memory (ulimit -v), or \
             share the work among fewer threads with RAYON_NUM_THREADS",
            with_causes(&error)
        ))),
        _ => Ok(()),
    }
}
