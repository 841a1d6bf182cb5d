//! CFR+ (Tammelin 2014): counterfactual regret minimisation with regret matching+, players updated
//! in turn, and an average in which iteration `t` counts `t` times.

use super::exploit::Exploitability;
use super::tree::{Profile, Tree};

/// A solver at work on a game.
#[derive(Clone, Debug)]
pub struct CfrPlus<'a, S> {
    tree: &'a Tree<S>,
    iterations: u64,
    current: Profile,
    /// Regrets for each sequence, never below 0.
    regrets: Vec<f64>,
    /// The reach of each sequence, averaged over iterations (up to a constant factor). Averages
    /// of behaviour are averages of reach, not of probabilities.
    average: Vec<f64>,
}

impl<'a, S> CfrPlus<'a, S> {
    /// A solver that has done nothing yet: everybody chooses uniformly.
    pub fn new(tree: &'a Tree<S>) -> Self {
        let nothing = vec![0.0; tree.sequences()];
        let current = tree.uniform();
        Self { tree, iterations: 0, current, regrets: nothing.clone(), average: nothing }
    }

    /// Does an iteration: each player in turn against what the others do by then.
    pub fn step(&mut self) {
        self.iterations += 1;
        let mut worth = Vec::new();
        for player in 0..self.tree.players() {
            self.update(player, &mut worth);
        }
    }

    /// How many iterations it has done.
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

    /// What everybody does at the moment, to minimise its regrets.
    pub fn current(&self) -> &Profile {
        &self.current
    }

    /// What has been found: the average of all iterations.
    pub fn average(&self) -> Profile {
        let mut average = self.current.clone();
        for infoset in self.tree.infosets() {
            let sequences = infoset.sequences();
            normalise(&self.average[sequences.clone()], &mut average.0[sequences]);
        }
        average
    }

    /// Does so many iterations. `progress` is told after every 16 of them, and at the end, how
    /// many there were; it may look at the solver.
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

/// Probabilities in proportion to weights; uniform if these are all 0.
fn normalise(weights: &[f64], chances: &mut [f64]) {
    let total: f64 = weights.iter().sum();
    let even = 1.0 / weights.len() as f64;
    for (chance, weight) in chances.iter_mut().zip(weights) {
        *chance = if total > 0.0 { weight / total } else { even };
    }
}
