//! `newmarket ladder`.

mod html;
mod text;

use std::path::PathBuf;
use std::time::Instant;

use newmarket_agents::Player;
use newmarket_eval::ladder::{Ladder, LadderReport, Length};

use crate::external::WithPrograms;
use crate::failure::{Failure, Result};
use crate::numbers::whole;
use crate::report::counted;
use crate::report::form::{self, FormArgs, Forms};
use crate::table_args::{
    ProgramArgs, SessionArgs, TableArgs, check_is_not_rules, player, stoppable, with_players,
};
use crate::terminal;

const FEWEST: u64 = Ladder::FEWEST;
const FIRST_LOOK: u64 = Ladder::FIRST_LOOK;

/// Let all agents meet on the same deals, and rate them.
///
/// Each pairing plays the same deals in both directions: one agent in each seat in turn, the other in all other
/// seats. The rating is in chips a deal above the mean of all agents, with a 95 % interval by bootstrap over deals.
/// Each deal is also played by a random mix of all agents, in every rotation; the Weng–Lin rating is computed from
/// these. With --session the ladder plays whole sessions, and also rates by the share of sessions won.
#[derive(clap::Args)]
#[command(after_help = with_players("Example:\n  newmarket ladder random boodle stopper --deals 2000\n  \
                        newmarket ladder net:runs/quick stopper boodle --until-separated \
                        --html ladder.html\n  \
                        newmarket ladder net:champion net:hard stopper --rules four-horses --session"))]
pub(crate) struct LadderArgs {
    /// The agents: two or more, each once.
    #[arg(required = true, value_name = "AGENT")]
    agents: Vec<String>,
    #[command(flatten)]
    table: TableArgs,
    /// Deals, each played in every seating; with --until-separated the most deals.
    #[arg(long, value_name = "K", default_value_t = 2000, value_parser = whole::<u64>(FEWEST..=10_000_000))]
    deals: u64,
    #[command(flatten)]
    session: SessionArgs,
    /// Seed of the deals and of all random numbers.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Stop each pairing as soon as it is separated. The bound holds at every look: with 95 % probability the whole
    /// ladder separates no two equal agents.
    #[arg(long)]
    until_separated: bool,
    #[command(flatten)]
    programs: ProgramArgs,
    #[command(flatten)]
    form: FormArgs,
    /// Also write a page for a browser or a printer.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl LadderArgs {
    pub(crate) fn run(self) -> Result {
        let names = &self.agents;
        if names.len() < 2 {
            return Err(Failure::user("one agent: expected two or more"));
        }
        for (at, name) in names.iter().enumerate() {
            if names[..at].contains(name) {
                return Err(Failure::user(format!("agent `{name}` is named twice")));
            }
        }
        let length = self.session.count().map_or(Length::Deals(self.deals), Length::Sessions);
        if length.count() < FEWEST {
            let sessions = counted(length.count(), "session");
            return Err(Failure::user(format!("{sessions}: expected {FEWEST} or more")));
        }
        if self.until_separated && length.count() < FIRST_LOOK {
            let (what, count) = match length {
                Length::Deals(count) => ("--deals", count),
                Length::Sessions(count) => ("--sessions", count),
            };
            return Err(Failure::user(format!(
                "{what} {count}: --until-separated looks first after {FIRST_LOOK}; expected \
                 {FIRST_LOOK} or more"
            )));
        }
        check_is_not_rules("--html", self.html.as_deref(), &self.table.rules)?;
        let game = self.table.game()?;
        let mut programs = self.programs.programs();
        let agents = names.iter().map(|name| player(name, &mut programs));
        let agents: Vec<Player> = agents.collect::<Result<_>>()?;
        let page = form::page(self.html.as_deref())?;
        let (seed, until_separated) = (self.seed, self.until_separated);
        let ladder = Ladder { game, agents: &agents, length, seed, until_separated };
        let what = if let Length::Deals(_) = length { "deals" } else { "sessions" };
        let bar = terminal::progress(length.count(), what);
        let start = Instant::now();
        let report = stoppable(|| ladder.run(|played| bar.inc(played)).took(start.elapsed()));
        bar.finish_and_clear();
        self.form.show(&WithPrograms { result: report?, programs: programs.reports() }, page)
    }
}

impl Forms for WithPrograms<LadderReport> {
    fn text(&self) -> String {
        text::terminal(self)
    }

    fn markdown(&self) -> String {
        text::markdown(self)
    }

    fn html(&self) -> String {
        html::of(self)
    }
}
