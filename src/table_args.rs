//! Flags that many commands share.

use std::sync::Arc;

use newmarket_agents::{Player, heuristic, search};
use newmarket_checkpoints::released;
use newmarket_env::{Game, Rules};

use crate::failure::{Failure, Result};
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
    pub(crate) fn game(&self) -> Result<Arc<Game>> {
        Ok(Arc::new(Game::new(Rules::load(&self.rules)?, self.players)?))
    }
}

/// The end of a help page: an example, and who can be asked to play.
pub(crate) fn with_agents(example: &str) -> String {
    let heuristics = heuristic::ALL.map(|heuristic| (heuristic.name(), heuristic.about()));
    let released = released::ALL.map(|it| (format!("net:{}", it.name), it.about));
    let files = [
        ("net:PATH", "a checkpoint, the best one of a run folder, or an exported player"),
        ("net:PATH+search:N", "the same, trying its leads in up to N sampled determinizations"),
    ];
    let named = heuristics.into_iter().chain(search::NAMES).chain(files);
    let agents: Vec<String> = (released.iter().map(|(name, about)| (&**name, *about)))
        .chain(named)
        .map(|(name, about)| format!("  {name:<17} {about}"))
        .collect();
    format!(
        "{example}\n\nAgents:\n{}\n  pimc and ismcts may say how deals are played out, as in \
         pimc:60,playout=random",
        agents.join("\n")
    )
}

/// An agent by name.
pub(crate) fn agent(name: &str) -> Result<Player> {
    Ok(newmarket_checkpoints::roster::agent(name, terminal::clock)?)
}

/// The names of a list. `playout=…` after a comma belongs to the name before it.
pub(crate) fn split_names(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for part in text.split(',').map(str::trim) {
        match names.last_mut() {
            Some(last) if part.starts_with("playout=") => *last = format!("{last},{part}"),
            _ => names.push(part.into()),
        }
    }
    names
}

/// An agent for each seat: as many names as seats, or one that fills them all.
pub(crate) fn agents(names: &str, players: usize) -> Result<Vec<Player>> {
    let names = split_names(names);
    match &names[..] {
        [one] => (0..players).map(|_| agent(one)).collect(),
        _ if names.len() == players => names.iter().map(|name| agent(name)).collect(),
        _ => Err(Failure::user(format!(
            "{} agents for {players} seats: expected {players} names, or one for all",
            names.len()
        ))),
    }
}
