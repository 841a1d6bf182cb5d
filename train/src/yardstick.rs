//! How good the policy is, in chips: duels while it trains.
//!
//! The policy, which plays its likeliest choice, takes each seat in turn at a table of one other
//! agent; the same deals are also played by that agent in all seats, and what counts is the
//! difference in the same seat. Every measurement of a run uses the same deals, so that two of
//! them differ by what was learnt and not by the cards.

use crate::workers::Workers;
use newmarket_agents::net::{Choice, FastNet, NetAgent};
use newmarket_agents::{Agent, Table};
use newmarket_env::{Game, Seed};
use std::sync::Arc;

/// Deals that a worker takes at a time.
const PIECE: usize = 25;

/// What a measurement came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Yardstick {
    /// At whose table.
    pub against: String,
    /// Chips a deal that the policy gains over it in the same seat.
    pub gain: f64,
    /// Half the width of the 95 % interval of `gain`, from the spread over deals.
    pub ci95: f64,
    /// Share of deals in which the policy went out first; a fair share is one in so many players.
    pub wins: f64,
    /// Deals that were compared, each with the policy in every seat in turn.
    pub deals: usize,
}

/// Measures a policy against an agent, the deals shared out evenly among the games.
pub fn measure(
    games: &[Arc<Game>],
    policy: &Arc<FastNet>,
    against: &dyn Agent,
    deals: usize,
    seed: Seed,
    workers: &Workers,
) -> Yardstick {
    let pieces = deals.div_ceil(PIECE);
    let parts = workers.map(pieces, |piece| {
        let mut hero = NetAgent::new("policy", policy.clone(), Choice::Greedy);
        let mut field = against.another();
        let mut tables: Vec<Table> = games.iter().cloned().map(Table::new).collect();
        (piece * PIECE..deals.min((piece + 1) * PIECE))
            .map(|deal| {
                let (mut gain, mut wins, mut seats) = (0.0, 0.0, 0.0);
                let table = &mut tables[deal % games.len()];
                table.duel(seed.child(deal as u64), &mut hero, &mut *field, |paired| {
                    gain += f64::from(paired.gain());
                    wins += f64::from(u8::from(paired.hero_won()));
                    seats += 1.0;
                });
                (gain / seats, wins / seats)
            })
            .collect::<Vec<(f64, f64)>>()
    });
    let each: Vec<(f64, f64)> = parts.into_iter().flatten().collect();
    let n = each.len().max(1) as f64;
    let gain = each.iter().map(|deal| deal.0).sum::<f64>() / n;
    let variance =
        each.iter().map(|deal| (deal.0 - gain).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    Yardstick {
        against: against.name().into(),
        gain,
        ci95: 1.96 * (variance / n).sqrt(),
        wins: each.iter().map(|deal| deal.1).sum::<f64>() / n,
        deals: each.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use newmarket_agents::net::{NetConfig, Weights};
    use newmarket_agents::thumb::Thumb;
    use newmarket_env::{Action, Observation, Rules};

    fn game(players: usize) -> Arc<Game> {
        let rules = Rules::named("newmarket").expect("the default game");
        Arc::new(Game::new(rules, players).expect("seats them"))
    }

    fn fresh() -> Arc<FastNet> {
        let shape = NetConfig { inputs: Observation::LEN, hidden: vec![8], actions: Action::COUNT };
        Arc::new(FastNet::new(&Weights::init(&shape, 1)))
    }

    #[test]
    fn the_number_of_workers_changes_nothing() {
        let thumb = Thumb::named("longest").expect("a rule");
        let measured = [1, 3].map(|count| {
            let workers = Workers::new(count).expect("threads");
            measure(&[game(3), game(5)], &fresh(), &thumb, 60, Seed::new(5), &workers)
        });
        assert_eq!(measured[0], measured[1]);
        assert_eq!(measured[0].deals, 60);
    }

    /// The interval is a promise about repetition: over many seeds it must hold the true gain, here
    /// that of many deals, about as often as it says.
    #[test]
    fn the_interval_holds_what_it_promises() {
        let workers = Workers::new(2).expect("threads");
        let thumb = Thumb::named("longest").expect("a rule");
        let (game, policy) = ([game(3)], fresh());
        let measure =
            |deals, seed| measure(&game, &policy, &thumb, deals, Seed::new(seed), &workers);
        let truth = measure(20_000, 1).gain;
        let held = (0..100).filter(|seed| {
            let measured = measure(100, 1000 + seed);
            (measured.gain - truth).abs() < measured.ci95
        });
        let held = held.count();
        assert!((87..=99).contains(&held), "{held} of 100");
    }

    #[test]
    fn a_policy_that_knows_nothing_gains_nothing_to_speak_of() {
        let workers = Workers::new(1).expect("threads");
        let thumb = Thumb::named("stopper").expect("a rule");
        let measured = measure(&[game(4)], &fresh(), &thumb, 300, Seed::new(5), &workers);
        assert!(measured.gain < measured.ci95, "{measured:?}");
        assert!(measured.ci95 > 0.0 && measured.wins > 0.1 && measured.wins < 0.4, "{measured:?}");
    }
}
