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
    /// The regression's sums, for each chunk of deals.
    pub(super) normals: Vec<NormalEquations>,
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
        let mut normals = Vec::new();
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
                normals.push(normal);
            }
        });
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
