//! `newmarket watch`: agents play, all hands open.

use super::Setup;
use super::players::Players;
use super::seating::{self, TableFlags};
use super::session::PlaySession;
use crate::failure::{At, Result};
use crate::numbers::whole;
use crate::table_args::{ProgramArgs, players_for, warn_of_faults, with_players};
use crate::wording::Wording;

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
        let mut programs = self.programs.programs();
        let agents = players_for(&self.agents, table.game().players(), &mut programs);
        let agents: Vec<_> = agents.at("--agents")?.into_iter().map(Some).collect();
        let wording = Wording { game: table.game(), person: None };
        let introduction = seating::introduce(&wording, "Clockwise", &agents);
        let setup = Setup {
            session: PlaySession::new(table, Players::new(agents, seed), None),
            adviser: None,
            hints: false,
            wait: false,
            delay: self.delay,
            introduction,
            luck: format!("seed {seed}"),
        };
        setup.show(self.table.full_screen())?;
        warn_of_faults(&programs);
        Ok(())
    }
}
