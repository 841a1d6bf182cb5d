//! A game in sequence form: its information sets and its ends.
//!
//! A *sequence* is a choice of a player at an information set; with perfect recall it implies all earlier choices of that
//! player. Each player also has the empty sequence, without a choice: number `p` for player `p`. The sequences of an
//! information set have consecutive numbers, and a later information set has a higher number, so passes over all
//! sequences are plain loops, forwards or backwards.

use std::collections::HashMap;
use std::ops::Range;

use super::game::{ExtensiveGame, Node};

/// Why a game cannot be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TreeError {
    /// The game has too many states.
    #[error("more than {limit} states")]
    TooLarge {
        /// The most states.
        limit: u64,
    },
    /// Two states with the same information state have different pasts or different choices.
    #[error("player {player} forgets what it has done or may do")]
    Forgets {
        /// The player that forgets.
        player: usize,
    },
}

/// States that the player to move cannot tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Infoset {
    /// The player to move.
    pub player: usize,
    /// The player's last sequence before it.
    before: u32,
    /// The first of its sequences, and their number.
    first: u32,
    choices: u32,
}

impl Infoset {
    /// The player's sequence that leads here.
    pub fn before(&self) -> usize {
        self.before as usize
    }

    /// Its sequences, one for each choice.
    pub fn sequences(&self) -> Range<usize> {
        let first = self.first as usize;
        first..first + self.choices as usize
    }
}

/// The strategies of all players: the probability of each choice at each information set, by sequence.
#[derive(Clone, PartialEq, Debug)]
pub struct Profile(pub(super) Vec<f64>);

impl Profile {
    /// The probabilities of the choices at an information set.
    pub fn at(&self, infoset: &Infoset) -> &[f64] {
        &self.0[infoset.sequences()]
    }
}

/// A game in sequence form.
#[derive(Clone, Debug)]
pub struct Tree<S> {
    players: usize,
    states: u64,
    infosets: Vec<Infoset>,
    /// One state of each information set.
    examples: Vec<S>,
    sequences: usize,
    /// The last sequence of each player before each end of the game.
    ends: Vec<u32>,
    /// The payoff of each player at each end, times the probability of all chance moves.
    payoffs: Vec<f64>,
}

impl<S> Tree<S> {
    /// Walks a game.
    ///
    /// # Errors
    /// If it has more than `limit` states, or a player lacks perfect recall.
    pub fn grow<G: ExtensiveGame<State = S>>(game: &G, limit: u64) -> Result<Self, TreeError> {
        let players = game.players();
        let tree = Self {
            players,
            states: 0,
            infosets: Vec::new(),
            examples: Vec::new(),
            sequences: players,
            ends: Vec::new(),
            payoffs: Vec::new(),
        };
        let mut walk = Walk { game, limit, tree, known: HashMap::new() };
        let mut last: Vec<u32> = (0..players as u32).collect();
        walk.visit(game.start(), 1.0, &mut last)?;
        Ok(walk.tree)
    }

    /// Number of players.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Number of states, including ends.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// The information sets, in the order of their numbers: each after all that lead to it.
    pub fn infosets(&self) -> &[Infoset] {
        &self.infosets
    }

    /// A state of an information set, by its number.
    pub fn example(&self, infoset: usize) -> &S {
        &self.examples[infoset]
    }

    /// Number of sequences of all players, including the empty ones.
    pub(super) fn sequences(&self) -> usize {
        self.sequences
    }

    /// The ends of the game: the last sequence of each player, and each player's payoff times the probability of chance.
    pub(super) fn ends(&self) -> impl Iterator<Item = (&[u32], &[f64])> {
        self.ends.chunks_exact(self.players).zip(self.payoffs.chunks_exact(self.players))
    }

    /// The profile with the probabilities of `policy`, which is called once for each information set, with its number
    /// and its number of choices.
    ///
    /// # Panics
    /// If `policy` does not return a probability distribution over the choices.
    pub fn profile(&self, mut policy: impl FnMut(usize, usize) -> Vec<f64>) -> Profile {
        let mut profile = vec![1.0; self.sequences];
        for (number, infoset) in self.infosets.iter().enumerate() {
            let chances = policy(number, infoset.choices as usize);
            let total: f64 = chances.iter().sum();
            let valid = (total - 1.0).abs() < 1e-6 && chances.iter().all(|&chance| chance >= 0.0);
            assert!(valid, "not probabilities: {chances:?}");
            profile[infoset.sequences()].copy_from_slice(&chances);
        }
        Profile(profile)
    }

    /// The profile in which all players choose uniformly.
    pub fn uniform(&self) -> Profile {
        self.profile(|_, choices| vec![1.0 / choices as f64; choices])
    }
}

struct Walk<'a, G: ExtensiveGame> {
    game: &'a G,
    limit: u64,
    tree: Tree<G::State>,
    known: HashMap<(usize, G::InfoState), usize>,
}

impl<G: ExtensiveGame> Walk<'_, G> {
    fn visit(
        &mut self,
        state: G::State,
        chance: f64,
        last: &mut Vec<u32>,
    ) -> Result<(), TreeError> {
        self.tree.states += 1;
        if self.tree.states > self.limit {
            return Err(TreeError::TooLarge { limit: self.limit });
        }
        match self.game.node(&state) {
            Node::Terminal(payoffs) => {
                self.tree.ends.extend_from_slice(last);
                self.tree.payoffs.extend(payoffs.iter().map(|payoff| payoff * chance));
            }
            Node::Chance(outcomes) => {
                for (nth, outcome) in outcomes.into_iter().enumerate() {
                    self.visit(self.game.after(&state, nth), chance * outcome, last)?;
                }
            }
            Node::Decision { player, info_state, choices } => {
                let next: Vec<G::State> =
                    (0..choices).map(|nth| self.game.after(&state, nth)).collect();
                let infoset = self.infoset(state, (player, info_state), choices, last[player])?;
                for (sequence, next) in infoset.sequences().zip(next) {
                    last[player] = sequence as u32;
                    self.visit(next, chance, last)?;
                }
                last[player] = infoset.before;
            }
        }
        Ok(())
    }

    /// The information set of a state; a new one if its information state is new.
    fn infoset(
        &mut self,
        state: G::State,
        info_state: (usize, G::InfoState),
        choices: usize,
        before: u32,
    ) -> Result<Infoset, TreeError> {
        let (player, tree) = (info_state.0, &mut self.tree);
        let number = *self.known.entry(info_state).or_insert_with(|| {
            let (first, choices) = (tree.sequences as u32, choices as u32);
            tree.infosets.push(Infoset { player, before, first, choices });
            tree.examples.push(state);
            tree.sequences += choices as usize;
            tree.infosets.len() - 1
        });
        let infoset = self.tree.infosets[number];
        if (infoset.before, infoset.choices as usize) == (before, choices) {
            Ok(infoset)
        } else {
            Err(TreeError::Forgets { player })
        }
    }
}
