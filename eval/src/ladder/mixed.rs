//! Ratings from mixed tables: in chips by least squares, and by Weng and Lin's method.
//!
//! A mixed deal is one match: every place's score is what it won over all rotations. Weng–Lin (2011,
//! the Bradley–Terry full-pair update, from `skillratings`) rates who was ahead of whom; that makes
//! it comparable with other games, and slower to separate than chips are.

use newmarket_env::Seed;
use rayon::prelude::*;
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

use super::bootstrap::{percentiles, weights};
use super::play::Played;
use super::report::Interval;

/// Resamples for the rating in chips.
const RESAMPLES: u64 = 1000;

/// Resamples for Weng–Lin, of which only the standard deviation is used.
const RESAMPLES_OF_ORDER: u64 = 100;

/// Deals that the online method is given: its uncertainty has long settled by then.
const MATCHES: usize = 4096;

/// The mixed deals of a ladder, in few bytes each.
pub(super) struct MixedDeals {
    agents: usize,
    players: usize,
    company: Vec<u16>,
    won: Vec<i32>,
}

/// The normal equations of a least-squares fit.
#[derive(Clone)]
struct Equations {
    left: Vec<f64>,
    right: Vec<f64>,
}

impl MixedDeals {
    pub(super) fn new(agents: usize, players: usize) -> Self {
        Self { agents, players, company: Vec::new(), won: Vec::new() }
    }

    /// Takes in the next deal.
    pub(super) fn add(&mut self, deal: &Played) {
        self.company.extend(deal.company.iter().map(|&agent| agent as u16));
        self.won.extend(&deal.won);
    }

    fn len(&self) -> usize {
        self.company.len() / self.players
    }

    /// The agent of each place of a deal, and what it won in all rotations.
    fn deal(&self, deal: usize) -> impl Iterator<Item = (usize, f64)> + Clone {
        let places = deal * self.players..(deal + 1) * self.players;
        let company = self.company[places.clone()].iter().map(|&agent| usize::from(agent));
        company.zip(self.won[places].iter().map(|&won| f64::from(won)))
    }

    /// Everybody's rating, in chips a deal at a mixed table; they sum to 0.
    pub(super) fn ratings(&self, seed: Seed) -> Vec<Interval> {
        let size = super::bootstrap::size(self.len());
        let blocks: Vec<Equations> = (0..self.len())
            .step_by(size)
            .map(|start| self.equations(start..self.len().min(start + size)))
            .collect();
        let point = self.solve(&blocks, &vec![1.0; blocks.len()]);
        let resampled: Vec<Vec<f64>> = (0..RESAMPLES)
            .into_par_iter()
            .map(|resample| {
                self.solve(&blocks, &weights(&mut seed.child(resample).rng(), blocks.len()))
            })
            .collect();
        percentiles(&point, &resampled)
    }

    /// Fits `won − table's mean = rating − table's mean rating`.
    fn equations(&self, deals: std::ops::Range<usize>) -> Equations {
        let n = self.agents;
        let (mut left, mut right) = (vec![0.0; n * n], vec![0.0; n]);
        let places = self.players as f64;
        for deal in deals {
            let mean = self.deal(deal).map(|(_, won)| won).sum::<f64>() / places;
            for (agent, won) in self.deal(deal) {
                left[agent * n + agent] += 1.0;
                right[agent] += (won - mean) / places;
                for (other, _) in self.deal(deal) {
                    left[agent * n + other] -= 1.0 / places;
                }
            }
        }
        Equations { left, right }
    }

    /// The solution that sums to 0, by Gauss and Jordan with pivoting.
    fn solve(&self, blocks: &[Equations], weights: &[f64]) -> Vec<f64> {
        let n = self.agents;
        // Ratings are fixed up to a constant; a constant matrix asks for the sum 0. Its size, that
        // of the rest, keeps the system well conditioned.
        let scale = weights.iter().sum::<f64>() / n as f64;
        let (mut left, mut right) = (vec![scale; n * n], vec![0.0; n]);
        for (block, &weight) in blocks.iter().zip(weights) {
            left.iter_mut().zip(&block.left).for_each(|(sum, value)| *sum += weight * value);
            right.iter_mut().zip(&block.right).for_each(|(sum, value)| *sum += weight * value);
        }
        for column in 0..n {
            let size = |row: &usize| left[row * n + column].abs();
            let pivot = (column..n).max_by(|a, b| size(a).total_cmp(&size(b))).expect("a row");
            if left[pivot * n + column].abs() < 1e-9 {
                // An agent that no resampled deal has: nothing is known of it.
                continue;
            }
            (0..n).for_each(|at| left.swap(pivot * n + at, column * n + at));
            right.swap(pivot, column);
            for row in (0..n).filter(|&row| row != column) {
                let factor = left[row * n + column] / left[column * n + column];
                (0..n).for_each(|at| left[row * n + at] -= factor * left[column * n + at]);
                right[row] -= factor * right[column];
            }
        }
        (0..n)
            .map(|row| match left[row * n + row] {
                pivot if pivot.abs() < 1e-9 => 0.0,
                pivot => right[row] / pivot,
            })
            .collect()
    }

