//! Who plays in a rollout: the policy of now, and opponents in some of the seats.

use crate::normalise::ReturnScale;
use newmarket_agents::Player;
use newmarket_env::MAX_PLAYERS;
use newmarket_env::seed::{Rng, below, unit};
use newmarket_net::{FastNet, QuantisedNet};

/// An agent other than the policy of now.
pub struct Opponent {
    /// The agent; each worker has another of the kind.
    pub agent: Player,
    /// The agent that plays for it in playouts; none: itself.
    pub playout_policy: Option<Player>,
    /// Share of episodes with this opponent among the players.
    pub share: f64,
}

impl Opponent {
    /// An agent with its share of episodes.
    pub fn new(agent: Player, share: f64) -> Self {
        Self { agent, playout_policy: None, share }
    }

    /// Another of the kind, with the same share.
    pub(crate) fn another(&self) -> Self {
        let playout_policy = self.playout_policy.as_ref().map(Player::another);
        Self { agent: self.agent.another(), playout_policy, share: self.share }
    }

    /// The agent that plays for it in playouts.
    pub(crate) fn in_playouts(&self) -> &Player {
        self.playout_policy.as_ref().unwrap_or(&self.agent)
    }
}

/// Who sits at the tables.
#[derive(Clone, Copy)]
pub struct Policies<'a> {
    /// The policy of now; its value head is normalised.
    pub policy: &'a FastNet,
    /// The same for playouts.
    pub quantised: &'a QuantisedNet,
    /// From normalised values to chips.
    pub scale: &'a ReturnScale,
    /// Others who may sit in some of the seats.
    pub opponents: &'a [Opponent],
    /// The probability of each seat but one to be the opponent's, where there is one.
    pub opponent_seats: f64,
}

impl Policies<'_> {
    /// Draws by seat which opponent sits there: none in any seat, or, in each seat but one, the same
    /// opponent with the probability [`Policies::opponent_seats`].
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
