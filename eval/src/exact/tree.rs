//! A game in sequence form: its information sets and its ends.
//!
//! A *sequence* is a choice of a player at an information set; with perfect recall it names all
//! earlier choices of that player too. Every player also has the empty sequence, of no choice
//! yet: number `p` for player `p`. The sequences of an information set have numbers in a row, and
//! an information set's own number is above that of any before it, so that passes over all
//! sequences are plain loops, forwards or backwards.

use std::collections::HashMap;
use std::ops::Range;

use super::game::{ExtensiveGame, Node};

/// Why a game cannot be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TreeError {
    /// It has too many states.
    #[error("more than {limit} states")]
    TooLarge {
        /// How many would have been walked.
        limit: u64,
    },
    /// Two states with the same knowledge have different pasts, or different choices.
    #[error("player {player} forgets what it has done or may do")]
    Forgets {
        /// Who.
        player: usize,
    },
}

/// States that the player to move cannot tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Infoset {
    /// Who is to move.
    pub player: usize,
    /// The player's last choice before.
    before: u32,
    /// The first of its sequences, and how many.
    first: u32,
    choices: u32,
}

impl Infoset {
    /// The number of the player's sequence that leads here.
    pub fn before(&self) -> usize {
        self.before as usize
    }

    /// The numbers of its sequences, one a choice.
    pub fn sequences(&self) -> Range<usize> {
        let first = self.first as usize;
        first..first + self.choices as usize
    }
}

/// How every player behaves: the probability of each choice at each information set, by sequence.
#[derive(Clone, PartialEq, Debug)]
pub struct Profile(pub(super) Vec<f64>);

impl Profile {
    /// The probabilities of the choices at an information set.
    pub fn at(&self, infoset: &Infoset) -> &[f64] {
        &self.0[infoset.sequences()]
    }
}

/// A game, walked once.
#[derive(Clone, Debug)]
pub struct Tree<S> {
    players: usize,
    states: u64,
    infosets: Vec<Infoset>,
    /// A state of each information set, to ask players about.
    examples: Vec<S>,
    sequences: usize,
    /// The last sequence of each player before each end of the game.
    ends: Vec<u32>,
    /// What each player gets there, times the probability of all moves of chance.
    payoffs: Vec<f64>,
}

impl<S> Tree<S> {
    /// Walks a game of at most so many states.
    ///
    /// # Errors
    /// If it has more, or a player's knowledge forgets something.
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

    /// How many players.
    pub fn players(&self) -> usize {
        self.players
    }

    /// How many states, ends included.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// The information sets, in the order in which they were found: each after all before it.
    pub fn infosets(&self) -> &[Infoset] {
        &self.infosets
    }

    /// A state of the information set of this number.
    pub fn example(&self, infoset: usize) -> &S {
        &self.examples[infoset]
    }

    /// Sequences of all players, the empty ones included.
    pub(super) fn sequences(&self) -> usize {
        self.sequences
    }

    /// Each end of the game: the last sequence of each player, and what each gets, times the
    /// probability of chance.
    pub(super) fn ends(&self) -> impl Iterator<Item = (&[u32], &[f64])> {
        self.ends.chunks_exact(self.players).zip(self.payoffs.chunks_exact(self.players))
    }

    /// The profile in which everybody behaves as `policy` says, asked once at each information
    /// set, by its number and its number of choices.
    ///
    /// # Panics
    /// If the answer is not a probability distribution over the choices.
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

    /// The profile in which everybody chooses uniformly.
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

    /// The information set of a state, a new one if the knowledge is new.
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
