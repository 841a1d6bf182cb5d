//! Threads, and calls that Ctrl-C stops.

use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::agent::Named;
use crate::asking::{self, Desk, Raised};
use crate::errors::bad;

/// The most threads that a call may ask for.
const MOST: usize = 1024;

/// The pool of so many threads of this process. A child that was forked has its own: the threads
/// of its parent's are not in it.
pub(crate) fn pool(threads: usize) -> PyResult<Arc<ThreadPool>> {
    static POOLS: Mutex<BTreeMap<(u32, usize), Arc<ThreadPool>>> = Mutex::new(BTreeMap::new());
    let threads = check(threads)?;
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = pools.get(&(std::process::id(), threads)) {
        return Ok(pool.clone());
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = Arc::new(pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?);
    pools.insert((std::process::id(), threads), pool.clone());
    Ok(pool)
}

thread_local! {
    /// The pools that this thread is one of the threads of, by process and size, and those that it
    /// uses from outside.
    static OWN: RefCell<BTreeMap<(u32, usize), Arc<ThreadPool>>> = const { RefCell::new(BTreeMap::new()) };
}

/// The pool for short work of this thread's, over and over: it is one of the threads, so that not
/// every call has to wake another one and wait for it. (A thread can be in one pool alone; where it
/// is in one of another size, or the process was forked, it is outside.)
pub(crate) fn own(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let key = (std::process::id(), check(threads)?);
    if let Some(pool) = OWN.with_borrow(|pools| pools.get(&key).cloned()) {
        return Ok(pool);
    }
    let pool = match ThreadPoolBuilder::new().num_threads(key.1).use_current_thread().build() {
        Ok(pool) => Arc::new(pool),
        Err(_) => pool(threads)?,
    };
    OWN.with_borrow_mut(|pools| pools.insert(key, pool.clone()));
    Ok(pool)
}

/// A number of threads; 0 stands for one a core.
pub(crate) fn check(threads: usize) -> PyResult<usize> {
    match threads {
        0 => Ok(thread::available_parallelism().map_or(1, usize::from)),
        1..=MOST => Ok(threads),
        _ => Err(bad(format!("{threads} threads: expected 1 to {MOST}, or 0 for one a core"))),
    }
}

/// The threads that long work runs on.
#[derive(Clone, Copy)]
pub(crate) enum Workers {
    /// So many; 0 stands for one a core.
    Threads(usize),
    /// So many, of players that ask functions of Python.
    Asking(usize),
}

impl From<usize> for Workers {
    fn from(threads: usize) -> Self {
        Self::Threads(threads)
    }
}

impl Workers {
    /// So many threads for these players, or what those need that ask functions of Python.
    pub(crate) fn of<'a>(threads: usize, players: impl IntoIterator<Item = &'a Named>) -> Self {
        let asks = players.into_iter().any(Named::asks);
        if asks { Self::Asking(asking::THREADS) } else { Self::Threads(threads) }
    }

    /// One thread for these players.
    pub(crate) fn one<'a>(players: impl IntoIterator<Item = &'a Named>) -> Self {
        let asks = players.into_iter().any(Named::asks);
        if asks { Self::Asking(1) } else { Self::Threads(1) }
    }

    /// The pool, and the desk at which its threads leave their requests. A pool whose threads ask is the call's
    /// own: a function that calls the laboratory needs threads that do not wait for its answer.
    fn pool(self) -> PyResult<(Arc<ThreadPool>, Option<Arc<Desk>>)> {
        let threads = match self {
            Self::Threads(threads) => return Ok((pool(threads)?, None)),
            Self::Asking(threads) => threads,
        };
        let desk = Arc::new(Desk::new(threads));
        let (pool, sit) = (ThreadPoolBuilder::new().num_threads(threads), desk.clone());
        let pool = pool.start_handler(move |_| sit.clone().sit()).build();
        let pool = pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok((Arc::new(pool), Some(desk)))
    }
}

/// Runs long work on these threads while Ctrl-C is watched for, and answers what the threads ask. After an
/// interrupt, or an exception in a function that was asked, the call returns at once; the work ends when it next
/// asks, or looks at [`Stop`].
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    workers: impl Into<Workers>,
    work: impl FnOnce(&Stop) -> T + Send + 'static,
) -> PyResult<T> {
    ticking(py, workers, &mut |_| Ok(()), work)
}

/// [`interruptible`], with a function that is called on this thread again and again. Its exception ends the call as an
/// interrupt does.
pub(crate) fn ticking<T: Send + 'static>(
    py: Python<'_>,
    workers: impl Into<Workers>,
    tick: &mut dyn FnMut(Python<'_>) -> PyResult<()>,
    work: impl FnOnce(&Stop) -> T + Send + 'static,
) -> PyResult<T> {
    let ((pool, desk), stop) = (workers.into().pool()?, Stop(Arc::new(AtomicBool::new(false))));
    let (send, done) = mpsc::channel();
    let asked = stop.clone();
    thread::spawn(move || {
        let result = catch_unwind(AssertUnwindSafe(|| pool.install(|| work(&asked))));
        // After an interrupt nobody waits for it.
        let _ = send.send(result);
    });
    let end = |_: &PyErr| {
        stop.end();
        if let Some(desk) = &desk {
            desk.close();
        }
    };
    loop {
        match done.try_recv() {
            Ok(Ok(result)) => return Ok(result),
            Ok(Err(panic)) => return Err(fault(panic)),
            Err(TryRecvError::Disconnected) => return Err(fault(Box::new(()))),
            Err(TryRecvError::Empty) => {
                py.check_signals().and_then(|()| tick(py)).inspect_err(end)?;
            }
        }
        match &desk {
            Some(desk) => desk.serve(py).inspect_err(end)?,
            None => py.detach(|| thread::sleep(Duration::from_millis(1))),
        }
    }
}

/// Runs work of this thread in which functions of Python may be asked: their exceptions come out as they are.
pub(crate) fn raising<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(fault)
}

/// The exception of a function, the fault of a program that is to end the call, or a panic of the crates, which is
/// a fault of theirs, as an exception.
fn fault(panic: Box<dyn Any + Send>) -> PyErr {
    let panic = match panic.downcast::<Raised>() {
        Ok(raised) => return raised.0,
        Err(panic) => panic,
    };
    let panic = &*panic;
    if let Some(line) = newmarket::external::stopped(panic) {
        return PyRuntimeError::new_err(line.to_owned());
    }
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    let text = text.unwrap_or("no message");
    PyRuntimeError::new_err(format!("a fault of the program: {text}"))
}

/// Whether work is to stop.
#[derive(Clone)]
pub(crate) struct Stop(Arc<AtomicBool>);

/// What unwinds work that is to stop.
pub(crate) struct Stopped;

impl Stop {
    fn end(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Ends the work here if it is to stop.
    pub(crate) fn check(&self) {
        if self.0.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Stopped));
        }
    }
}
