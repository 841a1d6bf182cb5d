//! The kernel of all studies: deals are played, figures are kept.

use std::ops::Range;

use newmarket_agents::paired::run_chunks;
use newmarket_env::Seed;

use super::least_squares::NormalEquations;
use super::tally::Tally;

/// So many deals, each of which gives so many figures.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measurement {
    /// Number of deals.
    pub(super) deals: u64,
    /// What fixes them: deal `i` has the seed `seed.child(i)`.
    pub(super) seed: Seed,
    /// Number of tallies.
    pub(super) tallies: usize,
    /// Features of the regression to keep; 0: none.
    pub(super) features: usize,
}

/// Where a deal writes its figures.
pub(super) struct Deal<'a> {
    /// The number of the deal, from 0.
    pub(super) number: u64,
    /// The seed that fixes the deal.
    pub(super) seed: Seed,
    tallies: &'a mut [Tally],
    normal: &'a mut NormalEquations,
}

impl Deal<'_> {
    /// A figure and its companion, see [`Tally`]. A tally that is not told of a deal has not seen
    /// it.
    pub(super) fn add(&mut self, tally: usize, first: f64, second: f64) {
        self.tallies[tally].add(first, second);
    }

    /// An observation for the regression.
    pub(super) fn observe(&mut self, features: &[f64], value: f64) {
        self.normal.add(features, value);
    }
}

/// The result of a measurement.
#[derive(Clone, Debug)]
pub(super) struct Figures {
    /// One tally for each figure.
    pub(super) tallies: Vec<Tally>,
    /// The regression's sums, for each chunk of deals, or for several together.
    pub(super) normals: Vec<NormalEquations>,
}

/// Groups of at most so many: of more chunks than that, several are one group, so that memory does
/// not grow with the deals. A regression needs far fewer.
const MOST_GROUPS: usize = 1 << 15;

/// The sums of consecutive chunks of deals, the same number of chunks in each.
struct Groups {
    sums: Vec<NormalEquations>,
    /// Chunks of a group, and of the last one so far.
    size: u64,
    last: u64,
}

impl Default for Groups {
    fn default() -> Self {
        Self { sums: Vec::new(), size: 1, last: 1 }
    }
}

impl Groups {
    fn push(&mut self, chunk: NormalEquations) {
        if self.last < self.size
            && let Some(group) = self.sums.last_mut()
        {
            group.join(&chunk);
            self.last += 1;
            return;
        }
        if self.sums.len() == MOST_GROUPS {
            let mut groups = std::mem::take(&mut self.sums).into_iter();
            while let (Some(mut first), Some(second)) = (groups.next(), groups.next()) {
                first.join(&second);
                self.sums.push(first);
            }
            self.size *= 2;
        }
        self.sums.push(chunk);
        self.last = 1;
    }
}

impl Measurement {
    /// Plays the deals. `worker` makes the agents and tables of one chunk; `play` plays a deal with
    /// them. `done` is called with a number of deals whenever as many more have been played, from
    /// any thread.
    ///
    /// Chunks of a fixed number of deals are joined in their order, so the result is the same for
    /// any number of threads.
    pub(super) fn run<W>(
        &self,
        worker: impl Fn() -> W + Sync,
        play: impl Fn(&mut W, &mut Deal) + Sync,
        done: &(dyn Fn(u64) + Sync),
    ) -> Figures {
        let mut tallies = vec![Tally::default(); self.tallies];
        let mut groups = Groups::default();
        let play = |deals: Range<u64>| {
            let count = deals.end - deals.start;
            let mut worker = worker();
            let chunk = self.chunk(deals, |deal| play(&mut worker, deal));
            done(count);
            chunk
        };
        run_chunks(0..self.deals, play, |(chunk, normal)| {
            for (tally, other) in tallies.iter_mut().zip(&chunk) {
                tally.join(other);
            }
            if self.features > 0 {
                groups.push(normal);
            }
        });
        let normals = groups.sums;
        Figures { tallies, normals }
    }

    fn chunk(
        &self,
        deals: Range<u64>,
        mut play: impl FnMut(&mut Deal),
    ) -> (Vec<Tally>, NormalEquations) {
        let mut tallies = vec![Tally::default(); self.tallies];
        let mut normal = NormalEquations::new(self.features);
        for number in deals {
            play(&mut Deal {
                number,
                seed: self.seed.child(number),
                tallies: &mut tallies,
                normal: &mut normal,
            });
        }
        (tallies, normal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_chunks_are_few_groups_of_one_size() {
        for count in [1, MOST_GROUPS, MOST_GROUPS + 1, 3 * MOST_GROUPS + 5, 7 * MOST_GROUPS] {
            let mut groups = Groups::default();
            for value in 0..count {
                let mut chunk = NormalEquations::new(1);
                chunk.add(&[1.0], value as f64);
                groups.push(chunk);
            }
            // The same observations, put together here as they should be there.
            let size = count.div_ceil(MOST_GROUPS).next_power_of_two();
            let values: Vec<usize> = (0..count).collect();
            let expected = values.chunks(size).map(|values| {
                let mut group = NormalEquations::new(1);
                for &value in values {
                    group.add(&[1.0], value as f64);
                }
                group
            });
            assert!(groups.sums.len() <= MOST_GROUPS);
            assert!(groups.sums == expected.collect::<Vec<_>>(), "{count}");
        }
    }
}
