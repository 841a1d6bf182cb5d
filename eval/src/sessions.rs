//! A hero against a field on the same sessions.

use std::sync::Arc;
use std::time::Duration;

use newmarket_agents::Player;
use newmarket_agents::paired::{PairedSessions, plus_minus};
use newmarket_env::{Game, Seed, rules::Bankroll};
use serde::Serialize;
use serde_json::{Map, Value};

/// A duel over whole sessions. The hero sits in each seat in turn, with the field in all other seats. Each session is
/// also played by the field alone. The packs, the first dealer and the lots of a session are the same in all of these.
/// The result is the difference in the same seat.
pub struct SessionDuel<'a> {
    /// The rules and the number of seats.
    pub game: Arc<Game>,
    /// The player to measure.
    pub hero: &'a Player,
    /// The player in all other seats.
    pub field: &'a Player,
    /// Number of sessions; each is played `players + 1` times.
    pub sessions: u64,
    /// Fixes the sessions and every seat's random numbers.
    pub seed: u64,
}

/// The meaning of chips in a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stacks {
    /// A score: chips gained count.
    Credit,
    /// Chips that can run out: the player with the most at the end wins.
    Chips,
}

impl Stacks {
    /// The meaning of chips in this game.
    pub fn of(game: &Game) -> Self {
        match game.rules().session.bankroll {
            Bankroll::Credit => Self::Credit,
            Bankroll::Chips { .. } => Self::Chips,
        }
    }
}

/// The result of a duel over sessions, as `newmarket duel --session --json` prints it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SessionDuelReport {
    /// The name of the agent that was measured.
    pub hero: String,
    /// The name of the agent in all other seats.
    pub field: String,
    /// The title of the rules.
    pub rules: String,
    /// The rules as a rules file, in JSON: by it and `players`, the result stands on its own.
    pub rules_file: Map<String, Value>,
    /// Seats at the table.
    pub players: usize,
    /// Sessions, each played `players + 1` times.
    pub sessions: u64,
    /// The seed of the deals and of all random numbers.
    pub seed: u64,
    /// The most deals of a session.
    pub deals: u32,
    /// Mean number of deals of the hero's sessions.
    pub deals_a_session: f64,
    /// The meaning of chips: whether chips gained or sessions won count.
    pub bankroll: Stacks,
    /// Chips a session that the hero gained over the field in the same seat.
    pub gain: f64,
    /// Half the width of the 95 % interval of `gain`.
    pub ci95: f64,
    /// Whether the interval of `gain` does not contain 0.
    pub separated: bool,
    /// `gain` divided by `deals_a_session`.
    pub gain_a_deal: f64,
    /// Share of sessions that the hero won, ties shared; 1 in `players` is even.
    pub win_share: f64,
    /// `win_share` above the field's share in the same seat, which is 1 in `players`.
    pub win_gain: f64,
    /// Half the width of the 95 % interval of `win_share` and of `win_gain`.
    pub win_ci95: f64,
    /// Whether the interval of `win_gain` does not contain 0.
    pub win_separated: bool,
    /// Wall-clock time; 0 until [`SessionDuelReport::took`] sets it.
    pub seconds: f64,
}

impl SessionDuel<'_> {
    /// Plays the duel. Calls `done` from any thread with the number of sessions just played. The caller sets the time
    /// with [`SessionDuelReport::took`].
    pub fn run(&self, done: impl Fn(u64) + Sync) -> SessionDuelReport {
        let games = std::slice::from_ref(&self.game);
        let (hero, field) = (self.hero, self.field);
        let duel = PairedSessions { games, hero, field, seed: Seed::new(self.seed) };
        let gains = duel.run(self.sessions, done);
        let (gain, win_gain) = (gains.chips.estimate(), gains.win_gain.estimate());
        let deals_a_session = gains.deals.average();
        SessionDuelReport {
            hero: hero.name().into(),
            field: field.name().into(),
            rules: self.game.rules().title().into(),
            rules_file: self.game.rules().to_file(),
            players: self.game.players(),
            sessions: self.sessions,
            seed: self.seed,
            deals: self.game.rules().session.deals,
            deals_a_session,
            bankroll: Stacks::of(&self.game),
            gain: gain.mean,
            ci95: gain.ci95,
            separated: gain.separated(),
            gain_a_deal: gain.mean / deals_a_session,
            win_share: 1.0 / self.game.players() as f64 + win_gain.mean,
            win_gain: win_gain.mean,
            win_ci95: win_gain.ci95,
            win_separated: win_gain.separated(),
            seconds: 0.0,
        }
    }
}

impl SessionDuelReport {
    /// Sets the wall-clock time.
    #[must_use]
    pub fn took(mut self, time: Duration) -> Self {
        self.seconds = time.as_secs_f64();
        self
    }

    /// The result in two sentences; the first is about what counts by [`Stacks`].
    pub fn sentences(&self) -> [String; 2] {
        let Self { hero, field, gain, .. } = self;
        let within = plus_minus(self.ci95, 3);
        let verdict = if self.separated { "" } else { " (not separated)" };
        let chips =
            format!("{hero} gains {gain:+.3} {within} chips a session over {field}{verdict}");
        let wins = format!(
            "{hero} wins {:.1} {} % of sessions (even: {:.1} %{})",
            100.0 * self.win_share,
            plus_minus(100.0 * self.win_ci95, 1),
            100.0 / self.players as f64,
            if self.win_separated { "" } else { "; not separated" }
        );
        match self.bankroll {
            Stacks::Credit => [chips, wins],
            Stacks::Chips => [wins, chips],
        }
    }
}
