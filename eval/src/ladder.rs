//! A tournament of all agents on the same deals: a cross table, and ratings with intervals.
//!
//! Each deal is played by copies of each agent alone, by each agent in every seat at a table of each other agent,
//! and by one random mixed line-up in every rotation. All seatings of a deal share its cards and random numbers,
//! so luck cancels in every difference. A ladder can play whole sessions instead of deals.

mod bootstrap;
mod play;
mod report;
mod sequential;
mod weng_lin;

use std::ops::Range;
use std::sync::Arc;

use newmarket_agents::Player;
use newmarket_agents::paired::{CHUNK, Estimate, Mean, SESSION_CHUNK, run_chunks_of};
use newmarket_env::{Game, Seed};

use crate::Stacks;
use bootstrap::Blocks;
use play::{Gain, Pairs, Played};
pub use report::{CrossTableEntry, Interval, LadderReport, Length, Pairing, Rating, WinGain};
pub use sequential::{Boundary, LEVEL};
use weng_lin::MixedDeals;

/// Deals or sessions between two looks at the results. Fixed, as the size of a chunk is.
const A_ROUND: u64 = 256;

/// A ladder to be played.
pub struct Ladder<'a> {
    /// The rules and the number of seats.
    pub game: Arc<Game>,
    /// The players; at least two.
    pub agents: &'a [Player],
    /// The most deals or sessions.
    pub length: Length,
    /// Fixes the deals and all random numbers.
    pub seed: u64,
    /// Whether a pairing stops as soon as [`Boundary`] separates it. All intervals of the cross table then hold
    /// at every look.
    pub until_separated: bool,
}

/// One measure, chips or wins, of all pairings so far.
struct Figure {
    value: fn(&Gain) -> f64,
    /// The gain of a hero (row) over a field (column).
    cells: Vec<Mean>,
    /// Half the difference between the two directions of a pairing, for row < column.
    advantages: Vec<Mean>,
    blocks: Blocks,
}

