//! Deals in chunks of a fixed size, so that no result depends on the number of threads.

use alloc::vec::Vec;
use core::ops::Range;

use rayon::prelude::*;

/// Deals that one worker plays before their results are joined.
pub const CHUNK: u64 = 64;

/// Chunks whose results are in memory at a time. The result does not depend on it.
const CHUNKS_A_ROUND: u64 = 1024;

/// Cuts a range into chunks of this size; the last one may be shorter.
pub fn chunks_of(size: u64, units: Range<u64>) -> impl Iterator<Item = Range<u64>> {
    units.clone().step_by(size as usize).map(move |start| start..units.end.min(start + size))
}

/// Plays the chunks of a range of deals on the threads of rayon's pool. `take` gets the results in
/// the order of the chunks, on the thread of the caller.
pub fn run_chunks<R: Send>(
    deals: Range<u64>,
    play: impl Fn(Range<u64>) -> R + Sync,
    take: impl FnMut(R),
) {
    run_chunks_of(CHUNK, deals, play, take);
}

/// [`run_chunks`] with chunks of this size. The size must be fixed: the bits of a joined result depend
/// on it.
pub fn run_chunks_of<R: Send>(
    size: u64,
    units: Range<u64>,
    play: impl Fn(Range<u64>) -> R + Sync,
    mut take: impl FnMut(R),
) {
    let mut left = chunks_of(size, units);
    loop {
        let round: Vec<Range<u64>> = left.by_ref().take(CHUNKS_A_ROUND as usize).collect();
        if round.is_empty() {
            return;
        }
        let played: Vec<R> = round.into_par_iter().map(&play).collect();
        played.into_iter().for_each(&mut take);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_cover_the_deals_in_their_order() {
        assert_eq!(chunks_of(CHUNK, 5..5).count(), 0);
        assert_eq!(chunks_of(CHUNK, 10..150).collect::<Vec<_>>(), [10..74, 74..138, 138..150]);
    }

    #[test]
    fn results_arrive_in_order_also_after_a_round() {
        let deals = 0..CHUNK * (CHUNKS_A_ROUND + 3) + 1;
        let mut taken = Vec::new();
        run_chunks(deals.clone(), |chunk| chunk, |chunk| taken.push(chunk));
        assert_eq!(taken, chunks_of(CHUNK, deals).collect::<Vec<_>>());
    }
}
