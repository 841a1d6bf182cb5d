//! `newmarket watch`: agents play, all hands open.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use newmarket_env::text::plain;

use super::fold::Fold;
use super::host::Host;
use super::paint::Paint;
use super::pen::Pen;
use super::players::Players;
use super::screen::{self, Setting};
use super::seating::{self, TableFlags};
use super::sitting::Sitting;
use crate::failure::{At, Result};
use crate::numbers::whole;
use crate::table_args::{ProgramArgs, players_for, stoppable, warn_of_faults, with_players};

/// Watch agents play a session, all hands open.
#[derive(clap::Args)]
#[command(after_help = with_players("Example:\n  newmarket watch --rules chicago --players 3 --deals 2\n  \
                        newmarket watch --agents stopper,boodle,longest,random --delay 1000"))]
pub(crate) struct WatchArgs {
    #[command(flatten)]
    table: TableFlags,
    /// Who plays, clockwise; one name fills all seats.
    #[arg(long, value_name = "A,B,…", default_value = "stopper")]
    agents: String,
    /// Milliseconds between two cards on a full screen [default: 200], or after each line
    /// [default: 500; none without a terminal].
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(0..=u64::MAX))]
    delay: Option<u64>,
    #[command(flatten)]
    programs: ProgramArgs,
}

impl WatchArgs {
    pub(crate) fn run(self) -> Result {
        let (table, seed) = self.table.open(&self.agents, 0)?;
        let game = table.game().clone();
        let mut programs = self.programs.programs();
        let agents = players_for(&self.agents, game.players(), &mut programs).at("--agents")?;
        let pen = Pen { game: &game, paint: Paint::auto(), person: None };
        let agents: Vec<_> = agents.into_iter().map(Some).collect();
        let introduced = seating::introduce(&pen, "Clockwise:", &agents);
        let players = Players::new(agents, seed);
        if self.table.full_screen() {
            screen::run(Setting {
                sitting: Sitting::new(table, players, None),
                game: game.clone(),
                person: None,
                hints: false,
                delay: self.delay.unwrap_or(screen::DELAY),
                introduced,
                footer: format!("seed {seed}"),
            })?;
        } else {
            let stdout = io::stdout();
            let delay = if stdout.is_terminal() { self.delay.unwrap_or(500) } else { 0 };
            let mut out = Fold::new(stdout.lock());
            let title =
                format!("{}, {} players, seed {seed}", game.rules().title(), game.players());
            writeln!(out, "{}", pen.paint.bold(&plain(&title)))?;
            writeln!(out, "{introduced}")?;
            let session = table.session().clone();
            let host = Host::new(pen, &mut out, players, session, Duration::from_millis(delay));
            stoppable(|| host.run())??;
        }
        warn_of_faults(&programs);
        Ok(())
    }
}
