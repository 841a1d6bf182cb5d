//! One deal, played by all companies that a ladder wants.

use std::ops::Range;
use std::sync::Arc;

use newmarket_agents::{Player, Table};
use newmarket_env::{Game, MAX_PLAYERS, Seed, seed};

/// The child of a deal's seed that draws the mixed company; the table has the first two.
const COMPANY: u64 = 2;

/// The pairings that still play, row < column.
#[derive(Clone, Debug)]
pub(super) struct Pairs(Vec<(usize, usize)>);

/// The results of one deal in all its seatings.
#[derive(Clone, Debug)]
pub(super) struct Played {
    /// Chips that the hero (row) gained over the field (column), mean over the seats; none where
    /// the pairing no longer plays.
    pub(super) cells: Vec<Option<f64>>,
    /// Who sat in each place of the mixed company.
    pub(super) company: Vec<usize>,
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

/// Plays these deals on one thread, with fresh copies of the agents.
pub(super) fn chunk(
    game: &Arc<Game>,
    root: Seed,
    deals: Range<u64>,
    agents: &[Player],
    pairs: &Pairs,
) -> Vec<Played> {
    let mut table = Table::new(game.clone());
    let mut agents: Vec<_> = agents.iter().map(Player::another).collect();
    let mut play = |deal| play(&mut table, game.players(), root.child(deal), &mut agents, pairs);
    deals.map(&mut play).collect()
}

fn play(
    table: &mut Table,
    players: usize,
    seed: Seed,
    agents: &mut [Player],
    pairs: &Pairs,
) -> Played {
    let count = agents.len();
    // What each agent wins in each seat among its own kind, played once for all its challengers.
    let mut alone: Vec<Option<[i32; MAX_PLAYERS]>> = vec![None; count];
    let mut cells = vec![None; count * count];
    for &(row, column) in &pairs.0 {
        for (hero, field) in [(row, column), (column, row)] {
            let base = *alone[field]
                .get_or_insert_with(|| table.play_seated(seed, agents, |_| field).payoffs);
            let mut gain = 0;
            for (seat, base) in base.iter().enumerate().take(players) {
                let seated = |at| if at == seat { hero } else { field };
                gain += table.play_seated(seed, agents, seated).payoffs[seat] - base;
            }
            cells[hero * count + field] = Some(f64::from(gain) / players as f64);
        }
    }
    let company = company(seed.child(COMPANY), count, players);
    let mut won = vec![0; players];
    for turn in 0..players {
        let place = |seat: usize| (seat + turn) % players;
        let result = table.play_seated(seed, agents, |seat| company[place(seat)]);
        for seat in 0..players {
            won[place(seat)] += result.payoffs[seat];
        }
    }
    Played { cells, company, won }
}

/// A random company in which everybody sits once before anybody sits twice.
fn company(seed: Seed, count: usize, players: usize) -> Vec<usize> {
    let mut rng = seed.rng();
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, seed::below(&mut rng, last as u32 + 1) as usize);
    }
    let mut company: Vec<usize> = order.into_iter().cycle().take(players).collect();
    // Rotations keep who sits next to whom, so the order is drawn again.
    for last in (1..players).rev() {
        company.swap(last, seed::below(&mut rng, last as u32 + 1) as usize);
    }
    company
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_company_is_as_mixed_as_can_be() {
        for (count, players) in [(2, 4), (3, 4), (5, 3), (4, 4)] {
            let mut sat = vec![0; count];
            for deal in 0..600 {
                let company = company(Seed::new(9).child(deal), count, players);
                assert_eq!(company.len(), players);
                let times = |agent| company.iter().filter(|&&sits| sits == agent).count();
                let all: Vec<usize> = (0..count).map(times).collect();
                assert!(all.iter().max().unwrap() - all.iter().min().unwrap() <= 1);
                (0..count).for_each(|agent| sat[agent] += all[agent]);
            }
            let even = 600 * players / count;
            assert!(sat.iter().all(|&times| times.abs_diff(even) < 80), "{sat:?}");
        }
    }
}
