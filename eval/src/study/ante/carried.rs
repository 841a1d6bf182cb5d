//! What carried chips do to the worth of an ante.

use newmarket_agents::paired::Estimate;
use newmarket_env::{Game, Seed};

use super::splits::{self, Split, SplitTable};
use crate::study::least_squares::Fit;
use crate::study::measure::Measurement;
use crate::study::payoff::Ledger;
use crate::study::report::{ReportCell, ReportTable};
use crate::study::setting::Setting;
use crate::study::tally::Tally;

/// Upper ends of the ranges of carried chips, in antes of the whole table for one cell.
const RANGES: [i32; 4] = [0, 1, 2, 4];

/// Where the chips are put, by what lies on the cells; the first of equals.
const POLICIES: [&str; 2] = ["all on the richest cell", "all on the poorest cell"];

/// The estimates of this part of the study.
pub(super) struct Carried {
    /// Gain of all chips on a cell, by cell and range.
    by_chips: Vec<Vec<Estimate>>,
    policies: Vec<Estimate>,
    /// A chip carried on the same cell, and on the others together.
    slopes: Option<[Estimate; 2]>,
    /// Chips that the whole table stakes for one cell.
    unit: i32,
}

impl Carried {
    pub(super) fn measure(
        setting: &Setting,
        ledger: &Ledger,
        seed: Seed,
        done: &(dyn Fn(u64) + Sync),
    ) -> Self {
        let game = &setting.game;
        let (cells, ranges) = (game.cells(), RANGES.len() + 1);
        let rules = game.rules();
        let staked = rules.layout_stake(false) * (game.players() as i32 - 1);
        let unit = ((staked + rules.layout_stake(true)) / cells as i32).max(1);
        let chips = rules.layout_stake(false);
        let alone: Vec<Split> = (0..cells).map(|cell| Split::alone(cell, chips, cells)).collect();
        let measurement = Measurement {
            deals: setting.deals,
            seed,
            tallies: cells * ranges + POLICIES.len(),
            features: cells + 2,
        };
        let measured = measurement.run(
            || SplitTable::new(ledger, setting),
            |player, deal| {
                player.begin(deal.number, deal.seed);
                let carried = player.carried().to_vec();
                let all: i32 = carried.iter().sum();
                // One seat a deal, each as often.
                let role = deal.number as usize % SplitTable::roles(game);
                let even = player.play(role, None);
                let gains: Vec<[f64; 2]> = (alone.iter())
                    .map(|split| [player.play(role, Some(split)) - even, player.luck(role, split)])
                    .collect();
                for (cell, [gain, luck]) in gains.iter().copied().enumerate() {
                    let range = range(carried[cell], unit);
                    deal.add(cell * ranges + range, gain, luck);
                    let mut features = vec![0.0; cells + 2];
                    features[cell] = 1.0;
                    features[cells] = f64::from(carried[cell]);
                    features[cells + 1] = f64::from(all - carried[cell]);
                    deal.observe(&features, gain);
                }
                let richest = first(&carried, |a, b| a > b);
                let poorest = first(&carried, |a, b| a < b);
                for (at, cell) in [richest, poorest].into_iter().enumerate() {
                    deal.add(cells * ranges + at, gains[cell][0], gains[cell][1]);
                }
            },
            done,
        );
        let figure = |at: usize| measured.tallies[at].controlled();
        let slopes = Fit::of(&measured.normals)
            .map(|fit| [fit.coefficients[cells], fit.coefficients[cells + 1]]);
        Self {
            by_chips: (0..cells)
                .map(|cell| (0..ranges).map(|range| figure(cell * ranges + range)).collect())
                .collect(),
            policies: measured.tallies[cells * ranges..].iter().map(Tally::controlled).collect(),
            slopes,
            unit,
        }
    }

    pub(super) fn tables(&self, game: &Game) -> Vec<ReportTable> {
        let mut from = 0;
        let mut heads = vec!["all chips on".to_owned()];
        for end in RANGES {
            let to = end * self.unit;
            heads.push(if from == to { format!("{to} there") } else { format!("{from}–{to}") });
            from = to + 1;
        }
        heads.push(format!("{from} or more"));
        let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
        let mut by_chips = ReportTable::new(
            "Chips a deal gained over the even split, by the chips carried on that cell",
            &heads,
        );
        for (name, row) in splits::cell_names(game).into_iter().zip(&self.by_chips) {
            let cells = row.iter().map(|&figure| ReportCell::from(figure));
            by_chips.push(std::iter::once(name.into()).chain(cells).collect());
        }
        let mut policies = ReportTable::new(
            "Chips a deal gained over the even split, with carried chips on the table",
            &["ante", "gain"],
        )
        .drawn(1);
        for (name, &figure) in POLICIES.into_iter().zip(&self.policies) {
            policies.push(vec![name.into(), figure.into()]);
        }
        vec![by_chips, policies]
    }

    pub(super) fn findings(&self) -> Option<String> {
        let [own, others] = self.slopes?;
        let ten = |it: Estimate| Estimate { mean: 10.0 * it.mean, ci95: 10.0 * it.ci95 };
        Some(format!(
            "With carried chips: ten more on a cell change the worth of putting the ante there by \
             {} chips a deal, ten more on the others by {}.",
            ten(own),
            ten(others)
        ))
    }
}

/// The range of so many chips.
fn range(chips: i32, unit: i32) -> usize {
    RANGES.iter().position(|&end| chips <= end * unit).unwrap_or(RANGES.len())
}

/// The first that no other beats.
fn first(chips: &[i32], beats: impl Fn(i32, i32) -> bool) -> usize {
    (0..chips.len())
        .reduce(|best, next| if beats(chips[next], chips[best]) { next } else { best })
        .expect("a layout has cells")
}
