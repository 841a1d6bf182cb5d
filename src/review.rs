//! `newmarket review`.

mod html;
pub(crate) mod judge;
mod report;
mod tally;
mod text;

use std::fmt::Display;
use std::io::BufRead;
use std::path::PathBuf;
use std::sync::Arc;

use newmarket_agents::search::Playout;
use newmarket_agents::strategy::Strategy;
use newmarket_env::trace::{self, CheckedDeal};
use newmarket_env::{Game, Seed};
use rayon::prelude::*;

use crate::failure::{At, Failure, Result};
use crate::numbers::whole;
use crate::output::check_is_no_input;
use crate::report::form::{self, FormArgs, Forms};
use crate::table_args::{agent, split_names};
use crate::{external, terminal, who_played};
use judge::{By, Judge};
use report::Report;

/// Judge every decision of recorded deals: the value of each choice, and the cost of the choice made.
///
/// Each decision is judged by what its seat could know. All choices are compared in the same sampled
/// deals: half of the deals find the best choice, the other half measure the choices. An error is a
/// choice whose cost is above 0 by more than its 95 % interval. The same flags give the same figures
/// on any machine and any number of threads.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  newmarket trace --agents stopper,longest,net:easy,net:hard --out game.jsonl\n  \
                        newmarket review game.jsonl --seat 2 --html review.html"
)]
pub(crate) struct ReviewArgs {
    /// A trace file (see `newmarket trace`).
    trace: PathBuf,
    /// The seat whose decisions are judged, from 0 [default: all seats].
    #[arg(long, value_name = "S", value_parser = whole::<usize>(0..=u64::MAX))]
    seat: Option<usize>,
    /// Who plays after a choice in the sampled deals: an agent that sees what each seat could see, or a rule
    /// (stopper, longest, random), which sees all cards and is faster.
    #[arg(long, value_name = "AGENT", default_value = "net:champion")]
    by: String,
    /// Who played, a name for each seat from seat 0 or one for all: the review says which clause of a strategy decided
    /// [default: as TRACE.players.json says, which `newmarket trace --out` writes].
    #[arg(long, value_name = "A,B,…")]
    agents: Option<String>,
    /// Sampled deals for a decision, 16 or more.
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = whole::<u32>(16..=65_536))]
    worlds: u32,
    /// Seed of the sampled deals.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// How many mistakes to show, the worst first.
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = whole::<usize>(0..=u64::MAX))]
    worst: usize,
    #[command(flatten)]
    form: FormArgs,
    /// Also write a page for a browser or a printer.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// What a review is asked for, as its report and its command tell it.
pub(crate) struct Asked {
    /// The name of the trace.
    pub(crate) trace: String,
    /// The name of the player that plays the sampled deals to their end.
    pub(crate) by: String,
    /// The names of those who played, as they were given.
    pub(crate) agents: Option<String>,
    /// The seat whose decisions are judged; `None`: all.
    pub(crate) seat: Option<usize>,
    pub(crate) seed: u64,
    /// How many mistakes to show.
    pub(crate) worst: usize,
}

/// A deal of the trace.
pub(crate) struct Recorded {
    pub(crate) deal: CheckedDeal,
    /// Shared by following deals with the same rules.
    pub(crate) game: Arc<Game>,
    /// The number of its session in the file, from 1. A deal on its own counts as one.
    pub(crate) session: usize,
}

impl ReviewArgs {
    pub(crate) fn run(self) -> Result {
        let by = by(&self.by)?;
        if let Some(html) = &self.html {
            check_is_no_input("--html", html, &self.trace, "the trace that is reviewed")?;
        }
        let deals = read(crate::trace::open(&self.trace)?, self.trace.display())?;
        let seats = deals.iter().map(|deal| deal.game.players()).max().unwrap_or(0);
        if let Some(seat) = self.seat.filter(|&seat| seat >= seats) {
            let last = seats.saturating_sub(1);
            return Err(Failure::user(format!(
                "--seat {seat}: expected a seat of the trace, 0 to {last}"
            )));
        }
        let strategies = self.strategies(seats)?;
        let judge = Judge { by, worlds: self.worlds, seed: Seed::new(self.seed), strategies };
        let page = form::page(self.html.as_deref())?;
        let bar = terminal::progress(deals.len() as u64, "deals");
        let asked = Asked {
            trace: self.trace.display().to_string(),
            by: self.by.clone(),
            agents: self.agents.clone(),
            seat: self.seat,
            seed: self.seed,
            worst: self.worst,
        };
        let report = reviewed(asked, &judge, &deals, || bar.inc(1));
        bar.finish_and_clear();
        self.form.show(&report, page)
    }
}

impl ReviewArgs {
    /// By seat, the strategy that played there, as far as that is known.
    fn strategies(&self, seats: usize) -> Result<Vec<Option<Strategy>>> {
        let Some(names) = &self.agents else {
            return Ok(who_played::read(&self.trace).unwrap_or_default());
        };
        let strategy = |name: &String| {
            // A program is not started: it gives no reasons.
            let player = if name.starts_with(external::PREFIX) { None } else { Some(agent(name)?) };
            Ok(player.and_then(|player| player.strategy().cloned()))
        };
        let names = split_names(names);
        match &names[..] {
            [one] => (0..seats).map(|_| strategy(one)).collect(),
            _ if names.len() == seats => names.iter().map(strategy).collect(),
            _ => Err(Failure::user(format!(
                "--agents: {} names for {seats} seats: expected {seats} names, or one for all",
                names.len()
            ))),
        }
    }
}

/// Judges the decisions of these deals, on the threads of rayon's pool. `done` is called after each deal, from any
/// thread.
pub(crate) fn reviewed(
    asked: Asked,
    judge: &Judge,
    deals: &[Recorded],
    done: impl Fn() + Sync,
) -> Report {
    let one = |recorded: &Recorded| {
        let decisions = judge.deal(recorded, asked.seat);
        done();
        decisions
    };
    let decisions: Vec<_> = deals.par_iter().map(one).collect();
    Report::new(asked, judge, deals, decisions.into_iter().flatten().collect())
}

/// The player with this name that plays sampled deals to their end.
fn by(name: &str) -> Result<By> {
    if let Some(rule) = Playout::named(name) {
        return Ok(By::Rule(rule));
    }
    By::player(agent(name)?).at(format!("--by {name}"))
}

/// The deals of a trace, all of them checked.
pub(crate) fn read(from: impl BufRead, trace: impl Display) -> Result<Vec<Recorded>> {
    let mut deals: Vec<Recorded> = Vec::new();
    for deal in trace::deals(from) {
        let deal = deal.at(&trace)?;
        let last = deals.last();
        let follows = deal.deal.is_some_and(|number| number > 1);
        let session = last.map_or(1, |last| last.session + usize::from(!follows));
        let game = match last {
            Some(last) if *last.game == deal.game => last.game.clone(),
            _ => Arc::new(deal.game.clone()),
        };
        deals.push(Recorded { deal, game, session });
    }
    Ok(deals)
}

impl Forms for Report {
    fn text(&self) -> String {
        text::terminal(self)
    }

    fn markdown(&self) -> String {
        text::markdown(self)
    }

    fn html(&self) -> String {
        html::page(self)
    }
}