impl Ladder<'_> {
    /// The fewest deals or sessions: ratings have intervals.
    pub const FEWEST: u64 = 20;
    /// Deals or sessions before the first look of a ladder that stops when pairings are separated.
    pub const FIRST_LOOK: u64 = A_ROUND;

    /// Plays the ladder. Calls `done` from any thread with the number of deals or sessions just played.
    ///
    /// # Panics
    /// If there are fewer than two agents.
    pub fn run(&self, done: impl Fn(u64) + Sync) -> LadderReport {
        let count = self.agents.len();
        assert!(count >= 2, "a ladder has at least two agents");
        let (most, size) = match self.length {
            Length::Deals(most) => (most, CHUNK),
            Length::Sessions(most) => (most, SESSION_CHUNK),
        };
        let mut chips = Figure::new(|gain| gain.chips, count);
        let mut wins = Figure::new(|gain| gain.wins, count);
        let mut mixed = MixedDeals::new(count, self.game.players());
        let mut playing = Pairs::all(count);
        let boundary = Boundary::new(LEVEL / playing.len() as f64);
        let seed = Seed::new(self.seed);
        let mut next = 0;
        while next < most && !playing.is_empty() {
            let end = most.min(next + A_ROUND);
            let play = |units: Range<u64>| {
                let units_played = units.end - units.start;
                let played =
                    play::chunk(&self.game, self.length, seed, units, self.agents, &playing);
                done(units_played);
                played
            };
            run_chunks_of(size, next..end, play, |chunk| {
                chips.take(count, &chunk);
                wins.take(count, &chunk);
                for played in &chunk {
                    mixed.add(played);
                }
            });
            if self.until_separated {
                let decides = if self.is_for_wins() { &wins } else { &chips };
                playing.keep(|(row, column)| {
                    !boundary.separates(&decides.advantages[row * count + column])
                });
            }
            next = end;
        }
        self.report(&chips, &wins, &mixed, &boundary, self.length.with(next))
    }

    /// Whether the ladder plays sessions.
    fn in_sessions(&self) -> bool {
        matches!(self.length, Length::Sessions(_))
    }

    /// Whether sessions won count, rather than chips.
    fn is_for_wins(&self) -> bool {
        self.in_sessions() && Stacks::of(&self.game) == Stacks::Chips
    }

    fn report(
        &self,
        chips: &Figure,
        wins: &Figure,
        mixed: &MixedDeals,
        boundary: &Boundary,
        played: Length,
    ) -> LadderReport {
        let count = self.agents.len();
        let name = |agent: usize| self.agents[agent].name().to_owned();
        // After a stop that looked at the result, an interval for one look is too narrow.
        let always = Boundary::new(LEVEL);
        let estimate = |mean: &Mean| {
            if self.until_separated {
                Estimate { mean: mean.average(), ci95: always.radius(mean) }
            } else {
                mean.estimate()
            }
        };
        let separated = |mean: &Mean| {
            if self.until_separated { boundary.separates(mean) } else { estimate(mean).separated() }
        };
        let win_gain = |mean: &Mean, separated: bool| {
            let Estimate { mean: win_gain, ci95: win_ci95 } = estimate(mean);
            self.in_sessions().then_some(WinGain { win_gain, win_ci95, win_separated: separated })
        };
        let mut cells = Vec::new();
        let mut pairings = Vec::new();
        for row in 0..count {
            for column in (0..count).filter(|&column| column != row) {
                let (mean, won) =
                    (&chips.cells[row * count + column], &wins.cells[row * count + column]);
                let gain = estimate(mean);
                cells.push(CrossTableEntry {
                    hero: name(row),
                    field: name(column),
                    played: played.with(mean.count()),
                    gain: gain.mean,
                    ci95: gain.ci95,
                    separated: gain.separated(),
                    wins: win_gain(won, estimate(won).separated()),
                });
                if row < column {
                    let mean = &chips.advantages[row * count + column];
                    let won = &wins.advantages[row * count + column];
                    let advantage = estimate(mean);
                    pairings.push(Pairing {
                        first: name(row),
                        second: name(column),
                        played: played.with(mean.count()),
                        advantage: advantage.mean,
                        ci95: advantage.ci95,
                        separated: separated(mean),
                        wins: win_gain(won, separated(won)),
                    });
                }
            }
        }
        let root = Seed::new(self.seed).child(u64::MAX);
        let chip_ratings = chips.blocks.ratings(root.child(0));
        let weng_lin = mixed.ratings(root.child(2));
        let win_ratings = self.in_sessions().then(|| wins.blocks.ratings(root.child(3)));
        let mut ranking: Vec<Rating> = (0..count)
            .map(|agent| Rating {
                agent: name(agent),
                chips: chip_ratings[agent],
                wins: win_ratings.as_ref().map(|ratings| ratings[agent]),
                weng_lin: weng_lin[agent],
            })
            .collect();
        let merit = |rating: &Rating| match rating.wins {
            Some(wins) if self.is_for_wins() => wins.mean,
            _ => rating.chips.mean,
        };
        ranking.sort_by(|a, b| merit(b).total_cmp(&merit(a)));
        LadderReport {
            rules: self.game.rules().title().into(),
            rules_file: self.game.rules().to_file(),
            players: self.game.players(),
            played,
            bankroll: self.in_sessions().then(|| Stacks::of(&self.game)),
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

impl Figure {
    fn new(value: fn(&Gain) -> f64, count: usize) -> Self {
        let empty = vec![Mean::default(); count * count];
        Self { value, cells: empty.clone(), advantages: empty, blocks: Blocks::new(count) }
    }

    /// Adds a chunk of deals. Means are joined by chunk, as in a [`Duel`](crate::Duel), for the same bits.
    fn take(&mut self, count: usize, chunk: &[Played]) {
        let value = self.value;
        let join = |into: &mut Mean, values: &mut dyn Iterator<Item = f64>| {
            into.join(&values.collect());
        };
        for row in 0..count {
            for column in (0..count).filter(|&column| column != row) {
                let (there, back) = (row * count + column, column * count + row);
                let gains = |cell: usize| {
                    chunk.iter().filter_map(move |deal| deal.cells[cell].as_ref().map(value))
                };
                join(&mut self.cells[there], &mut gains(there));
                if row < column {
                    let mut halves = gains(there).zip(gains(back)).map(|(a, b)| (a - b) / 2.0);
                    join(&mut self.advantages[there], &mut halves);
                }
            }
        }
        for deal in chunk {
            let cells: Vec<_> = deal.cells.iter().map(|gain| gain.as_ref().map(value)).collect();
            self.blocks.add(&cells);
        }
    }
}
