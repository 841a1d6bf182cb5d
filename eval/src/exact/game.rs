//! The interface of a game that can be solved.

use std::hash::Hash;

/// A finite game with chance moves and hidden information, by its rules.
pub trait ExtensiveGame {
    /// The whole state, hidden information included.
    type State;
    /// What a player who is to move knows: two states with equal knowledge are one information
    /// set. It must hold all that the player has ever seen and done (perfect recall), which
    /// [`Tree::grow`](crate::exact::Tree::grow) checks.
    type InfoState: Eq + Hash;

    /// Number of players.
    fn players(&self) -> usize;

    /// The game before anything has happened.
    fn start(&self) -> Self::State;

    /// The kind of the node at this state.
    fn node(&self, state: &Self::State) -> Node<Self::InfoState>;

    /// The state after the `nth` outcome of chance, or the `nth` choice of the player to move.
    fn after(&self, state: &Self::State, nth: usize) -> Self::State;
}

/// A node of the game tree.
#[derive(Clone, PartialEq, Debug)]
pub enum Node<K> {
    /// The game is over: the payoff of each player.
    Terminal(Vec<f64>),
    /// A chance node: the probabilities of its outcomes.
    Chance(Vec<f64>),
    /// A decision node.
    Decision {
        /// The player that decides.
        player: usize,
        /// What that player knows; equal values are one information set.
        info_state: K,
        /// Number of choices, at least one.
        choices: usize,
    },
}
