//! Paired statistics: who plays better, on duplicate deals, with an interval.
//!
//! ```text
//! PairedDuel     -> DealGain (one a deal)       -> PairedGains  -> Estimate
//! PairedSessions -> SessionGain (one a session) -> SessionGains -> Estimate
//! ```
//!
//! A hero takes each seat in turn at a table of a field. The field also plays the same deals in all
//! seats. Only the difference in the same seat counts, so most of the luck of the cards cancels.
//! Deals are played in chunks of a fixed size, and the chunks are joined in their order: the result
//! has the same bits for any number of threads.

mod chunks;
mod mean;
mod sessions;

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::array;
use core::ops::Range;

use newmarket_env::{Game, MAX_PLAYERS, Seed};

use crate::{Player, Table};
pub use chunks::{CHUNK, chunks_of, run_chunks, run_chunks_of};
pub use mean::{Estimate, Mean, plus_minus, student_t95, widening};
pub use sessions::{PairedSessions, SESSION_CHUNK, SessionGain, SessionGains};

/// A hero, a field, and the deals on which they are compared.
#[derive(Clone, Copy)]
pub struct PairedDuel<'a> {
    /// Rules and tables. Deal `i` is played at table `i % games.len()`.
    pub games: &'a [Arc<Game>],
    /// The player that is measured.
    pub hero: &'a Player,
    /// The player in all other seats.
    pub field: &'a Player,
    /// Fixes the deals: deal `i` has the seed `seed.child(i)`. An agent's random numbers are the
    /// same in all seatings of a deal, so an agent that plays itself gains exactly 0.
    pub seed: Seed,
}

/// The result of one deal, summed over all seatings of the hero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DealGain {
    /// Chips that the hero gained over the field, summed over its seats.
    pub chips: i32,
    /// The same by role, eldest first, the dealer last; 0 beyond `players`.
    pub by_role: [i32; MAX_PLAYERS],
    /// Seats in which the hero went out first.
    pub wins: u32,
    /// Seats at the table, and so seatings of the hero.
    pub players: usize,
}

/// The result of a duel, in chips and wins a deal and seat. The deal is the unit of the intervals:
/// its seatings share the cards and are not independent.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PairedGains {
    /// Chips that the hero gains over the field in the same seat.
    pub chips: Mean,
    /// The same by role, eldest first, the dealer last.
    pub by_role: [Mean; MAX_PLAYERS],
    /// Share of deals in which the hero goes out first; 1 in `players` is even.
    pub wins: Mean,
}

impl PairedDuel<'_> {
    /// Plays these deals on one thread, with fresh copies of the agents.
    pub fn play(&self, deals: Range<u64>) -> Vec<DealGain> {
        self.play_of([self.hero], deals).into_iter().map(|[gain]| gain).collect()
    }

    /// Plays the same deals, and compares the hero with another player in its seat rather than with the
    /// field.
    pub fn play_over(&self, other: &Player, deals: Range<u64>) -> Vec<DealGain> {
        let gain = |[hero, other]: [DealGain; 2]| DealGain {
            chips: hero.chips - other.chips,
            by_role: array::from_fn(|role| hero.by_role[role] - other.by_role[role]),
            ..hero
        };
        self.play_of([self.hero, other], deals).into_iter().map(gain).collect()
    }

    fn play_of<const HEROES: usize>(
        &self,
        heroes: [&Player; HEROES],
        deals: Range<u64>,
    ) -> Vec<[DealGain; HEROES]> {
        let (mut heroes, mut field) = (heroes.map(Player::another), self.field.another());
        let mut heroes = heroes.each_mut();
        let mut tables: Vec<Table> = self.games.iter().cloned().map(Table::new).collect();
        let play = |deal: u64| {
            let table = (deal % self.games.len() as u64) as usize;
            let players = self.games[table].players();
            let none = DealGain { chips: 0, by_role: [0; MAX_PLAYERS], wins: 0, players };
            let mut gains = [none; HEROES];
            let table = &mut tables[table];
            table.duel_of(self.seed.child(deal), &mut heroes, &mut field, |nth, paired| {
                gains[nth].chips += paired.gain();
                gains[nth].by_role[paired.seat] = paired.gain();
                gains[nth].wins += u32::from(paired.hero_won());
            });
            // From the left of the dealer on.
            let eldest = (table.dealer() + 1) % players;
            for gain in &mut gains {
                gain.by_role[..players].rotate_left(eldest);
            }
            gains
        };
        deals.map(play).collect()
    }

    /// Plays this many deals on the threads of rayon's pool. `done` is called after each chunk, from any
    /// thread, with the number of deals in it. Memory does not grow with `deals`.
    pub fn run(&self, deals: u64, done: impl Fn(u64) + Sync) -> PairedGains {
        self.run_each(None, deals, done, |_| {})
    }

    /// [`PairedDuel::run`] over another player, by [`PairedDuel::play_over`].
    pub fn run_over(&self, other: &Player, deals: u64, done: impl Fn(u64) + Sync) -> PairedGains {
        self.run_each(Some(other), deals, done, |_| {})
    }

    /// [`PairedDuel::run`] or [`PairedDuel::run_over`]. `each` is given every deal in order, on the thread of the
    /// caller.
    pub fn run_each(
        &self,
        over: Option<&Player>,
        deals: u64,
        done: impl Fn(u64) + Sync,
        mut each: impl FnMut(&DealGain),
    ) -> PairedGains {
        let mut gains = PairedGains::default();
        let play = |chunk: Range<u64>| {
            let count = chunk.end - chunk.start;
            let played = match over {
                Some(over) => self.play_over(over, chunk),
                None => self.play(chunk),
            };
            done(count);
            played
        };
        run_chunks(0..deals, play, |chunk| {
            gains.join(&chunk);
            chunk.iter().for_each(&mut each);
        });
        gains
    }
}

impl DealGain {
    /// Chips gained over the field, mean over the seats.
    pub fn chips_a_seat(&self) -> f64 {
        f64::from(self.chips) / self.players as f64
    }

    /// Share of the seats in which the hero went out first.
    pub fn win_share(&self) -> f64 {
        f64::from(self.wins) / self.players as f64
    }
}

impl PairedGains {
    /// Takes in a chunk. The bits of the result depend on where chunks begin: cut deals by
    /// [`chunks_of`], and join the chunks in their order.
    pub fn join(&mut self, chunk: &[DealGain]) {
        self.chips.join(&chunk.iter().map(DealGain::chips_a_seat).collect());
        self.wins.join(&chunk.iter().map(DealGain::win_share).collect());
        for (role, mean) in self.by_role.iter_mut().enumerate() {
            let at_role = chunk.iter().filter(|gain| role < gain.players);
            mean.join(&at_role.map(|gain| f64::from(gain.by_role[role])).collect());
        }
    }
}
