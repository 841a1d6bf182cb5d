//! Everybody against everybody on the same deals, and what follows from it: a cross table, and
//! ratings with intervals.
//!
//! Every deal is played by each agent alone, by each agent in every seat at a table of each other
//! one, and by one random mixed company in every rotation. A deal's cards and random numbers are
//! the same in all of these, so that luck cancels in every difference.

mod bootstrap;
mod mixed;
mod play;
mod report;
mod sequential;

use std::ops::Range;
use std::sync::Arc;

use newmarket_agents::Player;
use newmarket_agents::paired::{CHUNK, Estimate, Mean, run_chunks};
use newmarket_env::{Game, Seed};

use bootstrap::Blocks;
use mixed::MixedDeals;
use play::{Pairs, Played};
pub use report::{CrossTableEntry, Interval, LadderReport, Pairing, Rating};
pub use sequential::{Boundary, LEVEL};

/// Chunks between two looks at the results. Fixed, as the size of a chunk is.
const CHUNKS_A_ROUND: u64 = 4;

/// A ladder to be played.
pub struct Ladder<'a> {
    /// The rules and the number of seats.
    pub game: Arc<Game>,
    /// Who plays; at least two.
    pub agents: &'a [Player],
    /// How many deals, at most.
    pub deals: u64,
    /// Fixes the deals and all random numbers.
    pub seed: u64,
    /// Whether a pairing stops as soon as it is separated, by [`Boundary`]. All intervals of the
    /// cross table are then such as hold at every look.
    pub until_separated: bool,
}

/// The statistics of all pairings so far.
struct PairStats {
    /// The gain of a hero (row) over a field (column).
    cells: Vec<Mean>,
    /// Half the difference between the two ways of a pairing, for row < column.
    advantages: Vec<Mean>,
}

impl Ladder<'_> {
    /// Plays the ladder. `done` is called with a number of deals whenever as many more have been
    /// played, from any thread.
    ///
    /// # Panics
    /// If there are fewer than two agents.
    pub fn run(&self, done: impl Fn(u64) + Sync) -> LadderReport {
        let count = self.agents.len();
        assert!(count >= 2, "a ladder has at least two agents");
        let empty = vec![Mean::default(); count * count];
        let mut measured = PairStats { cells: empty.clone(), advantages: empty };
        let mut blocks = Blocks::new(count, self.deals);
        let mut mixed = MixedDeals::new(count, self.game.players());
        let mut playing = Pairs::all(count);
        let boundary = Boundary::new(LEVEL / playing.len() as f64);
        let seed = Seed::new(self.seed);
        let mut next = 0;
        while next < self.deals && !playing.is_empty() {
            let end = self.deals.min(next + CHUNK * CHUNKS_A_ROUND);
            let play = |deals: Range<u64>| {
                let deal_count = deals.end - deals.start;
                let played = play::chunk(&self.game, seed, deals, self.agents, &playing);
                done(deal_count);
                played
            };
            run_chunks(next..end, play, |chunk| {
                measured.take(count, &chunk);
                for deal in &chunk {
                    blocks.add(&deal.cells);
                    mixed.add(deal);
                }
            });
            if self.until_separated {
                playing.keep(|(row, column)| {
                    !boundary.separates(&measured.advantages[row * count + column])
                });
            }
            next = end;
        }
        self.report(&measured, &blocks, &mixed, &boundary, next)
    }

    fn report(
        &self,
        measured: &PairStats,
        blocks: &Blocks,
        mixed: &MixedDeals,
        boundary: &Boundary,
        deals: u64,
    ) -> LadderReport {
        let count = self.agents.len();
        let name = |agent: usize| self.agents[agent].name().to_owned();
        // An interval that holds at one look is too narrow after a stop that looked at it.
        let always = Boundary::new(LEVEL);
        let estimate = |mean: &Mean| {
            if self.until_separated {
                Estimate { mean: mean.average(), ci95: always.radius(mean) }
            } else {
                mean.estimate()
            }
        };
        let mut cells = Vec::new();
        let mut pairings = Vec::new();
        for row in 0..count {
            for column in (0..count).filter(|&column| column != row) {
                let mean = &measured.cells[row * count + column];
                let gain = estimate(mean);
                cells.push(CrossTableEntry {
                    hero: name(row),
                    field: name(column),
                    deals: mean.count(),
                    gain: gain.mean,
                    ci95: gain.ci95,
                    separated: gain.separated(),
                });
                if row < column {
                    let mean = &measured.advantages[row * count + column];
                    let advantage = estimate(mean);
                    let separated = if self.until_separated {
                        boundary.separates(mean)
                    } else {
                        advantage.separated()
                    };
                    pairings.push(Pairing {
                        first: name(row),
                        second: name(column),
                        deals: mean.count(),
                        advantage: advantage.mean,
                        ci95: advantage.ci95,
                        separated,
                    });
                }
            }
        }
        let root = Seed::new(self.seed).child(u64::MAX);
        let chips = blocks.ratings(root.child(0));
        let mixed_chips = mixed.ratings(root.child(1));
        let weng_lin = mixed.weng_lin(root.child(2));
        let mut ranking: Vec<Rating> = (0..count)
            .map(|agent| Rating {
                agent: name(agent),
                chips: chips[agent],
                mixed: mixed_chips[agent],
                weng_lin: weng_lin[agent],
            })
            .collect();
        ranking.sort_by(|a, b| b.chips.mean.total_cmp(&a.chips.mean));
        LadderReport {
            rules: self.game.rules().title().into(),
            players: self.game.players(),
            deals,
            seed: self.seed,
            until_separated: self.until_separated,
            error_rate: self.until_separated.then_some(LEVEL),
            ranking,
            cells,
            pairings,
            seconds: 0.0,
        }
    }
}

impl PairStats {
    /// Takes in a chunk; joined chunk by chunk, as a [`Duel`](crate::Duel) does, for the same bits.
    fn take(&mut self, count: usize, chunk: &[Played]) {
        let join = |into: &mut Mean, values: &mut dyn Iterator<Item = f64>| {
            into.join(&values.collect());
        };
        for row in 0..count {
            for column in (0..count).filter(|&column| column != row) {
                let (there, back) = (row * count + column, column * count + row);
                let gains = |cell: usize| chunk.iter().filter_map(move |deal| deal.cells[cell]);
                join(&mut self.cells[there], &mut gains(there));
                if row < column {
                    let mut halves = gains(there).zip(gains(back)).map(|(a, b)| (a - b) / 2.0);
                    join(&mut self.advantages[there], &mut halves);
                }
            }
        }
    }
}
