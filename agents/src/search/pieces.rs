//! The work on a decision, cut into pieces for as many threads as there are.

use newmarket_env::{Rng, Seed};
use rand_core::Rng as _;
use rayon::prelude::*;

use super::Budget;

/// Worlds of one piece: a tenth of a millisecond of work, far more than handing it over costs.
const PIECE: u32 = 256;
/// Worlds that a thread looks at between two looks at the clock.
const BETWEEN_LOOKS: u32 = 8;

/// The sums, place by place, of what pieces of the budget come to.
pub(super) fn sums(
    budget: Budget,
    rng: &mut Rng,
    work: impl Fn(u32, &mut Rng) -> Vec<i64> + Sync,
) -> Vec<i64> {
    let mut pieces = pieces(budget, PIECE, rng, work).into_iter();
    let mut sums = pieces.next().expect("there is one at least");
    for piece in pieces {
        sums.iter_mut().zip(piece).for_each(|(sum, more)| *sum += more);
    }
    sums
}

/// Works on so many worlds at a time, `piece` at most, each piece with random numbers of its own,
/// and collects what each came to. What fits in one piece is done at once, in this thread; so is
/// the cut of a larger number always the same, and the outcome, on any number of threads.
///
/// Only a caller outside a pool has threads to spare. Within one the work has been shared out
/// already, and whoever waited for others there would meanwhile be given a whole game to play.
pub(super) fn pieces<T: Send>(
    budget: Budget,
    piece: u32,
    rng: &mut Rng,
    work: impl Fn(u32, &mut Rng) -> T + Sync,
) -> Vec<T> {
    let shared = rayon::current_thread_index().is_none();
    let round = |numbers: std::ops::Range<u64>, seed: Seed, size: &(dyn Fn(u64) -> u32 + Sync)| {
        let one = |nth: u64| work(size(nth), &mut seed.child(nth).rng());
        if shared {
            numbers.into_par_iter().map(one).collect::<Vec<T>>()
        } else {
            numbers.map(one).collect()
        }
    };
    match budget {
        Budget::Count(count) if count <= piece => vec![work(count.max(1), rng)],
        Budget::Count(count) => {
            let size = |nth: u64| piece.min(count - nth as u32 * piece);
            round(0..u64::from(count.div_ceil(piece)), Seed::new(rng.next_u64()), &size)
        }
        Budget::Time(..) => {
            let seed = Seed::new(rng.next_u64());
            let threads = if shared { rayon::current_num_threads() as u64 } else { 1 };
            let rounds = budget.looks().map(|nth| nth * threads..(nth + 1) * threads);
            rounds.flat_map(|numbers| round(numbers, seed, &|_| BETWEEN_LOOKS)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn sizes(budget: Budget) -> Vec<(u32, u64)> {
        pieces(budget, 10, &mut Seed::new(1).rng(), |size, rng| (size, rng.next_u64()))
    }

    fn within_a_pool<T: Send>(work: impl FnOnce() -> T + Send) -> T {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
        pool.expect("threads").install(work)
    }

    #[test]
    fn pieces_make_up_the_whole_on_any_number_of_threads() {
        for (count, wanted) in [(0, vec![1]), (10, vec![10]), (11, vec![10, 1]), (30, vec![10; 3])]
        {
            let one = within_a_pool(|| sizes(Budget::Count(count)));
            assert_eq!(one.iter().map(|piece| piece.0).collect::<Vec<_>>(), wanted);
            assert_eq!(one, sizes(Budget::Count(count)));
            let mut streams: Vec<u64> = one.iter().map(|piece| piece.1).collect();
            streams.dedup();
            assert_eq!(streams.len(), one.len(), "each has random numbers of its own");
        }
    }

    #[test]
    fn time_is_spent_in_rounds() {
        fn frozen() -> Duration {
            Duration::ZERO
        }
        // A clock that stands still at the limit: a single round.
        let spend = || sizes(Budget::Time(Duration::ZERO, frozen));
        let rounds = |found: Vec<(u32, u64)>| found.iter().map(|piece| piece.0).collect::<Vec<_>>();
        assert_eq!(rounds(spend()), vec![BETWEEN_LOOKS; rayon::current_num_threads()]);
        assert_eq!(rounds(within_a_pool(spend)), [BETWEEN_LOOKS]);
    }
}
