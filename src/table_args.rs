//! Flags that many commands share.

use std::sync::Arc;

use newmarket_agents::Agent;
use newmarket_env::{Game, Rules};

/// Which game, for how many.
#[derive(clap::Args)]
pub(crate) struct TableArgs {
    /// A named game (see `newmarket rules`) or the path of a rules file.
    #[arg(long, value_name = "R", default_value = "newmarket")]
    pub(crate) rules: String,
    /// Players at the table.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) players: usize,
}

impl TableArgs {
    /// The game that the flags name.
    pub(crate) fn game(&self) -> anyhow::Result<Arc<Game>> {
        Ok(Arc::new(Game::new(Rules::load(&self.rules)?, self.players)?))
    }
}

/// An agent by name.
pub(crate) fn agent(name: &str) -> anyhow::Result<Box<dyn Agent>> {
    match newmarket_agents::thumb::Thumb::named(name) {
        Some(thumb) => Ok(Box::new(thumb)),
        None => anyhow::bail!("unknown agent `{name}`"),
    }
}
