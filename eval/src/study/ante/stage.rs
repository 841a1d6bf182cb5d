//! The antes as a game of their own: placed in turn, seen by all, solved by backward induction.
//!
//! What a seat gets at a final layout is fitted: a quadratic in the chips on the cells, for each role and
//! number of deals left. The last seat to stake takes the best split at every layout that it may find, the
//! seat before it the best one given that, and so on (Zermelo 1913; Selten 1965).

mod layouts;
mod model;
mod piled;
mod solution;
mod trial;

use newmarket_agents::paired::Estimate;
use newmarket_env::Seed;

use super::role_name;
use super::splits::{Split, cell_names};
use crate::study::measure::Measurement;
use crate::study::payoff::Ledger;
use crate::study::report::{ReportCell, ReportTable};
use crate::study::setting::Setting;
use layouts::{Antes, Layout, placed};
use model::{Model, Test};
use piled::{Piled, Piles};
use solution::Solution;
use trial::Deviations;

/// A solution is tried on one deal for so many of the fit.
const TRIED_EVERY: u64 = 8;
/// Deals left for which the stage is solved.
const LEFTS: [usize; 4] = [0, 1, 4, 9];
/// Splits that are listed at most.
const LISTED: usize = 5;

/// Children of the seed.
const FIT: u64 = 0;
const TEST: u64 = 1;
const TRY: u64 = 2;

/// Deals that are told of while it runs.
pub(super) fn work(deals: u64) -> u64 {
    2 * deals
}

