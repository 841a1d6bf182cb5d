//! The flags that `play` and `watch` share, and who sits where.

use std::path::Path;
use std::sync::Arc;

use newmarket_agents::Player;
use newmarket_engine::SessionTable;
use newmarket_env::{Game, Rules};

use super::{players, screen};
use crate::failure::Result;
use crate::numbers::whole;
use crate::table_args::{self, split_names};
use crate::terminal;
use crate::wording::Wording;

/// The table.
#[derive(clap::Args)]
pub(super) struct TableFlags {
    /// A named game, the path of a rules file, or house:N, house rules at random.
    #[arg(long, value_name = "R", default_value = "newmarket")]
    rules: String,
    /// Players at the table [default: 4, or as many as are named].
    #[arg(long, value_name = "N", value_parser = table_args::players)]
    players: Option<usize>,
    /// Repeats a session: the same cards, and the same random numbers for the players.
    #[arg(long, value_name = "S", value_parser = whole::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// Deals in the session [default: as the rules say].
    #[arg(long, value_name = "K", value_parser = whole::<u32>(1..=u32::MAX.into()))]
    deals: Option<u32>,
    /// Writes line by line, for screen readers and simple terminals. Without this flag the table fills
    /// a terminal of at least 80 × 24.
    #[arg(long)]
    plain: bool,
}

impl TableFlags {
    /// A session of the game and its seed. The flags say how many play, else the list of names together
    /// with this number of `others`.
    pub(super) fn open(&self, names: &str, others: usize) -> Result<(SessionTable, u64)> {
        let game = Arc::new(self.game(names, others)?);
        let seed = self.seed.unwrap_or_else(terminal::entropy);
        Ok((SessionTable::open(game, players::cards(seed)), seed))
    }

    fn game(&self, names: &str, others: usize) -> Result<Game> {
        let mut rules = Rules::load(&self.rules)?;
        if let Some(deals) = self.deals {
            let mut spec = (*rules).clone();
            spec.session.deals = deals;
            rules = spec.validate()?;
        }
        let (min, max) = rules.players;
        let count = split_names(names).len();
        let usual = if count > 1 { count + others } else { 4.clamp(min, max) };
        Ok(Game::new(rules, self.players.unwrap_or(usual))?)
    }

    /// Refuses to overwrite the rules file.
    pub(super) fn check_is_not_rules(&self, flag: &str, out: Option<&Path>) -> Result {
        table_args::check_is_not_rules(flag, out, &self.rules)
    }

    /// Whether the table fills the screen.
    pub(super) fn full_screen(&self) -> bool {
        !self.plain && screen::fits()
    }
}

/// Who sits where: `On your left, clockwise: Ann, Ben (both stopper)`.
pub(super) fn introduce(wording: &Wording, label: &str, agents: &[Option<Player>]) -> String {
    let seats = agents.iter().enumerate();
    let seats: Vec<(&str, &str)> = seats
        .filter_map(|(seat, agent)| Some((wording.name(seat), agent.as_ref()?.name())))
        .collect();
    let names: Vec<&str> = seats.iter().map(|&(name, _)| name).collect();
    let alike = seats.windows(2).all(|pair| pair[0].1 == pair[1].1);
    let who = match seats[..] {
        [(_, agent), _] if alike => format!("{} (both {agent})", names.join(", ")),
        [(_, agent), _, ..] if alike => format!("{} (all {agent})", names.join(", ")),
        _ => {
            let each = seats.iter().map(|(name, agent)| format!("{name} ({agent})"));
            each.collect::<Vec<_>>().join(", ")
        }
    };
    format!("{label}: {who}")
}
