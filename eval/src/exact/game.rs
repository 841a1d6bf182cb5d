//! The interface of a solvable game.

use std::hash::Hash;

/// The rules of a finite game with chance moves and hidden information.
pub trait ExtensiveGame {
    /// The whole state, hidden information included.
    type State;
    /// The information state of the player to move. Two states with equal information states are one information set.
    /// It must contain everything that the player has seen and done (perfect recall);
    /// [`Tree::grow`](crate::exact::Tree::grow) checks this.
    type InfoState: Eq + Hash;

    /// Number of players.
    fn players(&self) -> usize;

    /// The initial state.
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
        /// The player's information state; equal values are one information set.
        info_state: K,
        /// Number of choices, at least one.
        choices: usize,
    },
}
