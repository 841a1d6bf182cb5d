//! How decisions of threads that play come to functions of Python, many at once.
//!
//! A thread that needs a decision leaves its request at the desk of its pool and sleeps. The thread that made
//! the call, which is Python's, gathers the requests, asks the functions, and wakes the threads. There are far
//! more such threads than cores, so that many deals wait at a time. A thread without a desk asks on its own.

use std::cell::RefCell;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;

use crate::callable::{Answer, Request, answer};
use crate::pool::Stopped;

/// Threads of a pool whose players ask functions of Python: as many decisions as can be asked for at once.
pub(crate) const THREADS: usize = 256;

/// When no request has come for so long, those that are there are answered.
const QUIET: Duration = Duration::from_micros(40);

thread_local! {
    /// The desk of the pool that this thread belongs to.
    static DESK: RefCell<Option<Arc<Desk>>> = const { RefCell::new(None) };
}

/// An exception on its way out of the crates that play.
pub(crate) struct Raised(pub(crate) PyErr);

/// Where threads leave their requests.
pub(crate) struct Desk {
    /// Threads that may leave one each.
    threads: usize,
    requests: Mutex<Requests>,
    /// Told of the first request, and of the last that can come before one is answered.
    came: Condvar,
}

#[derive(Default)]
struct Requests {
    waiting: Vec<(Vec<Request>, Sender<Vec<Answer>>)>,
    closed: bool,
}

impl Desk {
    /// A desk for so many threads.
    pub(crate) fn new(threads: usize) -> Self {
        Self { threads, requests: Mutex::default(), came: Condvar::new() }
    }

    /// Makes this the desk of the current thread.
    pub(crate) fn sit(self: Arc<Self>) {
        DESK.set(Some(self));
    }

    fn lock(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn leave(&self, asked: Vec<Request>) -> Option<Receiver<Vec<Answer>>> {
        let (send, answers) = channel();
        let mut requests = self.lock();
        if requests.closed {
            return None;
        }
        requests.waiting.push((asked, send));
        if [1, self.threads].contains(&requests.waiting.len()) {
            self.came.notify_one();
        }
        Some(answers)
    }

    /// The requests of as many threads as may still come together; none after a while without any.
    fn gather(&self) -> Vec<(Vec<Request>, Sender<Vec<Answer>>)> {
        let wait = |requests, time| {
            self.came.wait_timeout(requests, time).unwrap_or_else(PoisonError::into_inner).0
        };
        let mut requests = self.lock();
        if requests.waiting.is_empty() {
            requests = wait(requests, Duration::from_millis(1));
        }
        let mut before = 0;
        while (before + 1..self.threads).contains(&requests.waiting.len()) {
            before = requests.waiting.len();
            requests = wait(requests, QUIET);
        }
        std::mem::take(&mut requests.waiting)
    }

    /// Answers the requests that are there, or come within a millisecond.
    pub(crate) fn serve(&self, py: Python<'_>) -> PyResult<()> {
        let gathered = py.detach(|| self.gather());
        let asked: Vec<&Request> = gathered.iter().flat_map(|(requests, _)| requests).collect();
        if asked.is_empty() {
            return Ok(());
        }
        let mut answers = answer(py, &asked)?.into_iter();
        for (requests, thread) in &gathered {
            // A thread that has ended needs no answer.
            let _ = thread.send(answers.by_ref().take(requests.len()).collect());
        }
        Ok(())
    }

    /// Ends the work of all who wait, and of all who come.
    pub(crate) fn close(&self) {
        let mut requests = self.lock();
        requests.closed = true;
        requests.waiting.clear();
    }
}

/// The answers to these requests, in their order.
pub(crate) fn ask(requests: Vec<Request>) -> Vec<Answer> {
    if requests.is_empty() {
        return Vec::new();
    }
    if let Some(desk) = DESK.with_borrow(Option::clone) {
        let answers = desk.leave(requests).and_then(|answers| answers.recv().ok());
        return answers.unwrap_or_else(|| resume_unwind(Box::new(Stopped)));
    }
    let asked: Vec<&Request> = requests.iter().collect();
    Python::attach(|py| answer(py, &asked))
        .unwrap_or_else(|error| resume_unwind(Box::new(Raised(error))))
}
