//! The final duels of a trained player, on fresh deals, or in sessions if it was trained for them.

use std::sync::Arc;

use newmarket_agents::Player;
use newmarket_env::Game;
use newmarket_eval::{Duel, DuelReport, SessionDuel, SessionDuelReport};
use newmarket_train::{Config, SessionPayoff};
use serde::{Serialize, Serializer};

use super::run::FRESH_DEALS;
use crate::terminal;

/// The unit of gains of a run, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    /// One round.
    pub(crate) one: &'static str,
    /// Several rounds.
    pub(crate) many: &'static str,
    /// The unit of gains.
    pub(crate) gain: &'static str,
    /// The event that the share of wins counts.
    pub(crate) wins: &'static str,
}

const DEAL: Unit =
    Unit { one: "deal", many: "deals", gain: "chips a deal", wins: "goes out first" };
const SESSION: Unit =
    Unit { one: "session", many: "sessions", gain: "chips a session", wins: "sessions won" };

impl Unit {
    /// Sessions if all episodes are sessions, else deals.
    pub(crate) fn of(config: &Config) -> Self {
        if config.counts_sessions() { SESSION } else { DEAL }
    }
}

/// The unit by its name.
fn one<S: Serializer>(unit: &Unit, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(unit.one)
}

/// A duel of a player at one table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Trial {
    /// The title of the rules.
    pub(crate) rules: String,
    pub(crate) players: usize,
    pub(crate) field: String,
    #[serde(serialize_with = "one", rename = "unit")]
    pub(crate) by: Unit,
    /// The gain in chips a deal, or in the [`SessionPayoff`] of a session, and half of its 95 % interval.
    pub(crate) gain: f64,
    pub(crate) ci95: f64,
    pub(crate) separated: bool,
    /// Share of deals in which the player went out first, or of sessions that it won, and half of its 95 % interval.
    pub(crate) wins: f64,
    pub(crate) wins_ci95: f64,
    /// Deals, or sessions.
    pub(crate) rounds: u64,
}

impl Trial {
    /// Plays about `deals` deals at this table, in the unit of the run.
    pub(crate) fn run(
        game: &Arc<Game>,
        hero: &Player,
        field: &Player,
        deals: u64,
        by: Unit,
    ) -> Self {
        let seed = FRESH_DEALS;
        if by == DEAL {
            let bar = terminal::progress(deals, by.many);
            let report =
                Duel { game: game.clone(), hero, field, deals, seed }.run(|deals| bar.inc(deals));
            bar.finish_and_clear();
            return report.into();
        }
        let sessions = deals.div_ceil(game.rules().session.deals.into());
        let bar = terminal::progress(sessions, by.many);
        let duel = SessionDuel { game: game.clone(), hero, field, sessions, seed };
        let report = duel.run(|sessions| bar.inc(sessions));
        bar.finish_and_clear();
        Self::of_sessions(report, SessionPayoff::of(game))
    }

    fn of_sessions(report: SessionDuelReport, payoff: SessionPayoff) -> Self {
        let (gain, ci95, separated) = match payoff {
            SessionPayoff::Chips => (report.gain, report.ci95, report.separated),
            SessionPayoff::Prize(prize) => {
                let prize = f64::from(prize);
                (prize * report.win_gain, prize * report.win_ci95, report.win_separated)
            }
        };
        Self {
            by: SESSION,
            gain,
            ci95,
            separated,
            rules: report.rules,
            players: report.players,
            field: report.field,
            wins: report.win_share,
            wins_ci95: report.win_ci95,
            rounds: report.sessions,
        }
    }

    /// A line of a table below [`Trial::heads`].
    pub(crate) fn line(&self) -> String {
        let verdict = if self.separated { "" } else { "  (not separated)" };
        format!(
            "  at a table of {:<10} {:>+7.3} ± {:.3}         {:>5.1} ± {:.1} %{verdict}",
            self.field,
            self.gain,
            self.ci95,
            100.0 * self.wins,
            100.0 * self.wins_ci95
        )
    }

    /// The heads of such a table of one game.
    pub(crate) fn heads(game: &Game, by: Unit) -> String {
        let title = format!("{}, {} players", game.rules().title(), game.players());
        let gained = match SessionPayoff::of(game) {
            SessionPayoff::Prize(prize) if by == SESSION => format!("of a prize of {prize} chips"),
            _ => format!("chips a {} gained", by.one),
        };
        format!("{title:<26} {gained:<23} {}", by.wins)
    }
}

impl From<DuelReport> for Trial {
    fn from(report: DuelReport) -> Self {
        Self {
            by: DEAL,
            separated: report.separated,
            rules: report.rules,
            players: report.players,
            field: report.field,
            gain: report.gain,
            ci95: report.ci95,
            wins: report.win_share,
            wins_ci95: report.win_share_ci95,
            rounds: report.deals,
        }
    }
}
