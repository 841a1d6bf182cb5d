//! The work on a decision, cut into chunks for as many threads as there are.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
#[cfg(feature = "std")]
use std::sync::OnceLock;

use newmarket_env::{Rng, Seed};
use rand_core::Rng as _;
#[cfg(feature = "std")]
use rayon::prelude::*;

use super::Budget;

/// Worlds of one chunk: far more work than handing the chunk to another thread.
const WORLDS_PER_CHUNK: u32 = 256;
/// Worlds that a thread tries between two looks at the clock.
const WORLDS_BETWEEN_LOOKS: u32 = 8;

/// The sums, place by place, of the results of all chunks of the budget.
pub(super) fn sums(
    budget: Budget,
    rng: &mut Rng,
    work: impl Fn(u32, &mut Rng) -> Vec<i64> + Sync,
) -> Vec<i64> {
    let mut chunks = chunks(budget, WORLDS_PER_CHUNK, rng, work).into_iter();
    let mut sums = chunks.next().expect("there is one at least");
    for chunk in chunks {
        sums.iter_mut().zip(chunk).for_each(|(sum, more)| *sum += more);
    }
    sums
}

/// Works on chunks of at most `size` worlds, each chunk with a separate stream of random numbers, and
/// collects their results. Work that fits in one chunk is done in this thread. Larger work is always cut
/// in the same way, so the result is the same on any number of threads.
pub(super) fn chunks<T: Send>(
    budget: Budget,
    size: u32,
    rng: &mut Rng,
    work: impl Fn(u32, &mut Rng) -> T + Sync,
) -> Vec<T> {
    let round = |numbers: Range<u64>, seed: Seed, size: &(dyn Fn(u64) -> u32 + Sync)| {
        collect(numbers, |nth| work(size(nth), &mut seed.child(nth).rng()))
    };
    match budget {
        Budget::Count(count) if count <= size => vec![work(count.max(1), rng)],
        Budget::Count(count) => {
            let chunks = u64::from(count.div_ceil(size));
            let size = |nth: u64| size.min(count - nth as u32 * size);
            round(0..chunks, Seed::new(rng.next_u64()), &size)
        }
        Budget::Time(..) => {
            let (seed, threads) = (Seed::new(rng.next_u64()), threads());
            let rounds = budget.looks().map(|nth| nth * threads..(nth + 1) * threads);
            rounds.flat_map(|numbers| round(numbers, seed, &|_| WORLDS_BETWEEN_LOOKS)).collect()
        }
    }
}

/// Whether the work may be shared among threads. A caller within a pool must not share it: the pool's work
/// has been shared already, and a thread that waits there would be given a whole game to play meanwhile.
/// A forked child must not either: it does not have the threads of its parent.
#[cfg(feature = "std")]
fn shared() -> bool {
    static FIRST: OnceLock<u32> = OnceLock::new();
    let process = std::process::id();
    rayon::current_thread_index().is_none() && *FIRST.get_or_init(|| process) == process
}

#[cfg(feature = "std")]
fn threads() -> u64 {
    if shared() { rayon::current_num_threads() as u64 } else { 1 }
}

/// The results of these pieces of work, in their order; on all threads if the work may be shared.
#[cfg(feature = "std")]
pub(crate) fn collect<T: Send>(numbers: Range<u64>, one: impl Fn(u64) -> T + Sync) -> Vec<T> {
    if shared() { numbers.into_par_iter().map(&one).collect() } else { numbers.map(one).collect() }
}

#[cfg(not(feature = "std"))]
fn threads() -> u64 {
    1
}

#[cfg(not(feature = "std"))]
fn collect<T>(numbers: Range<u64>, one: impl Fn(u64) -> T) -> Vec<T> {
    numbers.map(one).collect()
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use core::time::Duration;

    fn sizes(budget: Budget) -> Vec<(u32, u64)> {
        chunks(budget, 10, &mut Seed::new(1).rng(), |size, rng| (size, rng.next_u64()))
    }

    fn within_a_pool<T: Send>(work: impl FnOnce() -> T + Send) -> T {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
        pool.expect("threads").install(work)
    }

    #[test]
    fn chunks_make_up_the_whole_on_any_number_of_threads() {
        for (count, wanted) in [(0, vec![1]), (10, vec![10]), (11, vec![10, 1]), (30, vec![10; 3])]
        {
            let one = within_a_pool(|| sizes(Budget::Count(count)));
            assert_eq!(one.iter().map(|chunk| chunk.0).collect::<Vec<_>>(), wanted);
            assert_eq!(one, sizes(Budget::Count(count)));
            let mut streams: Vec<u64> = one.iter().map(|chunk| chunk.1).collect();
            streams.dedup();
            assert_eq!(streams.len(), one.len(), "each has a separate stream");
        }
    }

    #[test]
    fn time_is_spent_in_rounds() {
        fn frozen() -> Duration {
            Duration::ZERO
        }
        // A clock that stands still at the limit: a single round.
        let spend = || sizes(Budget::Time(Duration::ZERO, frozen));
        let rounds = |found: Vec<(u32, u64)>| found.iter().map(|chunk| chunk.0).collect::<Vec<_>>();
        assert_eq!(rounds(spend()), vec![WORLDS_BETWEEN_LOOKS; rayon::current_num_threads()]);
        assert_eq!(rounds(within_a_pool(spend)), [WORLDS_BETWEEN_LOOKS]);
    }
}
