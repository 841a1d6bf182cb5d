//! The antes as a game of their own: placed in turn, seen by all, solved by backward induction.
//!
//! What a seat gets at a final layout is fitted: a quadratic in the chips on the cells, for each role and
//! number of deals left. The last seat to stake takes the best split at every layout that it may find, the
//! seat before it the best one given that, and so on (Zermelo 1913; Selten 1965).

mod piled;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use newmarket_agents::Table;
use newmarket_agents::paired::{CHUNK, Estimate, run_chunks, student_t95};
use newmarket_env::{DealStart, DealStarts, Game, MAX_CELLS, Rng, Seed, seed};

use super::role_name;
use super::splits::{Split, SplitTable, cell_names};
use crate::study::least_squares::NormalEquations;
use crate::study::measure::Measurement;
use crate::study::payoff::Ledger;
use crate::study::report::{ReportCell, ReportTable};
use crate::study::setting::Setting;
use crate::study::tally::Tally;
use piled::{Piled, Piles};

/// Layouts that are tried on the cards of a deal.
const LAYOUTS: usize = 4;
/// Parts of the deals that are fitted one by one, for the noise of a difference.
const FOLDS: usize = 10;
/// One layout of so many is held out of the fit.
const HELD_OUT: u64 = 10;
/// So many of them are measured, on one deal for so many of the fit.
const TESTED: usize = 12;
const TESTED_EVERY: u64 = 4;
/// A solution is tried on one deal for so many of the fit.
const TRIED_EVERY: u64 = 8;
/// Deals left for which the stage is solved.
const LEFTS: [usize; 4] = [0, 1, 4, 9];
/// Splits at layouts of more than this are not tried.
const MOST_TRIED: f64 = 2e6;
/// Splits that are listed at most.
const LISTED: usize = 5;

/// Children of the seed.
const FIT: u64 = 0;
const TEST: u64 = 1;
const TRY: u64 = 2;

/// Chips on each cell.
type Layout = Vec<i32>;

/// Deals that are told of while it runs.
pub(super) fn work(deals: u64) -> u64 {
    2 * deals
}

/// The chips of a layout that antes make, one on top of the other.
fn placed<'s>(splits: impl IntoIterator<Item = &'s Split>, cells: usize) -> Layout {
    let mut layout = vec![0; cells];
    for split in splits {
        layout.iter_mut().zip(split.chips()).for_each(|(sum, chips)| *sum += chips);
    }
    layout
}

fn on_top(layout: &[i32], carried: &[i32]) -> Layout {
    layout.iter().zip(carried).map(|(a, b)| a + b).collect()
}

