//! What a player is.

use std::sync::Arc;

use newmarket_env::{Action, Game, Rng, State, View};

use crate::net::FastNet;

/// A player. It sees a [`View`], never the state, and draws its random numbers from the stream
/// that it is given, so that a seed fixes the whole course of a deal. What it remembers from one
/// decision to the next is at most how it means to go on in the same deal.
pub trait Agent: Send + Sync {
    /// What the agent is called on the command line.
    fn name(&self) -> &str;

    /// One of `view.legal()`, which has at least one action.
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action;

    /// How likely it is to choose each of `view.legal()`, in that order, if it can tell; without
    /// an answer, the only way to know is to have it act often.
    fn probabilities(&mut self, _view: &View) -> Option<Vec<f64>> {
        None
    }

    /// The same with all cards face up: the door through which a cheat looks. Whoever seats
    /// agents decides by this one; all but [`Omniscient`](crate::search::Omniscient) leave it as
    /// it is, and act on what they may see.
    fn act_open(&mut self, table: &OpenTable, rng: &mut Rng) -> Action {
        self.act(&table.view(), rng)
    }

    /// The network whose likeliest action it takes in every decision but which cards to set apart
    /// for poker, if it is such a player: whoever seats many can then ask it for all at once.
    fn greedy_net(&self) -> Option<&Arc<FastNet>> {
        None
    }

    /// Another player of the same kind, for another table.
    fn another(&self) -> Box<dyn Agent>;
}

/// A table with all cards face up, at which a seat is to act.
#[derive(Clone, Copy, Debug)]
pub struct OpenTable<'a> {
    game: &'a Game,
    state: &'a State,
    seat: usize,
}

impl<'a> OpenTable<'a> {
    /// A table at which this seat is to act.
    pub const fn new(game: &'a Game, state: &'a State, seat: usize) -> Self {
        Self { game, state, seat }
    }

    /// The rules.
    pub const fn game(&self) -> &'a Game {
        self.game
    }

    /// Everything.
    pub const fn state(&self) -> &'a State {
        self.state
    }

    /// Who is to act.
    pub fn seat(&self) -> usize {
        self.seat
    }

    /// What the seat may see.
    pub fn view(&self) -> View<'a> {
        self.state.view(self.game, self.seat)
    }
}
