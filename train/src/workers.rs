//! The threads that roll out and learn.
//!
//! Each worker is a rayon pool of *one* thread. burn and `gemm` split a matrix product over the
//! threads of the pool that they find themselves in; here they find one, so the arithmetic of a
//! piece of work is the same whether there are two workers or sixty-four, and no time goes into
//! splitting products that are small already. Work is cut into pieces by the caller, and the
//! number of pieces never depends on the number of workers.

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
    /// So many workers; 0 stands for as many as rayon would use.
    ///
    /// # Errors
    ///
    /// If the operating system gives no more threads.
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

    /// How many there are.
    pub fn count(&self) -> usize {
        self.pools.len()
    }

    /// `work(i)` for each piece `0 … pieces-1`, in no particular order, the results in theirs.
    pub fn map<R: Send>(&self, pieces: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
        let next = AtomicUsize::new(0);
        let results: Vec<Mutex<Option<R>>> = (0..pieces).map(|_| Mutex::new(None)).collect();
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
        fan_out(&self.pools[..self.pools.len().min(pieces)], &job);
        // A worker that panicked has made `fan_out` panic, so every slot is filled here.
        results.into_iter().filter_map(|slot| slot.into_inner().ok().flatten()).collect()
    }

    /// `work` on each of these pieces, in no particular order.
    pub fn each<T: Send>(&self, pieces: impl Iterator<Item = T>, work: impl Fn(T) + Sync) {
        let pieces: Vec<Mutex<Option<T>>> = pieces.map(|piece| Mutex::new(Some(piece))).collect();
        self.map(pieces.len(), |i| {
            let piece = pieces[i].lock().ok().and_then(|mut piece| piece.take());
            piece.into_iter().for_each(&work);
        });
    }
}

/// Runs `job` once in every pool and returns when all have finished.
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
        workers.each(numbers.chunks_mut(7).enumerate(), |(nth, piece)| {
            for number in piece {
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