/// Whether a layout of antes is held out of the fit.
fn is_held_out(placed: &[i32]) -> bool {
    let number = placed.iter().fold(7_u64, |hash, &chips| {
        (hash ^ chips as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    });
    number.is_multiple_of(HELD_OUT)
}

/// The stage: who stakes how much, in turn.
struct Antes {
    game: Arc<Game>,
    /// The splits that each role may choose.
    splits: Vec<Vec<Split>>,
}

impl Antes {
    fn of(game: &Arc<Game>) -> Self {
        let (players, cells) = (game.players(), game.cells());
        let of = |role: usize| Split::all_of(game.rules().layout_stake(role + 1 == players), cells);
        Self { game: game.clone(), splits: (0..players).map(of).collect() }
    }

    /// Whether all that seats may do at all layouts can be tried.
    fn is_small(game: &Game) -> bool {
        let (players, cells, rules) = (game.players(), game.cells(), game.rules());
        let splits =
            |role: usize| Split::count(rules.layout_stake(role + 1 == players) as usize, cells);
        let layouts = |role: usize| Split::count(rules.layout_stake(false) as usize * role, cells);
        (0..players).map(|role| layouts(role) * splits(role)).sum::<f64>() <= MOST_TRIED
    }

    fn cells(&self) -> usize {
        self.game.cells()
    }

    /// A split for each role at random.
    fn random(&self, rng: &mut Rng) -> Vec<&Split> {
        let pick = |all: &'_ Vec<Split>, rng: &mut Rng| seed::below(rng, all.len() as u32) as usize;
        self.splits.iter().map(|all| &all[pick(all, rng)]).collect()
    }
}

/// A quadratic in the chips on the cells, without a constant.
fn features(layout: &[i32], unit: f64) -> Vec<f64> {
    let chips: Vec<f64> = layout.iter().map(|&chips| f64::from(chips) / unit).collect();
    let squares = (0..chips.len()).flat_map(|a| {
        let chips = &chips;
        (a..chips.len()).map(move |b| chips[a] * chips[b])
    });
    chips.iter().copied().chain(squares).collect()
}

/// What every role gets at a final layout, up to a constant.
struct Model {
    unit: f64,
    /// By place in `lefts` and role: coefficients of all deals, then of each fold.
    fits: Vec<Vec<Vec<Vec<f64>>>>,
}

impl Model {
    /// Fits it; nothing if there are too few deals.
    fn fit(
        setting: &Setting,
        ledger: &Ledger,
        antes: &Antes,
        lefts: &[usize],
        seed: Seed,
        done: &(dyn Fn(u64) + Sync),
    ) -> Option<Self> {
        let (players, cells) = (antes.game.players(), antes.cells());
        let unit = f64::from(ledger.ante_of_table()) / cells as f64;
        let size = features(&vec![0; cells], unit).len();
        let responses = players * lefts.len();
        let nothing = || vec![NormalEquations::new(size); responses];
        let mut folds: Vec<Vec<NormalEquations>> = (0..FOLDS).map(|_| nothing()).collect();
        let play = |deals: Range<u64>| {
            let mut table = SplitTable::new(ledger, setting);
            let mut sums = nothing();
            let count = deals.end - deals.start;
            let fold = (deals.start / CHUNK) as usize % FOLDS;
            for number in deals {
                table.begin(number, seed.child(number));
                let carried = table.carried().to_vec();
                let even = table.end(|_| None);
                let before = features(even_layout(&table, antes, &carried).as_slice(), unit);
                let mut rng = seed.child(number).child(u64::MAX).rng();
                for _ in 0..LAYOUTS {
                    let splits = antes.random(&mut rng);
                    let staked = placed(splits.iter().copied(), cells);
                    if is_held_out(&staked) {
                        continue;
                    }
                    let end = table.end(|role| Some(splits[role]));
                    let mut row = features(&on_top(&staked, &carried), unit);
                    row.iter_mut().zip(&before).for_each(|(x, before)| *x -= before);
                    for (at, &left) in lefts.iter().enumerate() {
                        for role in 0..players {
                            let gain = table.paid(left, &end, role) - table.paid(left, &even, role);
                            sums[at * players + role].add(&row, gain);
                        }
                    }
                }
            }
            done(count);
            (fold, sums)
        };
        run_chunks(0..setting.deals, play, |(fold, sums)| {
            for (all, chunk) in folds[fold].iter_mut().zip(&sums) {
                all.join(chunk);
            }
        });
        let of_response = |response: usize| -> Option<Vec<Vec<f64>>> {
            let mut all = NormalEquations::new(size);
            for fold in &folds {
                all.join(&fold[response]);
            }
            let parts = folds.iter().map(|fold| fold[response].solve());
            std::iter::once(all.solve()).chain(parts).collect()
        };
        let of_left =
            |at: usize| (0..players).map(|role| of_response(at * players + role)).collect();
        let fits: Option<Vec<Vec<Vec<Vec<f64>>>>> = (0..lefts.len()).map(of_left).collect();
        Some(Self { unit, fits: fits? })
    }

    /// What a role gets at a final layout, by all deals, or by one fold.
    fn worth(&self, left: usize, role: usize, layout: &[i32], fold: Option<usize>) -> f64 {
        let coefficients = &self.fits[left][role][fold.map_or(0, |fold| fold + 1)];
        let row = features(layout, self.unit);
        coefficients.iter().zip(row).map(|(fitted, x)| fitted * x).sum()
    }
}

fn even_layout(table: &SplitTable, antes: &Antes, carried: &[i32]) -> Layout {
    let even = (0..antes.game.players()).map(|role| table.even(role));
    let mut layout = carried.to_vec();
    for split in even {
        layout.iter_mut().zip(split).for_each(|(sum, chips)| *sum += chips);
    }
    layout
}

/// What a seat does at a layout, and where the antes end from there.
struct Node {
    split: usize,
    end: Layout,
}

/// A solution of the stage: by role and the antes that lie there.
struct Solution<'a> {
    antes: &'a Antes,
    model: &'a Model,
    left: usize,
    carried: Layout,
    nodes: Vec<BTreeMap<Layout, Node>>,
}

