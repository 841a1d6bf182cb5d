//! `newmarket trace` and `newmarket perft`.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use newmarket_agents::{Deals, record};
use newmarket_env::{perft, trace};

use crate::failure::{At, Failure, Result};
use crate::numbers::whole;
use crate::output::Output;
use crate::table_args::{
    ProgramArgs, TableArgs, check_is_not_rules, players_for, stoppable, warn_of_faults,
    with_players,
};
use crate::{terminal, who_played};

/// Record deals, one a line, or check a file of recorded deals.
///
/// Deals come in sessions by the rules: chips carry over, the next player on the left deals, and after
/// a session the next one begins. The same flags give the same bytes.
#[derive(clap::Args)]
#[command(
    after_help = with_players("Example:\n  newmarket trace --rules michigan --players 5 --deals 100 --out deals.jsonl\n  \
                        newmarket trace --check deals.jsonl")
)]
pub(crate) struct TraceArgs {
    #[command(flatten)]
    table: TableArgs,
    /// The number of deals, over all sessions.
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = whole::<u64>(1..=u64::MAX))]
    deals: u64,
    /// Seed of the deals and of all random numbers.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// The players: a name for each seat from seat 0, or one for all.
    #[arg(long, value_name = "A,B,…", default_value = "random")]
    agents: String,
    /// Play each deal on its own, with an empty layout, instead of sessions.
    #[arg(long)]
    fresh: bool,
    /// The file to write [default: standard output]. F.players.json beside it gets who played and the seed, with
    /// the content of strategies and its hash.
    #[arg(long, value_name = "F")]
    out: Option<PathBuf>,
    /// Replay every deal of this file and report the first fault.
    #[arg(long, value_name = "F", exclusive = true)]
    check: Option<PathBuf>,
    #[command(flatten)]
    programs: ProgramArgs,
}

impl TraceArgs {
    pub(crate) fn run(self) -> Result {
        if let Some(path) = &self.check {
            return check(path);
        }
        check_is_not_rules("--out", self.out.as_deref(), &self.table.rules)?;
        let game = self.table.game()?;
        let mut programs = self.programs.programs();
        let mut agents = players_for(&self.agents, game.players(), &mut programs)?;
        let mut out = Output::open(self.out.as_deref())?;
        let kind = if self.fresh { Deals::Fresh } else { Deals::InSessions };
        let bar = terminal::progress(self.deals, "deals");
        let played = stoppable(|| {
            record(&game, &mut agents, (self.deals, kind), self.seed, |record| {
                bar.inc(1);
                out.write(format_args!("{}\n", record.to_line()))
            })
        });
        bar.finish_and_clear();
        played??;
        warn_of_faults(&programs);
        out.finish()?;
        match &self.out {
            Some(out) => who_played::write(out, &agents, self.seed, self.fresh),
            None => Ok(()),
        }
    }
}

/// Opens a file of deals, one a line.
pub(crate) fn open(path: &Path) -> Result<BufReader<File>> {
    let file = File::open(path).at("cannot read").at(path.display())?;
    Ok(BufReader::new(file))
}

fn check(path: &Path) -> Result {
    let summary = trace::check(open(path)?).at(path.display())?;
    terminal::print(format!(
        "{}: {} deals, {} complete sessions, {} events, {} decisions: no fault",
        path.display(),
        summary.deals,
        summary.sessions,
        summary.events,
        summary.decisions
    ))
}

/// Count all possible lines of play of the deals in a trace file.
///
/// Prints the number of each line and its count: in how many ways the deal can be played from its
/// first lead to its end.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  newmarket trace --players 6 --deals 5 --out deals.jsonl\n  \
                        newmarket perft deals.jsonl")]
pub(crate) struct PerftArgs {
    /// The trace file.
    file: PathBuf,
}

impl PerftArgs {
    pub(crate) fn run(self) -> Result {
        let mut out = Output::open(None)?;
        let mut records = trace::lines(open(&self.file)?).peekable();
        if records.peek().is_none() {
            let place = self.file.display();
            return Err(Failure::user(format!(
                "{place}: the file is empty: expected one deal a line"
            )));
        }
        for record in records {
            let count =
                record.and_then(|(line, record)| Ok((line, perft::of_record(&record, line)?)));
            let (line, count) = count.at(self.file.display())?;
            out.write(format_args!("{line} {count}\n"))?;
        }
        out.finish()
    }
}
