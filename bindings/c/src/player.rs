//! Players by name: the network of the file, its weaker levels, calculated leads, named strategies.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;

use newmarket_agents::Agent;
use newmarket_agents::net::{self, ActionSelection, NetAgent};
use newmarket_agents::strategy::Strategy;
use newmarket_checkpoints::released;
use newmarket_net::QuantisedNet;

/// The name of the network as its file says that it plays, and those of its weaker selves, which make
/// the mistakes of the champion's.
const PLAYER: &str = "player";
const LEVELS: [(&str, ActionSelection); 3] = {
    let [_, hard, medium, easy] = released::ALL;
    [(hard.name, hard.choice), (medium.name, medium.choice), (easy.name, easy.choice)]
};

/// The names that a host is told.
pub(crate) const NAMES: [&str; 5] = ["net:player", "net:hard", "net:medium", "net:easy", "stopper"];

/// The player of a name.
///
/// # Errors
/// If there is none, or it sees all cards.
pub(crate) fn named(
    name: &str,
    network: &Arc<QuantisedNet>,
    own: ActionSelection,
) -> Result<Box<dyn Agent>, String> {
    #[cfg(feature = "std")]
    if crate::limits::exceeded(name) {
        return Err(format!(
            "player `{name}`: expected at most {} worlds",
            crate::limits::worlds()
        ));
    }
    if let Some((level, calculates)) = net::parts(name) {
        let mut levels = [(PLAYER, own)].into_iter().chain(LEVELS);
        let choice = levels.find(|(name, _)| *name == level).map(|(_, choice)| choice);
        let plays = choice.and_then(ActionSelection::plays);
        let calculates = calculates.map(|(how, worlds)| (how, net::worlds(worlds)));
        return match (choice, plays, calculates) {
            (Some(choice), _, None) => Ok(Box::new(NetAgent::new(name, network.clone(), choice))),
            // A player that makes mistakes on purpose calculates nothing: it would avoid them.
            (_, Some(plays), Some((how, Some(worlds)))) => {
                Ok(how.player(name, network.clone(), worlds, plays))
            }
            _ => Err(unknown(name)),
        };
    }
    #[cfg(feature = "std")]
    if let Some(found) = searching(name) {
        return found;
    }
    match Strategy::named(name) {
        Some(player) => Ok(Box::new(player)),
        None => Err(unknown(name)),
    }
}

/// The player of this name that searches without a network. In a page there is none: the network plays
/// better and is there.
#[cfg(feature = "std")]
fn searching(name: &str) -> Option<Result<Box<dyn Agent>, String>> {
    use newmarket_agents::search;

    match search::named(name, Some(crate::clock::now)) {
        Ok(player) => Some(player?.fair().ok_or_else(|| format!("player `{name}` sees all cards"))),
        Err(error) => Some(Err(format!("{error}"))),
    }
}

fn unknown(name: &str) -> String {
    let searching = if cfg!(feature = "std") { "pimc:N, ismcts:N, " } else { "" };
    format!(
        "unknown player `{name}`: expected net:player, net:player+pimc:N, net:player+search:N, net:hard, net:medium, \
         net:easy, {searching}or a named strategy as stopper"
    )
}
