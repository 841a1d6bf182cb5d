//! What a game must say about itself to be solved.

use std::hash::Hash;

/// A finite game with chance moves and hidden information, by its rules.
pub trait ExtensiveGame {
    /// Where the game stands: the truth.
    type State;
    /// What a player who is to move knows: two states with equal knowledge are one information
    /// set. It must hold all that the player has ever seen and done (perfect recall), which
    /// [`Tree::grow`](crate::exact::Tree::grow) checks.
    type InfoState: Eq + Hash;

    /// How many players.
    fn players(&self) -> usize;

    /// The game before anything has happened.
    fn start(&self) -> Self::State;

    /// What comes next.
    fn node(&self, state: &Self::State) -> Node<Self::InfoState>;

    /// The state after the `nth` outcome of chance, or the `nth` choice of the player to move.
    fn after(&self, state: &Self::State, nth: usize) -> Self::State;
}

/// What comes next in a game.
#[derive(Clone, PartialEq, Debug)]
pub enum Node<K> {
    /// Nothing: what each player gets.
    Over(Vec<f64>),
    /// A move of chance, by the probabilities of its outcomes.
    Chance(Vec<f64>),
    /// A decision.
    Decision {
        /// Who decides.
        player: usize,
        /// What that player knows.
        info_state: K,
        /// Between how many choices, at least one.
        choices: usize,
    },
}
