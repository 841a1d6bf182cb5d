//! Hero against field on duplicate deals.

use std::sync::Arc;
use std::time::Duration;

use newmarket_agents::Player;
use newmarket_agents::paired::PairedDuel;
use newmarket_env::{Game, Seed};
use serde::Serialize;

/// A duel: the hero in each seat in turn against a table of the field, on the same deals, each
/// deal also played by the field alone. What counts is the difference in the same seat; every
/// seat's random numbers are the same in all of these, so an agent that plays itself gains
/// exactly 0.
pub struct Duel<'a> {
    /// The rules and the table.
    pub game: Arc<Game>,
    /// Who is measured.
    pub hero: &'a Player,
    /// Against whom.
    pub field: &'a Player,
    /// How many deals; each is played `players + 1` times.
    pub deals: u64,
    /// What fixes the deals.
    pub seed: u64,
}

/// How a duel came out.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DuelReport {
    /// Who was measured.
    pub hero: String,
    /// Against whom.
    pub field: String,
    /// The rules.
    pub rules: String,
    /// Seats at the table.
    pub players: usize,
    /// Deals.
    pub deals: u64,
    /// Chips a deal that the hero gained over the field in the same seat.
    pub gain: f64,
    /// Half the width of the gain's 95 % interval.
    pub ci95: f64,
    /// Whether the interval leaves out 0.
    pub separated: bool,
    /// Share of deals in which the hero went out; 1 in `players` is even.
    pub win_share: f64,
    /// Half the width of the win share's 95 % interval.
    pub win_share_ci95: f64,
    /// How long it took.
    pub seconds: f64,
}

impl Duel<'_> {
    /// Plays it. `done` is told of every so many deals that have been played, from any thread.
    /// The time it took is the caller's to fill in, see [`DuelReport::took`].
    pub fn run(&self, done: impl Fn(u64) + Sync) -> DuelReport {
        let games = std::slice::from_ref(&self.game);
        let (hero, field) = (self.hero, self.field);
        let duel = PairedDuel { games, hero, field, seed: Seed::new(self.seed) };
        let gains = duel.run(self.deals, done);
        let (gain, win) = (gains.chips.estimate(), gains.wins.estimate());
        DuelReport {
            hero: self.hero.name().into(),
            field: self.field.name().into(),
            rules: self.game.rules().title().into(),
            players: self.game.players(),
            deals: self.deals,
            gain: gain.mean,
            ci95: gain.ci95,
            separated: gain.separated(),
            win_share: win.mean,
            win_share_ci95: win.ci95,
            seconds: 0.0,
        }
    }
}

impl DuelReport {
    /// Notes how long it took.
    #[must_use]
    pub fn took(mut self, time: Duration) -> Self {
        self.seconds = time.as_secs_f64();
        self
    }

    /// The result in one sentence.
    pub fn sentence(&self) -> String {
        let verdict = if self.separated { "" } else { " (not separated)" };
        format!(
            "{} gains {:+.3} ± {:.3} chips a deal over {}{verdict}",
            self.hero, self.gain, self.ci95, self.field
        )
    }
}
