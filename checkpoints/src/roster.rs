//! Agents by name: strategies, search, and networks from their files.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use std::path::Path;

use newmarket_agents::net::{self, ActionSelection, Calculation, NetAgent};
use newmarket_agents::search::{self, Clock, SpecError};
use newmarket_agents::strategy::{self, Content, Strategy};
use newmarket_agents::{Agent, Player};
use newmarket_env::text::with_causes;
use newmarket_net::QuantisedNet;

use crate::error::Error;
use crate::manifest::Checkpoint;
use crate::player::NetPlayer;
use crate::released;
use crate::store::resolve;
use crate::strategy_file::{self, StrategyError, read_strategy};

/// The names of agents and their descriptions, in the order of the help pages. `N`, `T` and `PATH` are
/// placeholders.
pub fn names() -> impl Iterator<Item = (String, String)> {
    let released = released::ALL.map(|it| (format!("net:{}", it.name), it.about));
    let strategies = strategy::NAMES.map(|name| {
        (name.to_string(), Strategy::named(name).expect("a named strategy").about().to_string())
    });
    let files = [
        ("net:PATH", "a checkpoint, the best one of a run folder, or an exported player"),
        (
            "net:PATH+pimc:N",
            "the same, its leads corrected by playouts of a rule in N sampled determinizations",
        ),
        ("net:PATH+search:N", "the same, trying its leads in up to N sampled determinizations"),
        ("strategy:PATH", "a strategy of your own: a file as docs/STRATEGIES.md describes it"),
    ];
    let others = search::NAMES.into_iter().chain(files);
    let released = released.into_iter().map(|(name, about)| (name, about.to_string()));
    let others = others.map(|(name, about)| (name.to_string(), about.to_string()));
    released.chain(strategies).chain(others)
}

/// Why there is no agent of a name.
#[derive(Debug, thiserror::Error)]
pub enum RosterError {
    /// No agent has this name.
    #[error(
        "unknown agent `{name}`: expected {}, {}, {} or net:PATH (a checkpoint, an exported \
         player or a run folder) or strategy:PATH (a strategy file); a network calculates its leads as net:PATH+pimc:N or net:PATH+search:N",
        strategy::NAMES.join(", "),
        search::NAMES.map(|(name, _)| name).join(", "),
        released::ALL.map(|released| format!("net:{}", released.name)).join(", ")
    )]
    Unknown {
        /// The name that was given.
        name: String,
    },
    /// A malformed name of a searching player.
    #[error(transparent)]
    Search(#[from] SpecError),
    /// A name of a network whose end is not a number of worlds.
    #[error("agent `{name}`: `{worlds}` is not a number of worlds: expected 1 to 1000000")]
    Worlds {
        /// The name that was given.
        name: String,
        /// What stands where the number should be.
        worlds: String,
    },
    /// Calculated leads of a network that samples its actions.
    #[error(
        "agent `{name}` makes mistakes on purpose, and would make fewer if it calculated: expected a \
         network that takes its likeliest action, as net:champion+search:64"
    )]
    Erring {
        /// The name that was given.
        name: String,
    },
    /// A player that sees all cards, where it may only see its own hand.
    #[error(
        "agent `{name}` sees all cards: expected one that sees its own hand alone, as stopper or \
         net:champion"
    )]
    Open {
        /// The name that was given.
        name: String,
    },
    /// A program, where programs cannot play.
    #[error(
        "agent `{name}` is a program: expected an agent of this program, as stopper or \
         net:champion (programs play where they are named on the command line of duel, ladder, survey, \
         play, watch or trace, or in a call of Python's duel or trace)"
    )]
    Program {
        /// The name that was given.
        name: String,
    },
    /// The strategy cannot be used.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// The network cannot be read.
    #[error(transparent)]
    Net(#[from] Error),
}

/// The agent of this name: a named strategy, `strategy:PATH` with a strategy file, a searching player
/// ([`search::NAMES`]), or `net:PATH` with a checkpoint or a run folder (then its best checkpoint). `net:PATH+pimc:N` and
/// `net:PATH+search:N` try a lead in `N` worlds. Agents with a budget of time read `clock`.
///
/// # Errors
/// If no agent has this name, or the checkpoint cannot be used.
pub fn agent(name: &str, clock: Clock) -> Result<Player, RosterError> {
    choosing(name, ActionSelection::Greedy, Some(clock))
}

