//! The Weng–Lin rating, from deals at mixed tables.
//!
//! A mixed deal is one match. An agent's score is what its seats won over all rotations, on average. Weng and
//! Lin's method (2011, the Bradley–Terry full-pair update, from `skillratings`) rates who scored more than whom.
//! That makes ratings comparable with other games, and slower to separate than chips.

use newmarket_env::{Seed, seed::below};
use rayon::prelude::*;
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

use super::play::Played;
use super::report::Interval;

/// Bootstrap resamples. Only their standard deviation is used.
const RESAMPLES: u64 = 100;

/// Deals that count as matches. The ratings have settled long before the last of them.
const MATCHES: usize = 4096;

/// The mixed deals of a ladder: `players` places each, deal after deal.
pub(super) struct MixedDeals {
    agents: usize,
    players: usize,
    /// The agent of each place.
    lineups: Vec<u16>,
    /// Chips that each place won over all rotations.
    won: Vec<i32>,
}

impl MixedDeals {
    pub(super) fn new(agents: usize, players: usize) -> Self {
        Self { agents, players, lineups: Vec::new(), won: Vec::new() }
    }

    /// Adds the next deal.
    pub(super) fn add(&mut self, deal: &Played) {
        self.lineups.extend(deal.lineup.iter().map(|&agent| agent as u16));
        self.won.extend(&deal.won);
    }

    fn len(&self) -> usize {
        self.lineups.len() / self.players
    }

    /// The agent of each place of a deal, and what the place won.
    fn deal(&self, deal: usize) -> impl Iterator<Item = (usize, f64)> {
        let places = deal * self.players..(deal + 1) * self.players;
        let lineup = self.lineups[places.clone()].iter().map(|&agent| usize::from(agent));
        lineup.zip(self.won[places].iter().map(|&won| f64::from(won)))
    }

    /// Each agent's rating; 25 before the first match. Its interval is 1.96 standard deviations of the ratings
    /// of resampled matches. A resample also draws the order of the matches, because an online method depends
    /// on it.
    pub(super) fn ratings(&self, seed: Seed) -> Vec<Interval> {
        let matches = self.len().min(MATCHES);
        let point = self.play_matches(0..matches);
        let resampled: Vec<Vec<f64>> = (0..RESAMPLES)
            .into_par_iter()
            .map(|resample| {
                let mut rng = seed.child(resample).rng();
                let mut draw = || below(&mut rng, matches as u32) as usize;
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
            let rank = |score: f64| 1 + present.iter().filter(|(_, other)| *other > score).count();
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
            let lineup: Vec<usize> = (0..4).map(|place| (place + deal) % 3).collect();
            let won = (lineup.iter())
                .map(|&agent| 4 * (2 * (2 - agent as i32) + (unit(&mut rng) * 6.0) as i32))
                .collect();
            mixed.add(&Played { cells: Vec::new(), lineup, won });
        }
        let order = mixed.ratings(Seed::new(1));
        assert!(order[0].low > order[1].high && order[1].low > order[2].high, "{order:?}");
    }
}
