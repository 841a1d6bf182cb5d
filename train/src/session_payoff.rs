//! What a whole session is worth to a seat.

use newmarket_agents::SessionResult;
use newmarket_env::Game;
use newmarket_env::rules::Bankroll;

/// What a session is played for; the unit is chips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SessionPayoff {
    /// The chips gained: stacks are a score, and nobody buys any.
    Chips,
    /// Being ahead at the end, where stacks can run out: so many chips, all that the seats began with, go
    /// to the winner, in equal parts to several. So a chip more is worth about a chip as long as the
    /// seats are level. What a seat has bought counts against it, and no observation tells it.
    Prize(f32),
}

impl SessionPayoff {
    /// What sessions of this game are played for.
    pub fn of(game: &Game) -> Self {
        match game.rules().session.bankroll {
            Bankroll::Credit => Self::Chips,
            Bankroll::Chips { start, .. } => Self::Prize(start as f32 * game.players() as f32),
        }
    }

    /// What a seat gets when the session is over, beyond the chips that it has gained.
    pub(crate) fn at_end(self, result: &SessionResult, seat: usize) -> f32 {
        match self {
            Self::Chips => 0.0,
            Self::Prize(prize) => prize * result.share(seat) as f32,
        }
    }

    /// An estimate of what is still to come, within what can come.
    pub(crate) fn bounded(self, estimate: f32) -> f32 {
        match self {
            Self::Chips => estimate,
            Self::Prize(prize) => estimate.clamp(0.0, prize),
        }
    }
}