/// The agent of this name; a network chooses its actions by `choice`. Without a clock, agents with a budget of
/// time are refused: all others are a function of their view and seed.
///
/// # Errors
/// If no agent has this name, or the checkpoint cannot be used.
pub fn choosing(
    name: &str,
    choice: ActionSelection,
    clock: Option<Clock>,
) -> Result<Player, RosterError> {
    if let Some(network) = network(name) {
        return network.agent(choice);
    }
    // Names may come from files and from other machines, so no name starts a program.
    if name.starts_with("exec:") {
        return Err(RosterError::Program { name: name.into() });
    }
    if let Some(path) = name.strip_prefix(strategy_file::PREFIX) {
        return Ok(by_strategy(name, read_strategy(Path::new(path))?, choice, clock)?.into());
    }
    if let Some(searching) = search::named(name, clock)? {
        return Ok(searching);
    }
    let named = Strategy::named(name).ok_or_else(|| RosterError::Unknown { name: name.into() })?;
    Ok(named.into())
}

/// The player of a strategy, with the players on which it builds.
///
/// # Errors
/// If a player on which it builds cannot be used.
pub fn by_strategy(
    name: &str,
    content: Arc<Content>,
    choice: ActionSelection,
    clock: Option<Clock>,
) -> Result<Strategy, StrategyError> {
    let mut players = |base: &str| fair(base, choice, clock).map_err(|error| with_causes(&error));
    Strategy::new(name, content, &mut players)
        .map_err(|problem| StrategyError::Base { name: name.into(), problem })
}

/// The fair agent of this name; otherwise as [`choosing`].
///
/// # Errors
/// If no agent has this name, it sees all cards, or the checkpoint cannot be used.
pub fn fair(
    name: &str,
    choice: ActionSelection,
    clock: Option<Clock>,
) -> Result<Box<dyn Agent>, RosterError> {
    choosing(name, choice, clock)?.fair().ok_or_else(|| RosterError::Open { name: name.into() })
}

/// The parts of a network's name: `net:PATH`, or `net:PATH+pimc:N` or `net:PATH+search:N`, which calculate leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetName<'n> {
    name: &'n str,
    /// A checkpoint, or a run folder.
    pub path: &'n Path,
    /// How it calculates leads, and the number of worlds for a lead, as text.
    pub calculates: Option<(Calculation, &'n str)>,
}

/// The parts of this name, if it is the name of a network.
pub fn network(name: &str) -> Option<NetName<'_>> {
    let (path, calculates) = net::parts(name)?;
    Some(NetName { name, path: Path::new(path), calculates })
}

impl NetName<'_> {
    /// The player of this name. Where it calculates nothing it uses `choice`, or its own choice if that is greedy.
    ///
    /// # Errors
    /// If the network cannot be used, the number of worlds is malformed, or a player with mistakes is to calculate.
    pub fn agent(&self, choice: ActionSelection) -> Result<Player, RosterError> {
        self.of_player(|| net_player(self.path), choice)
    }

    /// The same, with the network of a checkpoint that `checkpoint` reads after the name was checked.
    ///
    /// # Errors
    /// If there is no such checkpoint, or the number of worlds is malformed.
    pub fn playing(
        &self,
        checkpoint: impl FnOnce() -> Result<Checkpoint, Error>,
        choice: ActionSelection,
    ) -> Result<Player, RosterError> {
        let released = self.path.to_str().and_then(released::named);
        let player = |checkpoint| match released {
            Some(released) => released.player(checkpoint),
            None => checkpoint.into(),
        };
        self.of_player(|| checkpoint().map(player), choice)
    }

    /// The same with the network that `player` reads after the name was checked, from wherever it is kept.
    ///
    /// # Errors
    /// If it cannot be read, or the number of worlds is malformed.
    pub fn of_player(
        &self,
        player: impl FnOnce() -> Result<NetPlayer, Error>,
        choice: ActionSelection,
    ) -> Result<Player, RosterError> {
        let calculates = match self.calculates {
            Some((how, worlds)) => Some((how, self.worlds(worlds)?)),
            None => None,
        };
        let player = player()?;
        let net = Arc::new(QuantisedNet::new(&player.checkpoint.weights));
        let choice = if choice == ActionSelection::Greedy { player.choice } else { choice };
        match (calculates, player.choice.plays()) {
            (Some(_), None) => Err(RosterError::Erring { name: self.name.into() }),
            (Some((how, worlds)), Some(plays)) => {
                Ok(Player::Fair(how.player(self.name, net, worlds, plays)))
            }
            (None, _) => Ok(NetAgent::new(self.name, net, choice).into()),
        }
    }

    fn worlds(&self, worlds: &str) -> Result<u32, RosterError> {
        let refused = || RosterError::Worlds { name: self.name.into(), worlds: worlds.into() };
        net::worlds(worlds).ok_or_else(refused)
    }
}

