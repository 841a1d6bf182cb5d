//! Searching players by name.

use std::time::Duration;

use super::{Budget, Clock, Omniscient, Pimc, Playout};
use crate::agent::Agent;

/// What the names are, for a help page.
pub const HELP: &str = "";

/// Why a name is none of a searching player's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("x")]
pub struct SpecError;

/// The player.
pub fn named(name: &str, clock: Clock) -> Option<Result<Box<dyn Agent>, SpecError>> {
    let (kind, rest) = name.split_once(':').unwrap_or((name, ""));
    Some(Ok(match kind {
        "omniscient" => Box::new(Omniscient::new()),
        "pimc" => {
            let (n, p) = rest.split_once(",playout=").unwrap_or((rest, "stopper"));
            let budget = match n.strip_suffix("ms") {
                Some(ms) => Budget::Time(Duration::from_millis(ms.parse().unwrap()), clock),
                None => Budget::Count(n.parse().unwrap()),
            };
            Box::new(Pimc::new(name, budget, Playout::named(p).unwrap()))
        }
        _ => return None,
    }))
}
