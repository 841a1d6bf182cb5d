//! What a player is.

use newmarket_env::{Action, Rng, View};

/// A player. It sees a [`View`], never the state, and draws its random numbers from the stream
/// that it is given, so that a seed fixes the whole course of a deal.
pub trait Agent: Send {
    /// What the agent is called on the command line.
    fn name(&self) -> &str;

    /// One of `view.legal()`, which has at least one action.
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action;

    /// How likely it is to choose each of `view.legal()`, in that order, if it can tell; without
    /// an answer, the only way to know is to have it act often.
    fn probabilities(&mut self, _view: &View) -> Option<Vec<f64>> {
        None
    }

    /// Another player of the same kind, for another table.
    fn another(&self) -> Box<dyn Agent>;
}