/// What a chip is worth that a deal leaves on a cell; nothing where it is lost.
pub(super) fn what_stays(ledger: &Ledger) -> Option<ReportTable> {
    let game = ledger.game();
    let heads: Vec<String> = ["deals to come".to_owned(), "cell".to_owned()]
        .into_iter()
        .chain((0..game.players()).map(|role| role_name(role, game)))
        .collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let mut table = ReportTable::new(
        "Chips that a chip left on a cell is worth to a seat, by what it is in the next deal",
        &heads,
    );
    for left in LEFTS.into_iter().filter(|&left| left > 0 && left < ledger.deals()) {
        let worth = ledger.worth(left)?;
        for (cell, name) in cell_names(game).into_iter().enumerate() {
            let by_role = worth.iter().map(|piles| format!("{:.3}", piles[cell]).into());
            let row = [left.to_string().into(), name.into()];
            table.push(row.into_iter().chain(by_role).collect());
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// What was found about the stage.
pub(super) struct Stage {
    pub(super) tables: Vec<ReportTable>,
    pub(super) advice: Option<String>,
    pub(super) findings: Vec<String>,
}

/// A layout that the stage is solved for.
struct Case {
    /// The place of the deals left among those that were fitted.
    place: usize,
    /// The number of the layout among those with as many deals left.
    nth: usize,
    carried: Layout,
    /// The cell that has a pile, if one has.
    pile: Option<usize>,
}

/// The layouts that the stage is solved for: an empty one, the usual one, and for the middle number of deals left
/// the usual one with a pile on each cell.
fn cases(ledger: &Ledger, lefts: &[usize]) -> Vec<Case> {
    let middle = lefts.len() / 2;
    let mut cases = Vec::new();
    for (place, &left) in lefts.iter().enumerate() {
        let usual = ledger.mean_layout(left);
        let empty = vec![0; usual.len()];
        let mut layouts = vec![(empty, None)];
        if layouts[0].0 != usual {
            layouts.push((usual.clone(), None));
        }
        // Nothing is carried into a deal on its own.
        if place == middle && ledger.deals() > 1 {
            let ante = ledger.ante_of_table();
            let pile = |cell: usize| (piled::layout(&usual, cell, ante), Some(cell));
            layouts.extend((0..usual.len()).map(pile));
        }
        let of = |(nth, (carried, pile))| Case { place, nth, carried, pile };
        cases.extend(layouts.into_iter().enumerate().map(of));
    }
    cases
}

/// What was found about the stage; nothing if it is too large, or deals too few.
pub(super) fn study(
    setting: &Setting,
    ledger: &Ledger,
    seed: Seed,
    done: &(dyn Fn(u64) + Sync),
) -> Option<Stage> {
    if !Antes::is_small(&setting.game) {
        done(work(setting.deals));
        return None;
    }
    let antes = Antes::of(&setting.game);
    let lefts: Vec<usize> = LEFTS.into_iter().filter(|&left| left < ledger.deals()).collect();
    let model = Model::fit(setting, ledger, &antes, &lefts, seed.child(FIT), done);
    let Some(model) = model else {
        done(setting.deals);
        return None;
    };
    let middle = lefts.len() / 2;
    let test =
        Test::measure(setting, ledger, &antes, &model, middle, lefts[middle], seed.child(TEST));
    let names = cell_names(&setting.game).join("·");
    let mut table = ReportTable::new(
        format!(
            "The antes solved by backward induction, chips on {names}: what each seat stakes, other \
             splits that are as good within the noise of the fit, and what the split that was best \
             for it on other deals gains on fresh ones (0 if that is the same)"
        ),
        &["deals left", "carried", "seat", "stakes", "as good", "another gains"],
    );
    // Gains of one case are of the same deals: their intervals are added, as if all went together.
    let (mut total, mut squares) = (0.0, 0.0);
    let deals = setting.deals.div_ceil(TRIED_EVERY).max(4);
    let cases = cases(ledger, &lefts);
    let count = cases.len() as f64;
    // The chips on each cell that the solution for the layout before the piles makes of the antes.
    let mut usually = Layout::new();
    let mut piles = Vec::new();
    for Case { place, nth, carried, pile } in cases {
        let left = lefts[place];
        let chips: Vec<String> = carried.iter().map(ToString::to_string).collect();
        let solution = Solution::of(&antes, &model, place, carried);
        let seed = seed.child(TRY).child(left as u64).child(nth as u64);
        let deals = Measurement { deals, seed, tallies: 0, features: 0 };
        let Deviations { best, on_pile } = solution.deviations(setting, ledger, left, pile, deals);
        let path = solution.path(None);
        let staked = placed(path.iter().copied(), antes.cells());
        match pile {
            None => usually = staked,
            Some(cell) => {
                let (staked, usually) = (staked[cell], usually[cell]);
                piles.push(Piled { cell, staked, usually, gains: on_pile });
            }
        }
        total += best.iter().map(|gain| gain.mean).sum::<f64>();
        squares += best.iter().map(|gain| gain.ci95).sum::<f64>().powi(2);
        for (role, (split, gain)) in path.into_iter().zip(best).enumerate() {
            table.push(vec![
                left.to_string().into(),
                chips.join("·").into(),
                role_name(role, &setting.game).into(),
                split.to_string().into(),
                as_good(&antes.splits[role], split, &solution.behind(role)).into(),
                ReportCell::from(gain),
            ]);
        }
    }
    done(setting.deals);
    let gain = Estimate { mean: total / count, ci95: f64::sqrt(squares) / count };
    let mut findings = vec![format!(
        "The antes as a game of their own, solved by backward induction: seats that deviate from the \
         solution gain {gain} chips a deal on fresh deals, all together and by the split that was best \
         for each on other deals, in the mean over {count} layouts and deals left."
    )];
    if test.layouts > 0 {
        findings.push(format!(
            "The payoffs behind it are fitted. At {} layouts that the fit has never seen, what it \
             says of a seat is {:.3} chips off (root mean square), where the noise of what was \
             measured there is {:.3} and its size {:.3}.",
            test.layouts, test.error, test.noise, test.spread
        ));
    }
    let piles = Piles::of(&piles, setting, lefts[middle]);
    findings.extend(piles.as_ref().map(Piles::findings));
    Some(Stage {
        tables: std::iter::once(table).chain(piles.as_ref().map(Piles::table)).collect(),
        advice: piles.as_ref().map(Piles::advice),
        findings,
    })
}

/// The other splits that are not separated behind the best one, the best first.
fn as_good(splits: &[Split], best: &Split, behind: &[Estimate]) -> String {
    let mut near: Vec<usize> = (0..splits.len())
        .filter(|&at| splits[at] != *best && behind[at].mean <= behind[at].ci95)
        .collect();
    near.sort_by(|&a, &b| behind[a].mean.total_cmp(&behind[b].mean));
    let listed: Vec<String> = near.iter().take(LISTED).map(|&at| splits[at].to_string()).collect();
    match near.len() {
        0 => "none".into(),
        count if count > LISTED => format!("{} and {} more", listed.join(" "), count - LISTED),
        _ => listed.join(" "),
    }
}
