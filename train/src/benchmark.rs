//! Benchmarks: the strength of the policy during training, in chips a round. A round is a deal, or a
//! session where all episodes are sessions.
//!
//! The policy plays as its checkpoint says and takes each seat in turn at a table of one benchmark
//! opponent. That opponent also plays the same rounds in all seats. The gain of the policy is the
//! difference between both in the same seat. All benchmarks of a run use the same rounds, so the
//! difference of two benchmarks does not depend on the cards.

mod arena;
mod contest;
mod history;

use arena::RoundGain;
pub(crate) use arena::{Arena, Round};
pub(crate) use contest::Contest;
pub use history::BenchmarkChange;
pub(crate) use history::BenchmarkHistory;

use crate::workers::Workers;
use newmarket_agents::Player;
use newmarket_agents::net::{NetAgent, Plays};
use newmarket_agents::paired::{Estimate, Mean};
use newmarket_env::{Game, Seed};
use newmarket_net::{QuantisedNet, Weights};
use std::sync::Arc;

/// The result at one opponent's table.
#[derive(Clone, Debug, PartialEq)]
pub struct Benchmark {
    /// The benchmark opponent.
    pub against: String,
    /// The gain over the opponent in the same seat: chips a deal, or the
    /// [`SessionPayoff`](crate::SessionPayoff) of a session.
    pub gain: f64,
    /// Half the width of the 95 % interval of `gain`, from the spread over rounds.
    pub ci95: f64,
    /// Share of deals in which the policy went out first, or of sessions that it won; ties are shared.
    /// An average player has one over the number of players.
    pub wins: f64,
    /// Chips that the policy gained in each round, summed over all seats.
    pub chips: Vec<i32>,
}

/// The player of a policy with these weights, which chooses like this.
pub(crate) fn player(weights: &Weights, plays: Plays) -> Player {
    NetAgent::new("policy", Arc::new(QuantisedNet::new(weights)), plays.into()).into()
}

/// Benchmarks a policy against an agent in about `deals` deals; all games get equal shares.
pub(crate) fn measure(
    arena: Arena<'_>,
    hero: &Player,
    against: &Player,
    deals: u64,
    seed: Seed,
    workers: &Workers,
) -> Benchmark {
    let chunks = arena.chunks(0..arena.rounds(deals));
    let played =
        workers.map(chunks.len(), |nth| arena.play(hero, against, seed, chunks[nth].clone()));
    let (mut chips, mut wins) = (Mean::default(), Mean::default());
    for chunk in &played {
        chips.join(&chunk.iter().map(RoundGain::chips_a_seat).collect());
        wins.join(&chunk.iter().map(|round| round.wins).collect());
    }
    let Estimate { mean: gain, ci95 } = chips.estimate();
    let chips = played.iter().flatten().map(|round| round.chips).collect();
    Benchmark { against: against.name().into(), gain, ci95, wins: wins.average(), chips }
}

/// The paired difference of two benchmarks on the same rounds, in chips a round.
fn change(games: &[Arc<Game>], now: &[i32], then: &[i32]) -> Estimate {
    let seats = games.iter().map(|game| game.players() as f64).cycle();
    let differences = now.iter().zip(then).map(|(now, then)| f64::from(now - then));
    let mean: Mean = differences.zip(seats).map(|(sum, seats)| sum / seats).collect();
    mean.estimate()
}

#[cfg(test)]
mod tests {
    use super::*;
    use newmarket_agents::strategy::Strategy;
    use newmarket_env::{Action, Observation, Rules};
    use newmarket_net::NetConfig;

    fn game(players: usize) -> Arc<Game> {
        let rules = Rules::named("newmarket").expect("the default game");
        Arc::new(Game::new(rules, players).expect("seats them"))
    }

    fn arena(games: &[Arc<Game>]) -> Arena<'_> {
        Arena { games, round: Round::Deal }
    }

    fn fresh() -> Player {
        let shape = NetConfig { inputs: Observation::LEN, hidden: vec![8], actions: Action::COUNT };
        player(&Weights::init(&shape, 1), Plays::LIKELIEST)
    }

    #[test]
    fn the_number_of_workers_changes_nothing() {
        let heuristic: Player = Strategy::named("longest").expect("a rule").into();
        for (round, deals) in [(Round::Deal, 60), (Round::Session, 600)] {
            let games = [game(3), game(5)];
            let measured = [1, 3].map(|count| {
                let workers = Workers::new(count).expect("threads");
                let arena = Arena { games: &games, round };
                measure(arena, &fresh(), &heuristic, deals, Seed::new(5), &workers)
            });
            assert_eq!(measured[0], measured[1]);
            assert_eq!(measured[0].chips.len(), 60);
        }
    }

    /// Over many seeds the interval must hold the true gain about as often as it claims. The true gain
    /// is that of many deals.
    #[test]
    fn the_interval_holds_what_it_promises() {
        let workers = Workers::new(2).expect("threads");
        let heuristic: Player = Strategy::named("longest").expect("a rule").into();
        let (game, policy) = ([game(3)], fresh());
        let measure = |deals, seed| {
            measure(arena(&game), &policy, &heuristic, deals, Seed::new(seed), &workers)
        };
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
        let change = change(&[game(4)], &[7], &[3]);
        assert_eq!((change.mean, change.ci95), (1.0, f64::INFINITY));
    }

    #[test]
    fn a_policy_that_knows_nothing_gains_nothing_to_speak_of() {
        let workers = Workers::new(1).expect("threads");
        let heuristic: Player = Strategy::named("stopper").expect("a rule").into();
        let measured =
            measure(arena(&[game(4)]), &fresh(), &heuristic, 300, Seed::new(5), &workers);
        assert!(measured.gain < measured.ci95, "{measured:?}");
        assert!(measured.ci95 > 0.0 && measured.wins > 0.1 && measured.wins < 0.4, "{measured:?}");
    }
}
