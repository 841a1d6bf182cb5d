//! The threads that roll out and learn.
//!
//! Each worker is a rayon pool of *one* thread. burn and `gemm` split a matrix product over the threads of
//! the current pool. With one thread they split nothing, so a task has the same bits with any number of
//! workers. The caller cuts work into tasks; the number of tasks must not depend on the number of workers.

use crate::TrainError;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Pools of one thread each.
#[derive(Debug)]
pub struct Workers {
    pools: Vec<ThreadPool>,
}

impl Workers {
    /// `count` workers; 0: as many as rayon would use.
    ///
    /// # Errors
    ///
    /// If the operating system starts no more threads.
    pub fn new(count: usize) -> Result<Self, TrainError> {
        let count = if count == 0 { rayon::current_num_threads() } else { count };
        let pools = (0..count)
            .map(|i| {
                ThreadPoolBuilder::new()
                    .num_threads(1)
                    .thread_name(move |_| format!("trainer-{i}"))
                    .build()
                    .map_err(|error| TrainError::Threads { count, error: error.to_string() })
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { pools })
    }

    /// The number of workers.
    pub fn count(&self) -> usize {
        self.pools.len()
    }

    /// Computes `work(i)` for all `i` below `tasks`, in any order. Results are in the order of the tasks.
    pub fn map<R: Send>(&self, tasks: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
        let next = AtomicUsize::new(0);
        let results: Vec<Mutex<Option<R>>> = (0..tasks).map(|_| Mutex::new(None)).collect();
        let job = || {
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                let Some(slot) = results.get(i) else { break };
                let result = work(i);
                if let Ok(mut slot) = slot.lock() {
                    *slot = Some(result);
                }
            }
        };
        fan_out(&self.pools[..self.pools.len().min(tasks)], &job);
        // A worker that panicked has made `fan_out` panic, so every slot is filled here.
        results.into_iter().filter_map(|slot| slot.into_inner().ok().flatten()).collect()
    }

    /// Calls `work` with each task, in any order.
    pub fn each<T: Send>(&self, tasks: impl Iterator<Item = T>, work: impl Fn(T) + Sync) {
        let tasks: Vec<Mutex<Option<T>>> = tasks.map(|task| Mutex::new(Some(task))).collect();
        self.map(tasks.len(), |i| {
            let task = tasks[i].lock().ok().and_then(|mut task| task.take());
            task.into_iter().for_each(&work);
        });
    }
}

/// Runs `job` once in every pool; returns when all have finished.
fn fan_out(pools: &[ThreadPool], job: &(dyn Fn() + Sync)) {
    if let [first, rest @ ..] = pools {
        first.in_place_scope(|scope| {
            scope.spawn(|_| job());
            fan_out(rest, job);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_pieces() {
        for count in [1, 2, 5] {
            let workers = Workers::new(count).expect("threads");
            assert_eq!(workers.count(), count);
            let squares = workers.map(100, |i| {
                std::thread::sleep(std::time::Duration::from_micros((i as u64 * 37) % 50));
                i * i
            });
            assert_eq!(squares, (0..100).map(|i| i * i).collect::<Vec<_>>());
            assert!(workers.map(0, |i| i).is_empty());
        }
    }

    #[test]
    fn each_piece_is_worked_on_once() {
        let workers = Workers::new(3).expect("threads");
        let mut numbers = vec![1_u32; 1000];
        workers.each(numbers.chunks_mut(7).enumerate(), |(nth, task)| {
            for number in task {
                *number += nth as u32;
            }
        });
        let expected: Vec<u32> = (0..1000).map(|at| 1 + at / 7).collect();
        assert_eq!(numbers, expected);
    }

    #[test]
    fn a_worker_finds_itself_alone() {
        let workers = Workers::new(3).expect("threads");
        assert_eq!(workers.map(4, |_| rayon::current_num_threads()), [1; 4]);
    }
}
