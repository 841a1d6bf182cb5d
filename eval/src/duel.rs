//! A hero against a field on the same deals.

use std::sync::Arc;
use std::time::Duration;

use newmarket_agents::paired::{DealGain, Estimate, Mean, PairedDuel, plus_minus};
use newmarket_agents::strategy::DecisionKind;
use newmarket_agents::{Mixed, Player};
use newmarket_env::{Game, Seed};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::study::{Payoff, in_sessions};

/// A duel. The hero sits in each seat in turn, with the field in all other seats. Each deal is also played with the
/// field, or another player, in the hero's place. The result is the difference in the same seat. Cards and each seat's
/// random numbers are the same in all of these, so an agent gains exactly 0 over itself.
pub struct Duel<'a> {
    /// The rules and the number of seats.
    pub game: Arc<Game>,
    /// The player to measure.
    pub hero: &'a Player,
    /// The player in all other seats.
    pub field: &'a Player,
    /// Number of deals; each is played `players + 1` times.
    pub deals: u64,
    /// Fixes the deals and every seat's random numbers.
    pub seed: u64,
}

/// The result of a duel, as `newmarket duel --json` prints it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DuelReport {
    /// The name of the agent that was measured.
    pub hero: String,
    /// The name of the agent in all other seats.
    pub field: String,
    /// The name of the agent that the hero is compared with in the same seat: the field or another one.
    pub over: String,
    /// The title of the rules.
    pub rules: String,
    /// The rules as a rules file, in JSON: by it and `players`, the result stands on its own.
    pub rules_file: Map<String, Value>,
    /// Seats at the table.
    pub players: usize,
    /// Deals, each played `players + 1` times.
    pub deals: u64,
    /// The seed of the deals and of all random numbers.
    pub seed: u64,
    /// Chips a deal that the hero gained over `over`.
    pub gain: f64,
    /// Half the width of the 95 % interval of `gain`.
    pub ci95: f64,
    /// Whether the interval of `gain` does not contain 0.
    pub separated: bool,
    /// What counts as the payoff of a deal: `deal`, or `session`.
    pub payoff: &'static str,
    /// `gain` by role: first of eldest, who sits at the left of the dealer, last of the dealer.
    pub by_seat: Vec<Estimate>,
    /// What the hero gains by each kind of decision alone, if [`Duel::by_kind`] measured it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_kind: Vec<KindGain>,
    /// Share of deals in which the hero went out first; 1 in `players` is even.
    pub win_share: f64,
    /// Half the width of the 95 % interval of `win_share`.
    pub win_share_ci95: f64,
    /// Wall-clock time; 0 until [`DuelReport::took`] sets it.
    pub seconds: f64,
}

/// What the hero of a duel gains by its decisions of one kind alone.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct KindGain {
    /// The kind: `lead`, `ante`, `dead_hand` or `poker`.
    pub kind: &'static str,
    /// Chips a deal that a player gains which decides as the hero in this kind of decision, and as the player that the
    /// hero is compared with in all others.
    pub gain: f64,
    /// Half the width of the 95 % interval of `gain`.
    pub ci95: f64,
    /// Whether the interval of `gain` does not contain 0.
    pub separated: bool,
}

impl Duel<'_> {
    /// Plays the duel. Calls `done` from any thread with the number of deals just played. The caller sets the time with
    /// [`DuelReport::took`].
    pub fn run(&self, done: impl Fn(u64) + Sync) -> DuelReport {
        self.run_each(None, done, |_| {})
    }

    /// Plays the duel, and compares the hero with `other` in its place instead of with the field.
    pub fn run_over(&self, other: &Player, done: impl Fn(u64) + Sync) -> DuelReport {
        self.run_each(Some(other), done, |_| {})
    }

    /// Plays the duel over the field or over another player. `each` is given every deal in order.
    pub fn run_each(
        &self,
        over: Option<&Player>,
        done: impl Fn(u64) + Sync,
        each: impl FnMut(&DealGain),
    ) -> DuelReport {
        let games = std::slice::from_ref(&self.game);
        let (hero, field) = (self.hero, self.field);
        let duel = PairedDuel { games, hero, field, seed: Seed::new(self.seed) };
        let gains = duel.run_each(over, self.deals, done, each);
        let by_role = &gains.by_role[..self.game.players()];
        let by_seat = by_role.iter().map(Mean::estimate).collect();
        let (gain, win) = (gains.chips.estimate(), gains.wins.estimate());
        self.report(over, Payoff::Deal, (gain, by_seat, win))
    }

    /// Plays the duel with deals that are parts of sessions: chips are carried into them, and those that stay on the table
    /// count for what they are worth later, as in a study by [`Payoff::Session`].
    pub fn run_in_sessions(&self, over: Option<&Player>, done: impl Fn(u64) + Sync) -> DuelReport {
        let gain = in_sessions(self, over, &done);
        self.report(over, Payoff::Session.in_game(&self.game), (gain.all, gain.by_role, gain.wins))
    }

    fn report(
        &self,
        over: Option<&Player>,
        payoff: Payoff,
        (gain, by_seat, win): (Estimate, Vec<Estimate>, Estimate),
    ) -> DuelReport {
        DuelReport {
            hero: self.hero.name().into(),
            field: self.field.name().into(),
            over: over.unwrap_or(self.field).name().into(),
            rules: self.game.rules().title().into(),
            rules_file: self.game.rules().to_file(),
            players: self.game.players(),
            deals: self.deals,
            seed: self.seed,
            gain: gain.mean,
            ci95: gain.ci95,
            separated: gain.separated(),
            payoff: payoff.name(),
            by_seat,
            by_kind: Vec::new(),
            win_share: win.mean,
            win_share_ci95: win.ci95,
            seconds: 0.0,
        }
    }

    /// The kinds of decision of the game.
    pub fn kinds(&self) -> impl Iterator<Item = DecisionKind> {
        let rules = self.game.rules();
        DecisionKind::ALL.into_iter().filter(|kind| kind.is_in(rules))
    }

    /// Measures each kind of decision of the game by itself, on the deals of the duel. The gains need not sum to that of
    /// the hero: what an ante is worth depends on the leads. Calls `done` as [`Duel::run`] does, for each kind.
    /// `None` if a player sees all cards.
    pub fn by_kind(
        &self,
        over: Option<&Player>,
        done: impl Fn(u64) + Sync,
    ) -> Option<Vec<KindGain>> {
        let of_kind = |kind: DecisionKind| {
            let hero = &Mixed::player(kind, self.hero, over.unwrap_or(self.field))?;
            let report =
                Duel { game: self.game.clone(), hero, ..*self }.run_each(over, &done, |_| {});
            let DuelReport { gain, ci95, separated, .. } = report;
            Some(KindGain { kind: kind.key(), gain, ci95, separated })
        };
        self.kinds().map(of_kind).collect()
    }
}

impl DuelReport {
    /// Sets the wall-clock time.
    #[must_use]
    pub fn took(mut self, time: Duration) -> Self {
        self.seconds = time.as_secs_f64();
        self
    }

    /// The result in one sentence.
    pub fn sentence(&self) -> String {
        let verdict = if self.separated { "" } else { " (not separated)" };
        let table = if self.over == self.field {
            String::new()
        } else {
            format!(" at a table of {}", self.field)
        };
        format!(
            "{} gains {:+.3} {} chips a deal over {}{table}{verdict}",
            self.hero,
            self.gain,
            plus_minus(self.ci95, 3),
            self.over
        )
    }
}