    /// Everybody's Weng–Lin rating, from 25 before the first match. Its interval is 1.96 standard
    /// deviations of ratings of resampled matches, which also carry the order of the matches, on
    /// which an online method depends.
    pub(super) fn weng_lin(&self, seed: Seed) -> Vec<Interval> {
        let matches = self.len().min(MATCHES);
        let point = self.play_matches(0..matches);
        let resampled: Vec<Vec<f64>> = (0..RESAMPLES_OF_ORDER)
            .into_par_iter()
            .map(|resample| {
                let mut rng = seed.child(resample).rng();
                let mut draw = || newmarket_env::seed::below(&mut rng, matches as u32) as usize;
                self.play_matches((0..matches).map(|_| draw()))
            })
            .collect();
        (0..self.agents)
            .map(|agent| {
                let mut spread = newmarket_agents::paired::Mean::default();
                for ratings in &resampled {
                    spread.add(ratings[agent]);
                }
                let radius = 1.96 * spread.deviation();
                let mean = point[agent];
                Interval { mean, low: mean - radius, high: mean + radius }
            })
            .collect()
    }

    fn play_matches(&self, deals: impl Iterator<Item = usize>) -> Vec<f64> {
        let config = WengLinConfig::new();
        let mut ratings = vec![WengLinRating::new(); self.agents];
        for deal in deals {
            // Places of the same agent are one team, with their mean score.
            let mut scores = vec![(0.0, 0.0); self.agents];
            for (agent, won) in self.deal(deal) {
                scores[agent].0 += won;
                scores[agent].1 += 1.0;
            }
            let present: Vec<(usize, f64)> = (scores.iter().enumerate())
                .filter(|(_, score)| score.1 > 0.0)
                .map(|(agent, score)| (agent, score.0 / score.1))
                .collect();
            let rank = |mine: f64| 1 + present.iter().filter(|(_, score)| *score > mine).count();
            let teams: Vec<([WengLinRating; 1], MultiTeamOutcome)> = present
                .iter()
                .map(|&(agent, score)| ([ratings[agent]], MultiTeamOutcome::new(rank(score))))
                .collect();
            let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> =
                teams.iter().map(|(team, outcome)| (&team[..], *outcome)).collect();
            for (&(agent, _), team) in present.iter().zip(weng_lin_multi_team(&teams, &config)) {
                ratings[agent] = team[0];
            }
        }
        ratings.iter().map(|rating| rating.rating).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use newmarket_env::seed::unit;

    #[test]
    fn a_dominated_field_is_rated_in_order() {
        // Agent a wins 2·(2 − a) chips more than the last, give or take.
        let mut mixed = MixedDeals::new(3, 4);
        let mut rng = Seed::new(8).rng();
        for deal in 0..600 {
            let company: Vec<usize> = (0..4).map(|place| (place + deal) % 3).collect();
            let won = (company.iter())
                .map(|&agent| 4 * (2 * (2 - agent as i32) + (unit(&mut rng) * 6.0) as i32))
                .collect();
            mixed.add(&Played { cells: Vec::new(), company, won });
        }
        let chips = mixed.ratings(Seed::new(1));
        for (rating, truth) in chips.iter().zip([2.0, 0.0, -2.0]) {
            assert!((rating.mean - truth).abs() < 0.2, "{rating:?}");
            assert!(rating.low < truth + 0.1 && truth - 0.1 < rating.high, "{rating:?}");
        }
        let order = mixed.weng_lin(Seed::new(1));
        assert!(order[0].low > order[1].high && order[1].low > order[2].high, "{order:?}");
    }
}
