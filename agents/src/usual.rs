//! The base `usual`: what all named heuristics do about antes, the dead hand and poker.
//!
//! They differ in their leads alone, which are clauses of their files.

pub(crate) mod poker;
pub(crate) mod stakes;

use newmarket_env::{Action, Phase, View};
pub use poker::chance_to_win;

/// Any decision but a lead: antes, the dead hand, poker.
///
/// # Panics
/// If a lead is due, or no decision.
pub(crate) fn before_play(view: &View) -> Action {
    match view.phase() {
        // After a look, over the cells that the hand claims.
        Phase::Ante => stakes::evenly(view, stakes::held(view)),
        Phase::SetApart => view.pick_of_best_five(),
        Phase::Bet => poker::bet(view),
        Phase::DeadHand | Phase::Auction => stakes::dead_hand(view),
        Phase::Deal | Phase::Lead | Phase::Over => unreachable!("only decisions before the play"),
    }
}
