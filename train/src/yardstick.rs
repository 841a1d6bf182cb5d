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
    /// Chips gained in each deal, summed over its seats, in each of which the policy sat in turn.
    pub chips: Vec<i32>,
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
                let (mut chips, mut wins) = (0, 0);
                let table = &mut tables[deal % games.len()];
                table.duel(seed.child(deal as u64), &mut hero, &mut *field, |paired| {
                    chips += paired.gain();
                    wins += i32::from(paired.hero_won());
                });
                (chips, wins)
            })
            .collect::<Vec<(i32, i32)>>()
    });
    let (chips, wins): (Vec<i32>, Vec<i32>) = parts.into_iter().flatten().unzip();
    let (gain, ci95) = mean(&a_seat(games, &chips));
    let (wins, _) = mean(&a_seat(games, &wins));
    Yardstick { against: against.name().into(), gain, ci95, wins, chips }
}

/// What a measurement brings over an earlier one on the same deals, in chips a deal, and half the
/// width of its 95 % interval.
pub(crate) fn change(games: &[Arc<Game>], now: &[i32], then: &[i32]) -> (f64, f64) {
    let differences: Vec<i32> = now.iter().zip(then).map(|(now, then)| now - then).collect();
    mean(&a_seat(games, &differences))
}

/// Sums over the seats of each deal as means over them.
fn a_seat(games: &[Arc<Game>], sums: &[i32]) -> Vec<f64> {
    let seats = games.iter().map(|game| game.players() as f64).cycle();
    sums.iter().zip(seats).map(|(sum, seats)| f64::from(*sum) / seats).collect()
}

/// The mean, and half the width of its 95 % interval; a single deal says nothing of its spread.
fn mean(deals: &[f64]) -> (f64, f64) {
    let n = deals.len() as f64;
    let mean = deals.iter().sum::<f64>() / n.max(1.0);
    if n < 2.0 {
        return (mean, f64::INFINITY);
    }
    let variance = deals.iter().map(|deal| (deal - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, 1.96 * (variance / n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use newmarket_agents::heuristic::Heuristic;
    use newmarket_agents::net::{NetConfig, Weights};
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
        let heuristic = Heuristic::named("longest").expect("a rule");
        let measured = [1, 3].map(|count| {
            let workers = Workers::new(count).expect("threads");
            measure(&[game(3), game(5)], &fresh(), &heuristic, 60, Seed::new(5), &workers)
        });
        assert_eq!(measured[0], measured[1]);
        assert_eq!(measured[0].chips.len(), 60);
    }

    /// The interval is a promise about repetition: over many seeds it must hold the true gain, here
    /// that of many deals, about as often as it says.
    #[test]
    fn the_interval_holds_what_it_promises() {
        let workers = Workers::new(2).expect("threads");
        let heuristic = Heuristic::named("longest").expect("a rule");
        let (game, policy) = ([game(3)], fresh());
        let measure =
            |deals, seed| measure(&game, &policy, &heuristic, deals, Seed::new(seed), &workers);
        let truth = measure(20_000, 1).gain;
        let held = (0..100).filter(|seed| {
            let measured = measure(100, 1000 + seed);
            (measured.gain - truth).abs() < measured.ci95
        });
        let held = held.count();
        assert!((87..=99).contains(&held), "{held} of 100");
    }

    #[test]
    fn a_single_deal_promises_nothing() {
        assert_eq!(change(&[game(4)], &[7], &[3]), (1.0, f64::INFINITY));
    }

    #[test]
    fn a_policy_that_knows_nothing_gains_nothing_to_speak_of() {
        let workers = Workers::new(1).expect("threads");
        let heuristic = Heuristic::named("stopper").expect("a rule");
        let measured = measure(&[game(4)], &fresh(), &heuristic, 300, Seed::new(5), &workers);
        assert!(measured.gain < measured.ci95, "{measured:?}");
        assert!(measured.ci95 > 0.0 && measured.wins > 0.1 && measured.wins < 0.4, "{measured:?}");
    }
}
