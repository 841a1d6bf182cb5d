//! `newmarket play` and `newmarket watch`.
//!
//! A [`PlaySession`](session::PlaySession) deals, asks the players and gives events and questions. The
//! [narrator] turns events into sentences. Two displays show a session: the plain terminal ([lines])
//! and the full [screen].

mod ante;
mod ending;
mod help;
mod hint;
mod lines;
mod narrator;
mod players;
mod question;
mod recorder;
mod screen;
mod seating;
mod session;
mod table_view;
mod values;
mod watch;

use ending::{Ending, final_standing};
use players::{Adviser, Players};
use recorder::Recorder;
use seating::TableFlags;
use session::PlaySession;
pub(crate) use watch::WatchArgs;

use std::path::PathBuf;

use newmarket_agents::net::ActionSelection;
use newmarket_checkpoints::roster;
use newmarket_engine::{SessionTable, SharedDeal};

use crate::failure::{At, Failure, Result};
use crate::numbers::whole;
use crate::table_args::{ProgramArgs, players_for, warn_of_faults, with_players};
use crate::terminal;
use crate::wording::Wording;

/// Play a session against agents.
#[derive(clap::Args)]
#[command(after_help = with_players("Example:\n  newmarket play --rules michigan --players 5\n  \
                        newmarket play --against stopper,boodle,random --hints"))]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    table: TableFlags,
    /// Play a shared deal, and the rest of its session: the code or the link that the page in the
    /// browser gives.
    #[arg(long, value_name = "CODE", conflicts_with_all = ["rules", "players", "seed", "deals"])]
    deal: Option<String>,
    /// The other players, clockwise from your left; one name fills all seats.
    #[arg(long, value_name = "A,B,…", default_value = "net:hard")]
    against: String,
    /// Give a hint at every decision (`h` asks for one hint).
    #[arg(long)]
    hints: bool,
    /// The agent that gives hints.
    #[arg(long, value_name = "A", default_value = "net:champion+pimc:200")]
    adviser: String,
    /// Your cards wait for you: where a sequence reaches you, Enter plays your card.
    #[arg(long)]
    wait: bool,
    /// Record each deal that is over in a trace file, as `newmarket review FILE --seat 0` reads it.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Milliseconds between two cards on a full screen; 0 shows all at once.
    #[arg(long, value_name = "MS", default_value_t = screen::DELAY, value_parser = whole::<u64>(0..=u64::MAX))]
    delay: u64,
    #[command(flatten)]
    programs: ProgramArgs,
}

impl PlayArgs {
    pub(crate) fn run(self) -> Result {
        self.table.check_is_not_rules("--record", self.record.as_deref())?;
        let (table, seat, seed) = if let Some(code) = &self.deal {
            let SharedDeal { game, session, seat } = SharedDeal::read(code).map_err(|problem| {
                let expected = "expected the code, or the link, that the page gives for a deal";
                Failure::user(format!("--deal: {problem}: {expected}"))
            })?;
            (SessionTable::begin(game, session), seat, None)
        } else {
            let (table, seed) = self.table.open(&self.against, 1)?;
            (table, 0, Some(seed))
        };
        let luck = seed.map_or("a shared deal".into(), |seed| format!("seed {seed}"));
        let seed = seed.unwrap_or(0);
        let mut programs = self.programs.programs();
        let others = players_for(&self.against, table.game().players() - 1, &mut programs);
        let adviser = roster::fair(&self.adviser, ActionSelection::Greedy, Some(terminal::clock));
        let mut agents: Vec<_> =
            std::iter::once(None).chain(others.at("--against")?.into_iter().map(Some)).collect();
        let adviser = adviser.at("--adviser")?;
        // Clockwise from the person's left.
        agents.rotate_right(seat);
        let wording = Wording { game: table.game(), person: Some(seat) };
        let introduction = seating::introduce(&wording, "On your left, clockwise", &agents);
        let recorder = self.record.map(|path| Recorder::to(path, &table)).transpose()?;
        let session = PlaySession::new(table, Players::new(agents, seed), Some(seat));
        let setup = Setup {
            session: session.recorded(recorder),
            adviser: Some(Adviser::new(adviser, seed)),
            hints: self.hints,
            wait: self.wait,
            delay: Some(self.delay),
            introduction,
            luck,
        };
        setup.show(self.table.full_screen())?;
        warn_of_faults(&programs);
        Ok(())
    }
}

/// A session, and how it is shown.
struct Setup {
    session: PlaySession,
    /// `None` if nobody plays.
    adviser: Option<Adviser>,
    /// Whether there is a hint at every decision.
    hints: bool,
    /// Whether the person's cards wait for them where a sequence reaches them.
    wait: bool,
    /// Milliseconds between two cards on a full screen, or between two lines if nobody plays.
    delay: Option<u64>,
    /// Who sits where.
    introduction: String,
    /// The seed, or where the deal comes from.
    luck: String,
}

impl Setup {
    fn show(self, full_screen: bool) -> Result {
        if full_screen { screen::run(self) } else { lines::run(self) }
    }

    fn wording(&self) -> Wording<'_> {
        Wording { game: self.session.game(), person: self.session.viewer() }
    }
}
