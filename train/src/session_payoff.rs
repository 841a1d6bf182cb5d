//! The return of a whole session.

use newmarket_agents::SessionResult;
use newmarket_env::Game;
use newmarket_env::rules::Bankroll;

/// The return of a session, in chips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SessionPayoff {
    /// The chips gained. Stacks are a score without limit.
    Chips,
    /// A prize in chips for being ahead at the end, where stacks can run out. The prize is the sum of all
    /// initial stacks, and several winners share it equally. So one more chip is worth about one chip while
    /// stacks are equal. Chips that a seat has bought count against it; observations do not contain them.
    Prize(f32),
}

impl SessionPayoff {
    /// The payoff of sessions of this game.
    pub fn of(game: &Game) -> Self {
        match game.rules().session.bankroll {
            Bankroll::Credit => Self::Chips,
            Bankroll::Chips { start, .. } => Self::Prize(start as f32 * game.players() as f32),
        }
    }

    /// The part of a seat's return at the end of the session, besides the chips that it has gained.
    pub(crate) fn at_end(self, result: &SessionResult, seat: usize) -> f32 {
        match self {
            Self::Chips => 0.0,
            Self::Prize(prize) => prize * result.share(seat) as f32,
        }
    }

    /// An estimate of the rest of the return, limited to the possible values.
    pub(crate) fn bounded(self, estimate: f32) -> f32 {
        match self {
            Self::Chips => estimate,
            Self::Prize(prize) => estimate.clamp(0.0, prize),
        }
    }
}
