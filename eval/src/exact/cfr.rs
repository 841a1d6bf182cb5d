//! CFR+ (Tammelin 2014): counterfactual regret minimisation with regret matching+, alternating updates of the players,
//! and an average in which iteration `t` has weight `t`.

use super::exploit::Exploitability;
use super::tree::{Profile, Tree};

/// A solver of a game.
#[derive(Clone, Debug)]
pub struct CfrPlus<'a, S> {
    tree: &'a Tree<S>,
    iterations: u64,
    current: Profile,
    /// Regrets for each sequence, never below 0.
    regrets: Vec<f64>,
    /// The weighted sum of each sequence's reach over iterations. An average strategy averages reach, not
    /// probabilities.
    average: Vec<f64>,
}

impl<'a, S> CfrPlus<'a, S> {
    /// A solver before its first iteration: all players choose uniformly.
    pub fn new(tree: &'a Tree<S>) -> Self {
        let nothing = vec![0.0; tree.sequences()];
        let current = tree.uniform();
        Self { tree, iterations: 0, current, regrets: nothing.clone(), average: nothing }
    }

    /// Does one iteration: updates each player in turn against the current strategies of the others.
    pub fn step(&mut self) {
        self.iterations += 1;
        let mut worth = Vec::new();
        for player in 0..self.tree.players() {
            self.update(player, &mut worth);
        }
    }

    /// Number of iterations so far.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    fn update(&mut self, player: usize, worth: &mut Vec<f64>) {
        let Self { tree, current, regrets, average, iterations } = self;
        let reach = tree.reach(current);
        tree.worth(&reach, player, worth, |infoset, worth| {
            let sequences = infoset.sequences();
            let chances = &mut current.0[sequences.clone()];
            let mean: f64 = chances.iter().zip(worth).map(|(chance, worth)| chance * worth).sum();
            let regrets = &mut regrets[sequences.clone()];
            for (regret, worth) in regrets.iter_mut().zip(worth) {
                *regret = (*regret + worth - mean).max(0.0);
            }
            normalise(regrets, chances);
            for sequence in sequences {
                average[sequence] += *iterations as f64 * reach[sequence];
            }
            mean
        });
    }

    /// The current profile.
    pub fn current(&self) -> &Profile {
        &self.current
    }

    /// The result: the average profile of all iterations.
    pub fn average(&self) -> Profile {
        let mut average = self.current.clone();
        for infoset in self.tree.infosets() {
            let sequences = infoset.sequences();
            normalise(&self.average[sequences.clone()], &mut average.0[sequences]);
        }
        average
    }

    /// Does a number of iterations. Calls `progress` after every 16 of them and at the end. Returns the exploitability
    /// of the average profile.
    pub fn run(&mut self, iterations: u64, mut progress: impl FnMut(&Self)) -> Exploitability {
        for step in 1..=iterations {
            self.step();
            if step % 16 == 0 || step == iterations {
                progress(self);
            }
        }
        self.tree.exploitability(&self.average())
    }
}

/// Probabilities in proportion to weights; uniform if all weights are 0.
fn normalise(weights: &[f64], chances: &mut [f64]) {
    let total: f64 = weights.iter().sum();
    let even = 1.0 / weights.len() as f64;
    for (chance, weight) in chances.iter_mut().zip(weights) {
        *chance = if total > 0.0 { weight / total } else { even };
    }
}
