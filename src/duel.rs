//! `newmarket duel`.

use std::time::Instant;

use newmarket_agents::paired::plus_minus;
use newmarket_eval::study::Payoff;
use newmarket_eval::{Duel, DuelReport, KindGain, SessionDuel, SessionDuelReport};
use serde::Serialize;

use crate::external::WithPrograms;
use crate::failure::{Failure, Result};
use crate::numbers::whole;
use crate::report::counted;
use crate::table_args::{
    ProgramArgs, SessionArgs, TableArgs, payoff, player, stoppable, with_players,
};
use crate::terminal;

/// Measure one player against another on the same deals.
///
/// HERO sits in each seat in turn, with FIELD in all other seats, on the same deals. The result is the hero's gain in
/// chips a deal over the field in the same seat, with its 95 % interval. With --session the duel plays whole
/// sessions, and also reports the hero's share of sessions won.
#[derive(clap::Args)]
#[command(after_help = with_players("Example:\n  newmarket duel stopper longest --deals 5000\n  \
                        newmarket duel net:runs/quick stopper --rules michigan --players 5 --json\n  \
                        newmarket duel net:champion stopper --rules four-horses --session\n  \
                        newmarket duel net:runs/quick-2 pimc:60 --over net:runs/quick\n  \
                        newmarket duel 'exec:[\"python3\",\"engine/bots/bot.py\"]' stopper"))]
pub(crate) struct DuelArgs {
    /// The agent to measure.
    hero: String,
    /// The agent in all other seats.
    field: String,
    /// Compare the hero with this agent in the same seat, instead of with the field.
    #[arg(long, value_name = "AGENT", conflicts_with_all = ["session", "sessions"])]
    over: Option<String>,
    /// Also tell what the hero gains by its leads alone, its antes alone, and so on for each kind of decision of the
    /// game. Each kind plays the deals again.
    #[arg(long, conflicts_with_all = ["session", "sessions"])]
    by_kind: bool,
    /// The payoff: of a deal alone, where chips that stay on the table are lost, or of a deal in a session, where they
    /// count for what they are worth later.
    #[arg(long, value_name = "P", default_value = Payoff::Deal.name(), value_parser = payoff(),
        conflicts_with_all = ["session", "sessions", "by_kind"])]
    payoff: Payoff,
    #[command(flatten)]
    table: TableArgs,
    /// Deals, each played in every seating.
    #[arg(long, value_name = "K", default_value_t = 10_000, value_parser = whole::<u64>(1..=u64::MAX))]
    deals: u64,
    #[command(flatten)]
    session: SessionArgs,
    /// Seed of the deals and of all random numbers.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    #[command(flatten)]
    programs: ProgramArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// The result of a duel.
#[derive(Serialize)]
#[serde(untagged)]
enum Report {
    Deals(DuelReport),
    Sessions(SessionDuelReport),
}

impl DuelArgs {
    pub(crate) fn run(self) -> Result {
        let game = self.table.game()?;
        let mut programs = self.programs.programs();
        let hero = player(&self.hero, &mut programs)?;
        let field = player(&self.field, &mut programs)?;
        let over = self.over.as_ref().map(|over| player(over, &mut programs)).transpose()?;
        let (hero, field, seed) = (&hero, &field, self.seed);
        let start = Instant::now();
        let report = if let Some(sessions) = self.session.count() {
            let duel = SessionDuel { game, hero, field, sessions, seed };
            let bar = terminal::progress(sessions, "sessions");
            let report = stoppable(|| duel.run(|played| bar.inc(played)).took(start.elapsed()));
            bar.finish_and_clear();
            Report::Sessions(report?)
        } else {
            let duel = Duel { game, hero, field, deals: self.deals, seed };
            let kinds = if self.by_kind { duel.kinds().count() as u64 } else { 0 };
            let bar = terminal::progress((1 + kinds) * self.deals, "deals");
            let (over, done) = (over.as_ref(), |played| bar.inc(played));
            let report = stoppable(|| {
                let mut report = match self.payoff {
                    Payoff::Deal => duel.run_each(over, done, |_| {}),
                    Payoff::Session => duel.run_in_sessions(over, done),
                };
                if self.by_kind {
                    report.by_kind = duel.by_kind(over, done).ok_or_else(sees_all_cards)?;
                }
                Ok::<_, Failure>(report.took(start.elapsed()))
            });
            bar.finish_and_clear();
            Report::Deals(report??)
        };
        let outcome = WithPrograms { result: report, programs: programs.reports() };
        if self.json {
            return terminal::print_json(&outcome);
        }
        for line in outcome.result.lines() {
            terminal::print(line)?;
        }
        outcome.programs.iter().try_for_each(|program| terminal::print(program.sentence()))
    }
}

fn sees_all_cards() -> Failure {
    Failure::user(
        "--by-kind: a player that sees all cards has no decisions that another could take",
    )
}

impl Report {
    fn lines(&self) -> Vec<String> {
        match self {
            Self::Deals(report) => {
                let mut lines = vec![
                    format!(
                        "{}, {} players, {} in every seating, seed {}",
                        report.rules,
                        report.players,
                        counted(report.deals, "deal"),
                        report.seed
                    ),
                    report.sentence(),
                    format!(
                        "{} goes out first in {:.1} {} % of deals (even: {:.1} %); {:.1} s",
                        report.hero,
                        100.0 * report.win_share,
                        plus_minus(100.0 * report.win_share_ci95, 1),
                        100.0 / report.players as f64,
                        report.seconds
                    ),
                ];
                lines.extend(report.by_kind.iter().map(|it| {
                    let KindGain { kind, gain, ci95, .. } = it;
                    let verdict = if it.separated { "" } else { " (not separated)" };
                    let kind = kind.replace('_', " ");
                    format!("{kind} alone: {gain:+.3} {}{verdict}", plus_minus(*ci95, 3))
                }));
                lines
            }
            Self::Sessions(report) => {
                let [first, second] = report.sentences();
                let head = format!(
                    "{}, {} players, {} of up to {} in every seating, seed {}",
                    report.rules,
                    report.players,
                    counted(report.sessions, "session"),
                    counted(report.deals.into(), "deal"),
                    report.seed
                );
                let deals = format!(
                    "{:+.3} chips a deal, {:.1} deals a session; {:.1} s",
                    report.gain_a_deal, report.deals_a_session, report.seconds
                );
                vec![head, first, second, deals]
            }
        }
    }
}
