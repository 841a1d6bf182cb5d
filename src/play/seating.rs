//! Who plays what with whom: the flags that `play` and `watch` share.

use std::sync::Arc;

use newmarket_agents::Player;
use newmarket_engine::SessionTable;
use newmarket_env::{Game, Rules};

use super::paint::wrap;
use super::pen::Pen;
use super::{players, screen};
use crate::failure::Result;
use crate::numbers::whole;
use crate::table_args::{self, split_names};
use crate::terminal;

/// The table.
#[derive(clap::Args)]
pub(super) struct TableFlags {
    /// A named game, the path of a rules file, or house:N, house rules at random.
    #[arg(long, value_name = "R", default_value = "newmarket")]
    rules: String,
    /// Players at the table [default: 4, or as many as are named].
    #[arg(long, value_name = "N", value_parser = table_args::players)]
    players: Option<usize>,
    /// Repeats a session: same cards, same players, same luck.
    #[arg(long, value_name = "S", value_parser = whole::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// Deals in the session [default: as the rules say].
    #[arg(long, value_name = "K", value_parser = whole::<u32>(1..=u32::MAX.into()))]
    deals: Option<u32>,
    /// Writes line by line, for screen readers and simple terminals; the table fills the screen
    /// otherwise if that is a terminal of at least 80 × 24.
    #[arg(long)]
    plain: bool,
}

impl TableFlags {
    /// A session of the game, for as many as the flags say, else as this list of names fills
    /// together with `others`; and its seed.
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

    /// Whether the table fills the screen.
    pub(super) fn full_screen(&self) -> bool {
        !self.plain && screen::fits()
    }
}

/// Who sits where, in a few words.
pub(super) fn introduce(pen: &Pen, label: &str, agents: &[Option<Player>]) -> String {
    let seats = agents.iter().enumerate();
    let named: Vec<(String, &str)> =
        seats.filter_map(|(seat, agent)| Some((pen.name(seat), agent.as_ref()?.name()))).collect();
    let alike = named.windows(2).all(|pair| pair[0].1 == pair[1].1);
    let last = named.len().saturating_sub(1);
    let pieces = named.iter().enumerate().map(|(nth, (name, agent))| {
        let agent = if alike && nth < last { String::new() } else { format!(" ({agent})") };
        let agent = if alike && nth == last && last > 0 {
            agent.replacen('(', if last == 1 { "(both " } else { "(all " }, 1)
        } else {
            agent
        };
        format!("{name}{agent}{}", if nth < last { "," } else { "" })
    });
    wrap(std::iter::once(label.to_string()).chain(pieces), 4)
}
