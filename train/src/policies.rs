//! The players of a rollout: the current policy, and opponents in some of the seats.

use crate::normalise::ReturnScale;
use newmarket_agents::Player;
use newmarket_agents::net::Plays;
use newmarket_env::MAX_PLAYERS;
use newmarket_env::seed::{Rng, below, unit};
use newmarket_net::{FastNet, QuantisedNet};

/// An agent other than the current policy.
pub struct Opponent {
    /// The agent; each worker has a copy.
    pub agent: Player,
    /// The agent that replaces it in playouts; `None`: the agent itself.
    pub playout_policy: Option<Player>,
    /// Share of episodes with this opponent, 0 to 1.
    pub share: f64,
}

impl Opponent {
    /// An agent with its share of episodes.
    pub fn new(agent: Player, share: f64) -> Self {
        Self { agent, playout_policy: None, share }
    }

    /// A copy with the same share.
    pub(crate) fn another(&self) -> Self {
        let playout_policy = self.playout_policy.as_ref().map(Player::another);
        Self { agent: self.agent.another(), playout_policy, share: self.share }
    }

    /// The agent that plays in playouts.
    pub(crate) fn in_playouts(&self) -> &Player {
        self.playout_policy.as_ref().unwrap_or(&self.agent)
    }
}

/// The players at the tables.
#[derive(Clone, Copy)]
pub struct Policies<'a> {
    /// The current policy; its value head is normalised.
    pub policy: &'a FastNet,
    /// The same network for playouts.
    pub quantised: &'a QuantisedNet,
    /// How the policy chooses.
    pub plays: Plays,
    /// Converts normalised values to chips.
    pub scale: &'a ReturnScale,
    /// Opponents that may sit in some of the seats.
    pub opponents: &'a [Opponent],
    /// In episodes with an opponent, the probability of each seat but one to be the opponent's.
    pub opponent_seats: f64,
}

impl Policies<'_> {
    /// Draws the opponent of each seat. An episode has at most one opponent; it sits in each seat but
    /// one with the probability [`Policies::opponent_seats`].
    pub(crate) fn draw_seats(&self, players: usize, rng: &mut Rng) -> [Option<usize>; MAX_PLAYERS] {
        let mut seats = [None; MAX_PLAYERS];
        let mut left = unit(rng);
        let opponent = self.opponents.iter().position(|opponent| {
            left -= opponent.share;
            left < 0.0
        });
        if opponent.is_some() {
            let learner = below(rng, players as u32) as usize;
            for (seat, sitter) in seats.iter_mut().enumerate().take(players) {
                if seat != learner && unit(rng) < self.opponent_seats {
                    *sitter = opponent;
                }
            }
        }
        seats
    }
}
