//! The rounds in which two players are compared: deals, or whole sessions.

use crate::session_payoff::SessionPayoff;
use newmarket_agents::Player;
use newmarket_agents::paired::{
    CHUNK, DealGain, PairedDuel, PairedSessions, SESSION_CHUNK, SessionGain, chunks_of,
};
use newmarket_env::{Game, Seed};
use std::ops::Range;
use std::sync::Arc;

/// The fewest sessions between two looks at a contest.
const LEAST_SESSIONS: u64 = 32;

/// The games of a run's benchmarks, in turn, and the kind of round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arena<'a> {
    pub(crate) games: &'a [Arc<Game>],
    pub(crate) round: Round,
}

/// The unit of gains and of intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Round {
    Deal,
    Session,
}

/// The result of one round. The hero plays it once in each seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RoundGain {
    /// Chips gained over the field; for a session, its [`SessionPayoff`].
    pub(crate) chips: i32,
    /// Share of the seats in which the hero went out first, or won the session.
    pub(crate) wins: f64,
    pub(crate) players: usize,
}

impl RoundGain {
    /// Chips gained over the field, mean over the seats.
    pub(crate) fn chips_a_seat(&self) -> f64 {
        f64::from(self.chips) / self.players as f64
    }

    fn of_deal(gain: &DealGain) -> Self {
        Self { chips: gain.chips, wins: gain.win_share(), players: gain.players }
    }

    fn of_session(gain: &SessionGain, payoff: SessionPayoff) -> Self {
        let chips = match payoff {
            SessionPayoff::Chips => gain.chips as f64,
            SessionPayoff::Prize(prize) => f64::from(prize) * gain.win_gain,
        };
        let wins = (1.0 + gain.win_gain) / gain.players as f64;
        // Far more than a session can bring; shared prizes are rounded to a chip.
        let chips = chips.clamp(f64::from(i32::MIN), f64::from(i32::MAX)).round();
        Self { chips: chips as i32, wins, players: gain.players }
    }
}

impl Arena<'_> {
    /// The game of this round.
    pub(crate) fn game(&self, round: u64) -> &Game {
        &self.games[(round % self.games.len() as u64) as usize]
    }

    /// The number of rounds that have about `deals` deals.
    pub(crate) fn rounds(&self, deals: u64) -> u64 {
        match self.round {
            Round::Deal => deals,
            Round::Session => {
                let all: u64 =
                    self.games.iter().map(|game| u64::from(game.rules().session.deals)).sum();
                (deals * self.games.len() as u64).div_ceil(all.max(1))
            }
        }
    }

    /// Rounds between two looks at a contest, about `deals` deals. Sessions are few: each game gets as many as the
    /// others, and enough for a standard error.
    pub(crate) fn rounds_of_look(&self, deals: u64) -> u64 {
        match self.round {
            Round::Deal => deals,
            Round::Session => {
                self.rounds(deals).max(LEAST_SESSIONS).next_multiple_of(self.games.len() as u64)
            }
        }
    }

    /// The stake of a seat in the round of this number, in chips: the ante of a seat that does not deal, or the
    /// seat's part of the prize.
    pub(crate) fn stake(&self, round: u64) -> f64 {
        let game = self.game(round);
        let ante = f64::from(game.rules().full_ante(false).max(1));
        match (self.round, SessionPayoff::of(game)) {
            (Round::Deal, _) => ante,
            (Round::Session, SessionPayoff::Chips) => ante * f64::from(game.rules().session.deals),
            (Round::Session, SessionPayoff::Prize(prize)) => {
                f64::from(prize) / game.players() as f64
            }
        }
    }

    /// Cuts rounds into chunks of a fixed size. One thread plays a chunk.
    pub(crate) fn chunks(self, rounds: Range<u64>) -> Vec<Range<u64>> {
        let size = match self.round {
            Round::Deal => CHUNK,
            Round::Session => SESSION_CHUNK,
        };
        chunks_of(size, rounds).collect()
    }

    /// Plays these rounds on one thread.
    pub(crate) fn play(
        &self,
        hero: &Player,
        field: &Player,
        seed: Seed,
        rounds: Range<u64>,
    ) -> Vec<RoundGain> {
        let games = self.games;
        match self.round {
            Round::Deal => {
                let played = PairedDuel { games, hero, field, seed }.play(rounds);
                played.iter().map(RoundGain::of_deal).collect()
            }
            Round::Session => {
                let played = PairedSessions { games, hero, field, seed }.play(rounds.clone());
                let payoffs = rounds.map(|round| SessionPayoff::of(self.game(round)));
                played
                    .iter()
                    .zip(payoffs)
                    .map(|(gain, of)| RoundGain::of_session(gain, of))
                    .collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use newmarket_agents::strategy::Strategy;
    use newmarket_env::Rules;

    fn arena(name: &str) -> [Arc<Game>; 1] {
        let rules = Rules::named(name).expect("a named game");
        [Arc::new(Game::new(rules, 4).expect("seats four"))]
    }

    #[test]
    fn a_session_counts_what_it_is_played_for() {
        let hero: Player = Strategy::named("stopper").expect("a rule").into();
        let field: Player = Strategy::named("longest").expect("a rule").into();
        // Four seats with twelve chips each: the winner has 48.
        for (name, prize) in [("newmarket", None), ("four-horses", Some(48.0))] {
            let games = arena(name);
            let arena = Arena { games: &games, round: Round::Session };
            let duel =
                PairedSessions { games: &games, hero: &hero, field: &field, seed: Seed::new(3) };
            let sessions = duel.play(0..40);
            let rounds = arena.play(&hero, &field, Seed::new(3), 0..40);
            for (session, round) in sessions.iter().zip(rounds) {
                let chips =
                    prize.map_or(session.chips as f64, |prize: f64| prize * session.win_gain);
                assert!((f64::from(round.chips) - chips).abs() <= 0.5, "{session:?} {round:?}");
                assert!((4.0 * round.wins - 1.0 - session.win_gain).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn sessions_are_as_many_as_so_many_deals_fill() {
        let games = arena("newmarket");
        let rounds = |round, deals| Arena { games: &games, round }.rounds(deals);
        assert_eq!([rounds(Round::Deal, 1000), rounds(Round::Session, 1000)], [1000, 100]);
        assert_eq!([rounds(Round::Session, 1), rounds(Round::Session, 11)], [1, 2]);
        let chunks = Arena { games: &games, round: Round::Session }.chunks(3..20);
        assert_eq!(chunks, [3..11, 11..19, 19..20]);
    }
}
