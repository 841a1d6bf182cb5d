//! `newmarket play`: a person at the table, in a plain terminal, line by line.

mod ask;
mod events;
mod fold;
mod help;
mod hint;
mod host;
mod paint;
mod pen;
mod person;
mod poker;
mod seating;
mod sequence;
mod split;
mod watch;

use std::io::{self, Write};
use std::time::Duration;

use fold::Fold;
use host::Host;
use paint::Paint;
use pen::Pen;
use seating::TableFlags;
pub(crate) use watch::WatchArgs;

use newmarket_agents::net::Choice;
use newmarket_checkpoints::roster;

use newmarket_env::text::plain;

use crate::failure::{At, Result};
use crate::table_args::{ProgramArgs, players_for, stoppable, warn_of_faults, with_players};
use crate::terminal;

/// Play a session against agents.
#[derive(clap::Args)]
#[command(after_help = with_players("Example:\n  newmarket play --rules michigan --players 5\n  \
                        newmarket play --against stopper,boodle,random --hints"))]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    table: TableFlags,
    /// The other players, clockwise from your left; one name fills all seats.
    #[arg(long, value_name = "A,B,…", default_value = "net:hard")]
    against: String,
    /// Give advice at every decision (`h` asks for it at one).
    #[arg(long)]
    hints: bool,
    /// Who gives advice.
    #[arg(long, value_name = "A", default_value = "net:champion")]
    adviser: String,
    #[command(flatten)]
    programs: ProgramArgs,
}

impl PlayArgs {
    pub(crate) fn run(self) -> Result {
        let game = self.table.game(&self.against, 1)?;
        let mut programs = self.programs.programs();
        let others = players_for(&self.against, game.players() - 1, &mut programs);
        let others = others.at("--against")?;
        let adviser =
            roster::fair(&self.adviser, Choice::Greedy, Some(terminal::clock)).at("--adviser")?;
        let seed = self.table.seed();
        let pen = Pen { game: &game, paint: Paint::auto(), person: Some(0) };
        let mut out = Fold::new(io::stdout().lock());
        let agents: Vec<_> = std::iter::once(None).chain(others.into_iter().map(Some)).collect();
        let title = format!("{}, {} players, seed {seed}", game.rules().title(), game.players());
        writeln!(out, "{}", pen.paint.bold(&plain(&title)))?;
        writeln!(out, "{}", seating::introduce(&pen, "On your left, clockwise:", &agents))?;
        writeln!(out, "  At any question: {}", help::KEYS)?;
        let mut host = Host::new(pen, &mut out, agents, seed, Duration::ZERO);
        host.seat_person(adviser, seed, self.hints)?;
        stoppable(|| host.run())??;
        warn_of_faults(&programs);
        Ok(())
    }
}