/// The network at `path`, for this program's encoding. `path` is a checkpoint, an exported player, a run
/// folder (then its best checkpoint), or the name of a released player.
///
/// # Errors
/// If it cannot be used.
pub fn net_player(path: &Path) -> Result<NetPlayer, Error> {
    if let Some(released) = path.to_str().and_then(released::named) {
        let player = NetPlayer::from_bytes(released.file).map_err(Error::format(path))?;
        return Ok(released.player(player.checkpoint));
    }
    if !path.exists() {
        return Err(Error::NoPlayer { path: path.into() });
    }
    NetPlayer::read(&resolve(path)?)
}

/// The same as a checkpoint. The choice of a released player is dropped.
///
/// # Errors
/// If it cannot be used, or it is an exported player with a temperature.
pub fn net_checkpoint(path: &Path) -> Result<Checkpoint, Error> {
    let player = net_player(path)?;
    if path.to_str().and_then(released::named).is_some() {
        return Ok(player.checkpoint);
    }
    player.into_checkpoint().map_err(Error::format(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_networks_are_taken_apart() {
        use Calculation::{Pimc, Search};
        for (name, path, calculates) in [
            ("net:a/b.ckpt", "a/b.ckpt", None),
            ("net:a/b+search:64", "a/b", Some((Search, "64"))),
            ("net:a/b+pimc:64", "a/b", Some((Pimc, "64"))),
            ("net:a+search:3/b", "a", Some((Search, "3/b"))),
            ("net:a+pimc:3+b", "a+pimc:3+b", None),
            ("net:a+b", "a+b", None),
        ] {
            let found = network(name).expect(name);
            assert_eq!((found.path, found.calculates), (Path::new(path), calculates), "{name}");
        }
        assert_eq!((network("stopper"), network("net:")), (None, None));
    }

    #[test]
    fn a_level_calculates_nothing() {
        for name in ["net:easy+search:4", "net:hard+search:64", "net:hard+pimc:64"] {
            let error = choosing(name, ActionSelection::Greedy, None).err().expect("it is none");
            assert!(error.to_string().contains("as net:champion+search:64"), "{error}");
        }
        for name in ["net:champion+search:4", "net:champion+pimc:4"] {
            choosing(name, ActionSelection::Greedy, None).expect("it calculates");
        }
    }

    #[test]
    fn who_is_not_there_is_told_who_is() {
        for name in ["net:hrd", "net:", "net:no/such/run+search:64", "champion"] {
            let error = choosing(name, ActionSelection::Greedy, None).err().expect("it is none");
            let text = error.to_string();
            let all = released::ALL.iter().all(|released| text.contains(released.name));
            assert!(all && text.contains("run folder"), "{text}");
        }
    }

    #[test]
    fn a_number_of_worlds_that_is_none_is_told_before_the_file_is_read() {
        for worlds in ["", "0", "-1", "x", "1000001", "64,playout=random"] {
            let name = format!("net:nowhere+search:{worlds}");
            let error = choosing(&name, ActionSelection::Greedy, None).err().expect("it is none");
            let text = error.to_string();
            assert!(text.contains("expected 1 to 1000000") && text.contains(&name), "{text}");
        }
    }
}
