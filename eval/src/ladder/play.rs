//! One deal or session, played in all seatings of a ladder.

use std::ops::Range;
use std::sync::Arc;

use newmarket_agents::{Player, SessionResult, Table, play_session};
use newmarket_env::{Game, Seats, Seed, seed};

use super::report::Length;

/// The child of a deal's seed that draws the mixed line-up. The table uses the first two children. A session
/// draws its lots from children of this one.
const LINEUP: u64 = 2;

/// The pairings that still play, row < column.
#[derive(Clone, Debug)]
pub(super) struct Pairs(Vec<(usize, usize)>);

/// What a hero gained over a field, mean over the seats.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Gain {
    pub(super) chips: f64,
    /// Share of a session won; 0 for a deal.
    pub(super) wins: f64,
}

/// The results of one deal or session in all its seatings.
#[derive(Clone, Debug)]
pub(super) struct Played {
    /// What the hero (row) gained over the field (column); `None` where the pairing no longer plays.
    pub(super) cells: Vec<Option<Gain>>,
    /// The agent in each place of the mixed line-up.
    pub(super) lineup: Vec<usize>,
    /// Chips that each place won, over all rotations.
    pub(super) won: Vec<i32>,
}

impl Pairs {
    pub(super) fn all(count: usize) -> Self {
        let rows = 0..count;
        Self(rows.flat_map(|row| (row + 1..count).map(move |column| (row, column))).collect())
    }

    pub(super) fn keep(&mut self, keep: impl Fn((usize, usize)) -> bool) {
        self.0.retain(|&pair| keep(pair));
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Plays these deals or sessions on one thread, with fresh copies of the agents.
pub(super) fn chunk(
    game: &Arc<Game>,
    length: Length,
    root: Seed,
    units: Range<u64>,
    agents: &[Player],
    pairs: &Pairs,
) -> Vec<Played> {
    let mut table = Table::new(game.clone());
    let mut agents: Vec<_> = agents.iter().map(Player::another).collect();
    let count = agents.len();
    units
        .map(|unit| {
            let seed = root.child(unit);
            let sit = |seated: &dyn Fn(usize) -> usize| match length {
                Length::Deals(_) => alone(&mut table, seed, &mut agents, seated),
                Length::Sessions(_) => play_session(game, seed, &mut agents, seated),
            };
            play(sit, count, game.players(), seed, pairs)
        })
        .collect()
}

/// A single deal, as a session without a winner.
fn alone(
    table: &mut Table,
    seed: Seed,
    agents: &mut [Player],
    seated: &dyn Fn(usize) -> usize,
) -> SessionResult {
    let payoffs = table.play_seated(seed, agents, seated).payoffs;
    SessionResult { payoffs, winners: Seats::NONE, deals: 1 }
}

/// Plays all seatings of one deal or session. `sit` plays one seating, given the agent of each seat.
fn play(
    mut sit: impl FnMut(&dyn Fn(usize) -> usize) -> SessionResult,
    count: usize,
    players: usize,
    seed: Seed,
    pairs: &Pairs,
) -> Played {
    // The result of each agent at a table of its own copies: played once, used by all its pairings.
    let mut alone: Vec<Option<SessionResult>> = vec![None; count];
    let mut cells = vec![None; count * count];
    for &(row, column) in &pairs.0 {
        for (hero, field) in [(row, column), (column, row)] {
            let base = *alone[field].get_or_insert_with(|| sit(&|_| field));
            let (mut chips, mut wins) = (0, 0.0);
            for seat in 0..players {
                let result = sit(&|other| if other == seat { hero } else { field });
                chips += i64::from(result.payoffs[seat]) - i64::from(base.payoffs[seat]);
                wins += result.share(seat) - base.share(seat);
            }
            let seats = players as f64;
            cells[hero * count + field] =
                Some(Gain { chips: chips as f64 / seats, wins: wins / seats });
        }
    }
    let lineup = lineup(seed.child(LINEUP), count, players);
    let mut won = vec![0_i32; players];
    for turn in 0..players {
        let place = |seat: usize| (seat + turn) % players;
        let result = sit(&|seat| lineup[place(seat)]);
        for (seat, payoff) in result.payoffs.into_iter().enumerate().take(players) {
            won[place(seat)] = won[place(seat)].saturating_add(payoff);
        }
    }
    Played { cells, lineup, won }
}

/// A random line-up in which each agent sits once before any agent sits twice.
fn lineup(seed: Seed, count: usize, players: usize) -> Vec<usize> {
    let mut rng = seed.rng();
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, seed::below(&mut rng, last as u32 + 1) as usize);
    }
    let mut lineup: Vec<usize> = order.into_iter().cycle().take(players).collect();
    // Rotations keep neighbours together, so the order is drawn again.
    for last in (1..players).rev() {
        lineup.swap(last, seed::below(&mut rng, last as u32 + 1) as usize);
    }
    lineup
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lineup_is_as_mixed_as_can_be() {
        for (count, players) in [(2, 4), (3, 4), (5, 3), (4, 4)] {
            let mut sat = vec![0; count];
            for deal in 0..600 {
                let lineup = lineup(Seed::new(9).child(deal), count, players);
                assert_eq!(lineup.len(), players);
                let times = |agent| lineup.iter().filter(|&&sits| sits == agent).count();
                let all: Vec<usize> = (0..count).map(times).collect();
                assert!(all.iter().max().unwrap() - all.iter().min().unwrap() <= 1);
                (0..count).for_each(|agent| sat[agent] += all[agent]);
            }
            let even = 600 * players / count;
            assert!(sat.iter().all(|&times| times.abs_diff(even) < 80), "{sat:?}");
        }
    }
}
