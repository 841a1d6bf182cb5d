//! The parts of the name of a network's player.

use alloc::boxed::Box;
use alloc::sync::Arc;

use newmarket_net::QuantisedNet;

use super::{CorrectedNet, NetSearch, Plays};
use crate::player::Agent;

/// How a network's player calculates its leads, in a number of sampled determinizations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calculation {
    /// `+pimc:N`: playouts of a rule correct its logits, as [`CorrectedNet`] does.
    Pimc,
    /// `+search:N`: it tries leads in playouts of its own policy, as [`NetSearch`] does.
    Search,
}

impl Calculation {
    fn named(name: &str) -> Option<Self> {
        match name {
            "pimc" => Some(Self::Pimc),
            "search" => Some(Self::Search),
            _ => None,
        }
    }

    /// The player of this network that calculates so, and takes all other decisions as `plays` says; the name is
    /// what it was loaded by.
    pub fn player(
        self,
        name: &str,
        net: Arc<QuantisedNet>,
        worlds: u32,
        plays: Plays,
    ) -> Box<dyn Agent> {
        match self {
            Self::Pimc => Box::new(CorrectedNet::new(name, net, worlds, plays)),
            Self::Search => Box::new(NetSearch::new(name, net, worlds).playing(plays)),
        }
    }
}

/// The text after `net:` in this name, without how the network calculates, and that with the text of its
/// number of worlds if it does. `None` if the name is not a network's.
pub fn parts(name: &str) -> Option<(&str, Option<(Calculation, &str)>)> {
    let rest = name.strip_prefix("net:").filter(|rest| !rest.is_empty())?;
    let calculating = rest.rsplit_once('+').and_then(|(network, how)| {
        let (how, worlds) = how.split_once(':')?;
        Some((network, (Calculation::named(how)?, worlds)))
    });
    Some(calculating.map_or((rest, None), |(network, how)| (network, Some(how))))
}

/// The most worlds in which a network tries a lead, 1 to 1,000,000. `None` if the text is no such number.
pub fn worlds(number: &str) -> Option<u32> {
    number.parse().ok().filter(|worlds| (1..=1_000_000).contains(worlds))
}
