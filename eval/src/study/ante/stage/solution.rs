//! The stage solved by backward induction.

use std::collections::BTreeMap;

use newmarket_agents::paired::{Estimate, student_t95};

use super::layouts::{Antes, Layout, on_top, placed};
use super::model::{FOLDS, Model};
use crate::study::ante::splits::Split;

/// What a seat does at a layout, and where the antes end from there.
struct Node {
    split: usize,
    end: Layout,
}

/// A solution of the stage: by role and the antes that lie there.
pub(super) struct Solution<'a> {
    pub(super) antes: &'a Antes,
    model: &'a Model,
    left: usize,
    pub(super) carried: Layout,
    nodes: Vec<BTreeMap<Layout, Node>>,
}

impl<'a> Solution<'a> {
    pub(super) fn of(antes: &'a Antes, model: &'a Model, left: usize, carried: Layout) -> Self {
        let nodes = antes.splits.iter().map(|_| BTreeMap::new()).collect();
        let mut solution = Self { antes, model, left, carried, nodes };
        solution.solve(0, &vec![0; antes.cells()]);
        solution
    }

    /// The antes of all from this role on, which finds this layout of antes.
    fn solve(&mut self, role: usize, found: &Layout) -> Layout {
        if role == self.nodes.len() {
            return found.clone();
        }
        if let Some(node) = self.nodes[role].get(found) {
            return node.end.clone();
        }
        let antes = self.antes;
        let mut best: Option<(f64, Node)> = None;
        for (at, split) in antes.splits[role].iter().enumerate() {
            let end = self.solve(role + 1, &on_top(found, split.chips()));
            let worth = self.worth(role, &end, None);
            if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, Node { split: at, end }));
            }
        }
        let (_, node) = best.expect("there is a split");
        let end = node.end.clone();
        self.nodes[role].insert(found.clone(), node);
        end
    }

    fn worth(&self, role: usize, placed: &[i32], fold: Option<usize>) -> f64 {
        self.model.worth(self.left, role, &on_top(placed, &self.carried), fold)
    }

    /// The splits of all roles if this one takes another split than the solution's.
    pub(super) fn path(&self, other: Option<(usize, usize)>) -> Vec<&'a Split> {
        let mut found = vec![0; self.antes.cells()];
        let mut path = Vec::new();
        for (role, splits) in self.antes.splits.iter().enumerate() {
            let own = self.nodes[role][&found].split;
            let at = other.filter(|(it, _)| *it == role).map_or(own, |(_, at)| at);
            found = on_top(&found, splits[at].chips());
            path.push(&splits[at]);
        }
        path
    }

    /// What each split of a role gets less than the best one, and the noise of that (half of a 95 % interval).
    pub(super) fn behind(&self, role: usize) -> Vec<Estimate> {
        let cells = self.antes.cells();
        let end =
            |at: Option<usize>| placed(self.path(at.map(|at| (role, at))).iter().copied(), cells);
        let best = end(None);
        let of = |at: usize| {
            let other = end(Some(at));
            let less = |fold| self.worth(role, &best, fold) - self.worth(role, &other, fold);
            let folds: Vec<f64> = (0..FOLDS).map(|fold| less(Some(fold))).collect();
            let mean = folds.iter().sum::<f64>() / FOLDS as f64;
            let squares: f64 = folds.iter().map(|it| (it - mean).powi(2)).sum();
            let freedom = FOLDS as f64 - 1.0;
            let ci95 = student_t95(freedom) * (squares / freedom / FOLDS as f64).sqrt();
            Estimate { mean: less(None), ci95 }
        };
        (0..self.antes.splits[role].len()).map(of).collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use newmarket_env::{Game, Rules};
    use std::sync::Arc;

    pub(in crate::study::ante::stage) fn antes() -> Antes {
        let text = "base = \"newmarket\"\ncells = [\"AS\", \"KH\"]\n\
                    layout_ante = { free = { chips = 2, dealer_chips = 3 } }\n";
        let rules = Rules::from_toml(text, "test").expect("valid rules");
        Antes::of(&Arc::new(Game::new(rules, 3).expect("it seats three")))
    }

    /// Some payoffs, not the same for two roles.
    pub(in crate::study::ante::stage) fn model() -> Model {
        let coefficients = |role: usize| -> Vec<Vec<f64>> {
            let all = (0..5).map(|at| ((7 * at + 3 * role + at * role) % 11) as f64 - 5.0);
            vec![all.collect(); FOLDS + 1]
        };
        Model { unit: 2.0, fits: vec![(0..3).map(coefficients).collect()] }
    }

    /// The slow twin: all that the seats after a role may do, tried from the last one on.
    fn best(antes: &Antes, model: &Model, role: usize, found: &[i32]) -> Layout {
        if role == antes.splits.len() {
            return found.to_vec();
        }
        let ends = antes.splits[role]
            .iter()
            .map(|split| best(antes, model, role + 1, &on_top(found, split.chips())));
        let worth = |end: &Layout| model.worth(0, role, &on_top(end, &[1, 0]), None);
        ends.reduce(|best, end| if worth(&end) > worth(&best) { end } else { best })
            .expect("there are splits")
    }

    #[test]
    fn backward_induction_is_what_trying_everything_finds() {
        let (antes, model) = (antes(), model());
        let solution = Solution::of(&antes, &model, 0, vec![1, 0]);
        let end = placed(solution.path(None).iter().copied(), 2);
        assert_eq!(end, best(&antes, &model, 0, &[0, 0]));
        assert_eq!(end.iter().sum::<i32>(), 2 + 2 + 3, "the dealer stakes three");
        for role in 0..3 {
            let behind = solution.behind(role);
            assert!(behind.iter().all(|it| it.mean >= -1e-9), "{behind:?}");
            assert!(behind.iter().any(|it| it.mean.abs() < 1e-9), "{behind:?}");
        }
    }
}
