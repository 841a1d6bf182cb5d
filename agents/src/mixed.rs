//! A player that takes its decisions of one kind as one player, and all others as another.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;

use newmarket_env::{Action, Rng};

use crate::strategy::DecisionKind;
use crate::{DealEvents, EventAgent, Player};

/// A player made of two: what a kind of decision is worth is measured by it.
pub struct Mixed {
    name: String,
    kind: DecisionKind,
    /// Takes the decisions of this kind.
    own: Part,
    /// Takes all others.
    other: Part,
}

/// A fair player.
enum Part {
    Views(Box<dyn crate::Agent>),
    Events(Box<dyn EventAgent>),
}

impl Mixed {
    /// The player that decides as `own` where the decision is of this kind, else as `other`. `None` if one of them sees
    /// all cards.
    pub fn player(kind: DecisionKind, own: &Player, other: &Player) -> Option<Player> {
        let name = format!("{} of {}, else {}", kind.spoken(), own.name(), other.name());
        let (own, other) = (Part::of(own)?, Part::of(other)?);
        Some(Player::Events(Box::new(Self { name, kind, own, other })))
    }
}

impl Part {
    fn of(player: &Player) -> Option<Self> {
        match player {
            Player::Fair(agent) => Some(Self::Views(agent.another())),
            Player::Events(agent) => Some(Self::Events(agent.another())),
            Player::Open(_) => None,
        }
    }

    fn act(&mut self, deal: &DealEvents, rng: &mut Rng) -> Action {
        match self {
            Self::Views(agent) => agent.act(&deal.view(), rng),
            Self::Events(agent) => agent.act(deal, rng),
        }
    }

    fn over(&mut self, deal: &DealEvents) {
        if let Self::Events(agent) = self {
            agent.over(deal);
        }
    }

    fn another(&self) -> Self {
        match self {
            Self::Views(agent) => Self::Views(agent.another()),
            Self::Events(agent) => Self::Events(agent.another()),
        }
    }
}

impl EventAgent for Mixed {
    fn name(&self) -> &str {
        &self.name
    }

    fn act(&mut self, deal: &DealEvents, rng: &mut Rng) -> Action {
        let is_own = DecisionKind::of(deal.view().phase()) == Some(self.kind);
        let part = if is_own { &mut self.own } else { &mut self.other };
        part.act(deal, rng)
    }

    fn over(&mut self, deal: &DealEvents) {
        self.own.over(deal);
        self.other.over(deal);
    }

    fn another(&self) -> Box<dyn EventAgent> {
        let (name, kind) = (self.name.clone(), self.kind);
        Box::new(Self { name, kind, own: self.own.another(), other: self.other.another() })
    }
}
