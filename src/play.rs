//! `newmarket play` and `newmarket watch`: a table that fills the screen, or one line by line.

mod ask;
mod events;
mod fold;
mod help;
mod hint;
mod host;
mod paint;
mod pen;
mod person;
mod players;
mod poker;
mod screen;
mod seating;
mod sequence;
mod sitting;
mod split;
mod values;
mod watch;

use std::io::{self, Write};
use std::time::Duration;

use fold::Fold;
use host::Host;
use paint::Paint;
use pen::Pen;
use players::Players;
use screen::Setting;
use seating::TableFlags;
use sitting::Sitting;
pub(crate) use watch::WatchArgs;

use newmarket_agents::net::Choice;
use newmarket_checkpoints::roster;
use newmarket_engine::{SessionTable, SharedDeal};

use newmarket_env::text::plain;

use crate::failure::{At, Failure, Result};
use crate::numbers::whole;
use crate::table_args::{ProgramArgs, players_for, stoppable, warn_of_faults, with_players};
use crate::terminal;

/// Play a session against agents.
#[derive(clap::Args)]
#[command(after_help = with_players("Example:\n  newmarket play --rules michigan --players 5\n  \
                        newmarket play --against stopper,boodle,random --hints"))]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    table: TableFlags,
    /// Plays a deal that somebody shared, and what is left of its session: the code or the link that
    /// the page in the browser gives.
    #[arg(long, value_name = "CODE", conflicts_with_all = ["rules", "players", "seed", "deals"])]
    deal: Option<String>,
    /// The other players, clockwise from your left; one name fills all seats.
    #[arg(long, value_name = "A,B,…", default_value = "net:hard")]
    against: String,
    /// Give advice at every decision (`h` asks for it at one).
    #[arg(long)]
    hints: bool,
    /// Who gives advice.
    #[arg(long, value_name = "A", default_value = "net:champion")]
    adviser: String,
    /// Milliseconds between two cards on a full screen; 0 shows all at once.
    #[arg(long, value_name = "MS", default_value_t = screen::DELAY, value_parser = whole::<u64>(0..=u64::MAX))]
    delay: u64,
    #[command(flatten)]
    programs: ProgramArgs,
}

impl PlayArgs {
    pub(crate) fn run(self) -> Result {
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
        let game = table.game().clone();
        let luck = seed.map_or("a shared deal".into(), |seed| format!("seed {seed}"));
        let seed = seed.unwrap_or(0);
        let mut programs = self.programs.programs();
        let others = players_for(&self.against, game.players() - 1, &mut programs);
        let others = others.at("--against")?;
        let adviser =
            roster::fair(&self.adviser, Choice::Greedy, Some(terminal::clock)).at("--adviser")?;
        let pen = Pen { game: &game, paint: Paint::auto(), person: Some(seat) };
        let mut agents: Vec<_> =
            std::iter::once(None).chain(others.into_iter().map(Some)).collect();
        // Clockwise from the person's left.
        agents.rotate_right(seat);
        let introduced = seating::introduce(&pen, "On your left, clockwise:", &agents);
        let players = Players::new(agents, seed);
        if self.table.full_screen() {
            screen::run(Setting {
                sitting: Sitting::new(table, players, pen.person),
                game: game.clone(),
                person: Some((seat, adviser, players::advice(seed))),
                hints: self.hints,
                delay: self.delay,
                introduced,
                footer: luck,
            })?;
        } else {
            let mut out = Fold::new(io::stdout().lock());
            let title = format!("{}, {} players, {luck}", game.rules().title(), game.players());
            writeln!(out, "{}", pen.paint.bold(&plain(&title)))?;
            writeln!(out, "{introduced}")?;
            writeln!(out, "  At any question: {}", help::KEYS)?;
            let session = table.session().clone();
            let mut host = Host::new(pen, &mut out, players, session, Duration::ZERO);
            host.seat_person(adviser, seed, self.hints)?;
            stoppable(|| host.run())??;
        }
        warn_of_faults(&programs);
        Ok(())
    }
}
