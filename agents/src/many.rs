//! Decisions at many tables at once.

use alloc::vec::Vec;

use newmarket_env::{Action, Phase, Rng, View};

/// The decisions of a player at many tables at once. What is chosen at one does not depend on the others.
pub trait DecideMany: Send + Sync {
    /// Whether it is to be asked for decisions of this phase. For others, the player at the table acts.
    fn decides(&self, phase: Phase) -> bool;

    /// For each view one of its legal actions; `None` leaves the decision to [`Agent::act_undecided`](crate::Agent::act_undecided) of the player
    /// at the table. `rngs[i]` is the stream of random numbers for `views[i]`.
    fn act(&mut self, views: &[View], rngs: &mut [&mut Rng]) -> Vec<Option<Action>>;
}