impl<'a> Solution<'a> {
    fn of(antes: &'a Antes, model: &'a Model, left: usize, carried: Layout) -> Self {
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
    fn path(&self, other: Option<(usize, usize)>) -> Vec<&'a Split> {
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
    fn behind(&self, role: usize) -> Vec<Estimate> {
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

    /// What roles gain on fresh deals by other splits than the solution's; the roles that stake later answer as it
    /// does. With the cell of a pile, also what they gain by all chips there.
    fn deviations(
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
struct Deviations {
    /// By its best split, 0 if that is its own: the split is chosen on half of the deals and measured on the others.
    best: Vec<Estimate>,
    /// By all chips on the cell of a pile rather than on another cell, in the mean over the others.
    on_pile: Vec<Estimate>,
}

/// Deals that begin with these chips, any seat dealing.
fn starts_with(game: &Arc<Game>, carried: &[i32]) -> Arc<DealStarts> {
    let mut layout = [0; MAX_CELLS];
    layout[..carried.len()].copy_from_slice(carried);
    let of = |dealer| DealStart { layout, ..DealStart::fresh(game.players(), dealer) };
    let entries = (0..game.players()).map(of).collect();
    Arc::new(DealStarts::of(game, entries).expect("it is a layout of this game"))
}

/// How well the model tells layouts that it was not fitted to.
struct Test {
    /// Root mean square of what it says less what was measured, and of the noise of what was measured.
    error: f64,
    noise: f64,
    /// Root mean square of what was measured.
    spread: f64,
    layouts: usize,
}

impl Test {
    fn measure(
        setting: &Setting,
        ledger: &Ledger,
        antes: &Antes,
        model: &Model,
        place: usize,
        left: usize,
        seed: Seed,
    ) -> Self {
        let (players, cells) = (antes.game.players(), antes.cells());
        let mut rng = seed.rng();
        let mut held: Vec<Vec<&Split>> = Vec::new();
        // A tenth of all layouts is held out: a few hundred draws find as many as are wanted.
        for _ in 0..100 * TESTED {
            let splits = antes.random(&mut rng);
            let layout = placed(splits.iter().copied(), cells);
            let known = |other: &Vec<&Split>| placed(other.iter().copied(), cells) == layout;
            if held.len() < TESTED && is_held_out(&layout) && !held.iter().any(known) {
                held.push(splits);
            }
        }
        let starts = starts_with(&antes.game, &vec![0; cells]);
        let deals = setting.deals.div_ceil(TESTED_EVERY);
        let tallies = held.len() * players;
        let measured = Measurement { deals, seed, tallies, features: 0 }.run(
            || SplitTable::at(ledger, vec![Table::carried(starts.clone())], setting),
            |table, deal| {
                table.begin(0, deal.seed);
                let even = table.end(|_| None);
                for (at, splits) in held.iter().enumerate() {
                    let end = table.end(|role| Some(splits[role]));
                    for role in 0..players {
                        let gain = table.paid(left, &end, role) - table.paid(left, &even, role);
                        deal.add(at * players + role, gain, 0.0);
                    }
                }
            },
            &|_| {},
        );
        let table = SplitTable::new(ledger, setting);
        let even = even_layout(&table, antes, &vec![0; cells]);
        let (mut error, mut noise, mut spread) = (0.0, 0.0, 0.0);
        for (at, splits) in held.iter().enumerate() {
            let layout = placed(splits.iter().copied(), cells);
            for role in 0..players {
                let said =
                    model.worth(place, role, &layout, None) - model.worth(place, role, &even, None);
                let found = Tally::mean(&measured.tallies[at * players + role]);
                error += (said - found.mean).powi(2);
                noise += (found.ci95 / 1.96).powi(2);
                spread += found.mean.powi(2);
            }
        }
        let root = |sum: f64| (sum / tallies.max(1) as f64).sqrt();
        Self { error: root(error), noise: root(noise), spread: root(spread), layouts: held.len() }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::payoff::Payoff;
    use newmarket_agents::Player;
    use newmarket_agents::heuristic::Heuristic;
    use newmarket_agents::paired::Mean;
    use newmarket_env::Rules;

    fn antes() -> Antes {
        let text = "base = \"newmarket\"\ncells = [\"AS\", \"KH\"]\n\
                    layout_ante = { free = { chips = 2, dealer_chips = 3 } }\n";
        let rules = Rules::from_toml(text, "test").expect("valid rules");
        Antes::of(&Arc::new(Game::new(rules, 3).expect("it seats three")))
    }

    /// Some payoffs, not the same for two roles.
    fn model() -> Model {
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

    #[test]
    fn a_tenth_of_the_layouts_is_held_out() {
        let all: Vec<Layout> = Split::all_of(16, 4).iter().map(|it| it.chips().to_vec()).collect();
        assert_eq!(all.len(), 969);
        let held = all.iter().filter(|layout| is_held_out(layout)).count();
        assert!((60..140).contains(&held), "{held}");
    }
}
