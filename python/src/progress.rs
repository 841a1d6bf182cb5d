//! How far long work is, told to a function of Python.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::pool::{Stop, Workers, ticking};

/// Time between two calls of the function.
const TICK: Duration = Duration::from_millis(100);

/// A function of Python that is told how much of some work is done, and of how much. It is called on the thread of the
/// call that works, about ten times a second, and once at the end.
pub(crate) struct Progress {
    told: Option<Py<PyAny>>,
    count: Count,
}

/// Counts what is done, on any thread.
#[derive(Clone)]
pub(crate) struct Count(Arc<[AtomicU64; 2]>);

impl Count {
    /// So much more is done.
    pub(crate) fn add(&self, done: u64) {
        self.0[0].fetch_add(done, Ordering::Relaxed);
    }

    /// So much is done by now.
    pub(crate) fn reach(&self, done: u64) {
        self.0[0].store(done, Ordering::Relaxed);
    }

    /// Begins again, with so much to do.
    pub(crate) fn begin(&self, total: u64) {
        self.0[0].store(0, Ordering::Relaxed);
        self.0[1].store(total, Ordering::Relaxed);
    }

    fn read(&self) -> (u64, u64) {
        let [done, total] = &*self.0;
        (done.load(Ordering::Relaxed), total.load(Ordering::Relaxed))
    }
}

impl Progress {
    /// Of work with so much to do.
    pub(crate) fn new(told: Option<Py<PyAny>>, total: u64) -> Self {
        Self { told, count: Count(Arc::new([AtomicU64::new(0), AtomicU64::new(total)])) }
    }

    /// Runs the work on these threads, as [`crate::pool::interruptible`] does. An exception in the function ends it.
    pub(crate) fn run<T: Send + 'static>(
        self,
        py: Python<'_>,
        workers: impl Into<Workers>,
        work: impl FnOnce(&Stop, &Count) -> T + Send + 'static,
    ) -> PyResult<T> {
        let (told, count) = (self.told, self.count.clone());
        let mut last = Instant::now();
        let mut tick = |py: Python<'_>| match &told {
            Some(told) if last.elapsed() >= TICK => {
                last = Instant::now();
                told.call1(py, self.count.read()).map(drop)
            }
            _ => Ok(()),
        };
        let result = ticking(py, workers, &mut tick, move |stop| work(stop, &count))?;
        if let Some(told) = &told {
            told.call1(py, self.count.read())?;
        }
        Ok(result)
    }
}
