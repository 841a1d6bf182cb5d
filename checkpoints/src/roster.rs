//! Agents by name: the rules of thumb, search, and networks from their files.

use std::path::Path;
use std::sync::Arc;

use newmarket_agents::net::{Choice, FastNet, NetAgent};
use newmarket_agents::search::{self, Clock, SpecError};
use newmarket_agents::{Agent, thumb};

use crate::error::Error;
use crate::manifest::{Checkpoint, Encoding};
use crate::store::resolve;

/// Why there is no agent of a name.
#[derive(Debug, thiserror::Error)]
pub enum RosterError {
    /// No agent is called that.
    #[error(
        "unknown agent `{name}`: expected {}, {} or net:PATH (a checkpoint or a run folder)",
        thumb::ALL.map(|thumb| thumb.name()).join(", "),
        search::NAMES.map(|(name, _)| name).join(", ")
    )]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// A searching player's name that makes no sense.
    #[error(transparent)]
    Search(#[from] SpecError),
    /// The network cannot be read.
    #[error(transparent)]
    Net(#[from] Error),
}

/// The agent of this name: a rule of thumb, a searching player ([`search::NAMES`]), or `net:PATH`
/// with a checkpoint or a run folder (then its best checkpoint). Who plays by time reads it off
/// `clock`.
///
/// # Errors
/// If no agent is called that, or the checkpoint cannot be used.
pub fn agent(name: &str, clock: Clock) -> Result<Box<dyn Agent>, RosterError> {
    choosing(name, Choice::Greedy, Some(clock))
}

/// The agent of this name; a network chooses like this. Without a clock, who plays by time is
/// refused: what the others do is a function of what they see and of their seed.
///
/// # Errors
/// If no agent is called that, or the checkpoint cannot be used.
pub fn choosing(
    name: &str,
    choice: Choice,
    clock: Option<Clock>,
) -> Result<Box<dyn Agent>, RosterError> {
    if let Some((path, worlds)) =
        network(name).and_then(|path| path.to_str()?.rsplit_once("+search:"))
    {
        let weights = net_checkpoint(Path::new(path))?.weights;
        let worlds = worlds.parse().expect("number");
        return Ok(Box::new(newmarket_agents::net::NetSearch::new(
            name,
            Arc::new(FastNet::new(&weights)),
            worlds,
        )));
    }
    if let Some(path) = network(name) {
        return Ok(Box::new(net_agent(name, path, choice)?));
    }
    if let Some(searching) = search::named(name, clock)? {
        return Ok(searching);
    }
    match thumb::Thumb::named(name) {
        Some(thumb) => Ok(Box::new(thumb)),
        None => Err(RosterError::Unknown { name: name.into() }),
    }
}

/// Where the network of this name is looked for, if it is the name of one.
pub fn network(name: &str) -> Option<&Path> {
    name.strip_prefix("net:").map(Path::new)
}

/// A player of this name with the network at `path`, a checkpoint or a run folder.
///
/// # Errors
/// If the checkpoint cannot be used.
pub fn net_agent(name: &str, path: &Path, choice: Choice) -> Result<NetAgent, Error> {
    let weights = net_checkpoint(path)?.weights;
    Ok(NetAgent::new(name, Arc::new(FastNet::new(&weights)), choice))
}

/// The checkpoint at `path`, or the best one of the run folder there, made for this program's
/// encoding.
///
/// # Errors
/// If it cannot be used.
pub fn net_checkpoint(path: &Path) -> Result<Checkpoint, Error> {
    let path = resolve(path)?;
    let checkpoint = Checkpoint::read(&path)?;
    checkpoint.check_encoding(&path, Encoding::current())?;
    Ok(checkpoint)
}
