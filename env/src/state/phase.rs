//! What a deal waits for, how it ended, and why an action is refused.

use crate::action::{Action, ActionMask};
use crate::rules::MAX_PLAYERS;

/// What the deal waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub enum Phase {
    /// A seat places its next chip on the layout.
    Ante,
    /// The cards are due, see [`State::deal`](crate::State::deal).
    Deal,
    /// A seat may take the dead hand.
    DeadHand,
    /// A seat may bid for the dead hand.
    Auction,
    /// A seat chooses the next of its five cards for poker.
    SetApart,
    /// A seat checks, bets, calls, raises or folds.
    Bet,
    /// A seat chooses the suit of its lead.
    Lead,
    /// The deal is over.
    Over,
}

impl Phase {
    /// Number of phases; `phase as usize` is below it.
    pub const COUNT: usize = Self::Over as usize + 1;
}

/// How a deal ended, or that it has not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub enum Outcome {
    /// The deal goes on.
    Playing,
    /// This seat played its last card.
    Out(usize),
    /// Nobody could lead.
    NoWinner,
}

/// An action that the rules do not allow. The state is unchanged.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalAction {
    /// A decision is due and the action is illegal.
    #[error("seat {seat} may not {action}: legal are {legal}")]
    NotAllowed {
        /// The seat to act.
        seat: usize,
        /// The action that was tried.
        action: Action,
        /// The legal actions.
        legal: ActionMask,
    },
    /// No decision is due.
    #[error("nobody may {action}: {}", match .phase {
        Phase::Over => "the deal is over",
        _ => "the cards are not dealt yet",
    })]
    NotDue {
        /// The action that was tried.
        action: Action,
        /// What the deal waits for instead.
        phase: Phase,
    },
}

/// No seat, in fields that hold a seat.
pub(crate) const NOBODY: u8 = MAX_PLAYERS as u8;
