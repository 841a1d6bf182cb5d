//! Flags that many commands share.

use std::sync::Arc;

use newmarket_agents::Agent;
use newmarket_env::{Game, Rules};

use crate::terminal;

/// Which game, for how many.
#[derive(clap::Args)]
pub(crate) struct TableArgs {
    /// A named game (see `newmarket rules`) or the path of a rules file.
    #[arg(long, value_name = "R", default_value = "newmarket")]
    pub(crate) rules: String,
    /// Players at the table.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = players)]
    pub(crate) players: usize,
}

pub(crate) fn players(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected a number of players, as 4".into())
}

impl TableArgs {
    /// The game that the flags name.
    pub(crate) fn game(&self) -> anyhow::Result<Arc<Game>> {
        Ok(Arc::new(Game::new(Rules::load(&self.rules)?, self.players)?))
    }
}

/// An agent by name.
pub(crate) fn agent(name: &str) -> anyhow::Result<Box<dyn Agent>> {
    Ok(newmarket_checkpoints::roster::agent(name, terminal::clock)?)
}

/// An agent for each seat: as many names as seats, or one that fills them all.
pub(crate) fn agents(names: &str, players: usize) -> anyhow::Result<Vec<Box<dyn Agent>>> {
    let names: Vec<&str> = names.split(',').map(str::trim).collect();
    match names[..] {
        [one] => (0..players).map(|_| agent(one)).collect(),
        _ if names.len() == players => names.into_iter().map(agent).collect(),
        _ => anyhow::bail!(
            "{} agents for {players} seats: expected {players} names, or one for all",
            names.len()
        ),
    }
}
