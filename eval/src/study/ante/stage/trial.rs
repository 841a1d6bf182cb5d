//! A solution tried on fresh deals: what seats gain that deviate from it.

use newmarket_agents::Table;
use newmarket_agents::paired::Estimate;

use super::layouts::starts_with;
use super::solution::Solution;
use crate::study::ante::splits::{Split, SplitTable};
use crate::study::measure::Measurement;
use crate::study::payoff::Ledger;
use crate::study::setting::Setting;
use crate::study::tally::Tally;

impl Solution<'_> {
    /// What roles gain on fresh deals by other splits than the solution's; the roles that stake later answer as it
    /// does. With the cell of a pile, also what they gain by all chips there.
    pub(super) fn deviations(
        &self,
        setting: &Setting,
        ledger: &Ledger,
        left: usize,
        pile: Option<usize>,
        deals: Measurement,
    ) -> Deviations {
        let players = self.antes.game.players();
        let own = self.path(None);
        let paths: Vec<(usize, Vec<&Split>)> = (0..players)
            .flat_map(|role| {
                let others = 0..self.antes.splits[role].len();
                others.map(move |at| (role, self.path(Some((role, at)))))
            })
            .collect();
        let starts = starts_with(&self.antes.game, &self.carried);
        let piled = 2 * paths.len();
        let measurement = Measurement { tallies: piled + players, ..deals };
        let measured = measurement.run(
            || SplitTable::at(ledger, vec![Table::carried(starts.clone())], setting),
            |table, deal| {
                table.begin(0, deal.seed);
                let base = table.end(|role| Some(own[role]));
                let half = (deal.number % 2) as usize;
                let mut alone = vec![Vec::new(); players];
                for (at, (role, path)) in paths.iter().enumerate() {
                    let end = table.end(|role| Some(path[role]));
                    let gain = table.paid(left, &end, *role) - table.paid(left, &base, *role);
                    deal.add(2 * at + half, gain, 0.0);
                    if let Some(cell) = path[*role].all_on() {
                        alone[*role].push((cell, gain));
                    }
                }
                // A dealer who stakes nothing has no such split.
                let staking = alone.iter().enumerate().filter(|(_, alone)| !alone.is_empty());
                for (role, alone) in staking.filter(|_| pile.is_some()) {
                    let (on, off): (Vec<_>, Vec<_>) =
                        alone.iter().partition(|(cell, _)| Some(*cell) == pile);
                    let mean = |all: Vec<(usize, f64)>| {
                        all.iter().map(|(_, gain)| gain).sum::<f64>() / all.len() as f64
                    };
                    deal.add(piled + role, mean(on) - mean(off), 0.0);
                }
            },
            &|_| {},
        );
        let figure = |at: usize, half: usize| measured.tallies[2 * at + half].mean();
        let best = |role: usize| {
            let others = (0..paths.len()).filter(|&at| paths[at].0 == role);
            others.max_by(|&a, &b| figure(a, 0).mean.total_cmp(&figure(b, 0).mean))
        };
        Deviations {
            best: (0..players).map(|role| figure(best(role).expect("a split"), 1)).collect(),
            on_pile: measured.tallies[piled..].iter().map(Tally::mean).collect(),
        }
    }
}

/// What each role gains by other splits than the solution's, in chips a deal.
pub(super) struct Deviations {
    /// By its best split, 0 if that is its own: the split is chosen on half of the deals and measured on the others.
    pub(super) best: Vec<Estimate>,
    /// By all chips on the cell of a pile rather than on another cell, in the mean over the others.
    pub(super) on_pile: Vec<Estimate>,
}

#[cfg(test)]
mod tests {
    use super::super::piled;
    use super::super::solution::tests::{antes, model};
    use super::*;
    use crate::study::payoff::Payoff;
    use newmarket_agents::Player;
    use newmarket_agents::heuristic::Heuristic;
    use newmarket_agents::paired::Mean;
    use newmarket_env::Seed;

    /// Deals played once more for each seat: all chips on the pile, and all on the other cell.
    #[test]
    fn a_pile_is_tried_with_all_chips_and_with_none() {
        let (antes, model) = (antes(), model());
        let stopper: Player = Heuristic::named("stopper").expect("a heuristic").into();
        let setting = Setting {
            game: antes.game.clone(),
            field: &stopper,
            player: &stopper,
            reference: &stopper,
            deals: 40,
            seed: 1,
            payoff: Payoff::Session,
        };
        let ledger = setting.ledger(&setting.game, &stopper);
        let solution = Solution::of(&antes, &model, 0, piled::layout(&[1, 0], 1, 7));
        assert_eq!(solution.carried, [1, 9]);
        let (seed, left) = (Seed::new(3), 4);
        let deals = Measurement { deals: 40, seed, tallies: 0, features: 0 };
        let found = solution.deviations(&setting, &ledger, left, Some(1), deals);
        let starts = starts_with(&antes.game, &[1, 9]);
        let mut table = SplitTable::at(&ledger, vec![Table::carried(starts)], &setting);
        for (role, splits) in antes.splits.iter().enumerate() {
            let mut mean = Mean::default();
            for number in 0..40 {
                table.begin(0, seed.child(number));
                let [on, off] = [1, 0].map(|cell: usize| {
                    let at = splits.iter().position(|split| split.all_on() == Some(cell));
                    let path = solution.path(at.map(|at| (role, at)));
                    assert_eq!(path[role].chips()[1 - cell], 0);
                    let end = table.end(|role| Some(path[role]));
                    table.paid(left, &end, role)
                });
                mean.add(on - off);
            }
            let (found, played) = (found.on_pile[role], mean.estimate());
            assert!(played.ci95 > 0.0 && (found.mean - played.mean).abs() < 1e-9, "{found}");
            assert!((found.ci95 - played.ci95).abs() < 1e-9, "{found} {played}");
        }
    }
}
