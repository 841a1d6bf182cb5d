//! The search for questions: every deal is played once for each cell, then lists are compared.
//!
//! What a list gains is put together from what all chips on one cell gain, cell by cell. A change of
//! the list is chosen on half of the deals, and taken if it is separated above the list on the
//! other half.

use std::collections::BTreeMap;

use newmarket_agents::basic::Bound;
use newmarket_agents::heuristic::stakes::Cells;
use newmarket_agents::paired::{Estimate, run_chunks};
use newmarket_env::Seed;
use rayon::prelude::*;

use super::counts::{Count, Notes};
use super::questions::{List, Question, cells_left};
use super::table::{Company, LookTable, roles};
use super::ways::{Pick, WITH, WITHOUT, Way};
use crate::study::basic::search::{changed, constants};
use crate::study::payoff::Ledger;
use crate::study::setting::Setting;
use crate::study::tally::Tally;

/// Deals on which questions are chosen: twice as many as are measured, since one half chooses and the other half
/// confirms, and so many at most.
const TIMES: u64 = 2;
const MOST_DEALS: u64 = 40_000;
/// Changes of the list, at most.
const STEPS: usize = 12;

/// Deals that are told of while it runs.
pub(super) fn work(deals: u64) -> u64 {
    (TIMES * deals).min(MOST_DEALS)
}

/// One turn to stake.
struct Turn {
    notes: Notes,
    /// Chips gained over the even split by all chips on one cell, by cell.
    gains: Vec<f64>,
}

impl Turn {
    /// What it gains to stake evenly on these cells: the mean of what they gain one by one.
    fn gain(&self, cells: Cells) -> f64 {
        let on = self.gains.iter().enumerate().filter(|(cell, _)| cells >> cell & 1 == 1);
        on.map(|(_, gain)| gain).sum::<f64>() / f64::from(cells.count_ones())
    }
}

/// Turns of deals in one company, all roles of a deal one after the other.
pub(super) struct Turns {
    turns: Vec<Turn>,
    roles: usize,
}

impl Turns {
    /// Plays the deals, by company.
    pub(super) fn play(
        setting: &Setting,
        ledger: &Ledger,
        seed: Seed,
        done: &(dyn Fn(u64) + Sync),
    ) -> [Self; 2] {
        let roles = roles(&setting.game);
        let mut all = Company::ALL.map(|_| Self { turns: Vec::new(), roles });
        let play = |deals: std::ops::Range<u64>| {
            let mut table = LookTable::new(ledger, setting.field, setting.field);
            let mut turns = Company::ALL.map(|_| Vec::new());
            done(deals.end - deals.start);
            for number in deals {
                table.begin(number, seed.child(number));
                for (company, turns) in Company::ALL.into_iter().zip(&mut turns) {
                    turns.extend((0..roles).map(|role| turn(&mut table, company, role)));
                }
            }
            turns
        };
        run_chunks(0..work(setting.deals), play, |chunk| {
            for (all, turns) in all.iter_mut().zip(chunk) {
                all.turns.extend(turns);
            }
        });
        all
    }

    /// The list that was found.
    pub(super) fn list(&self) -> List {
        let questions = self.questions();
        let answers: Vec<Vec<Cells>> = (questions.iter())
            .map(|question| self.turns.iter().map(|turn| question.yes(&turn.notes)).collect())
            .collect();
        let numbers: Vec<usize> = (0..questions.len()).collect();
        let mut list = Vec::new();
        for _ in 0..STEPS {
            let candidates = changed(&list, &numbers);
            let gain = |other: &Vec<usize>| self.gain(0, &list, other, &answers).mean;
            let gains: Vec<f64> = candidates.par_iter().map(gain).collect();
            let Some(best) = first_best(&gains).map(|at| &candidates[at]) else { break };
            let gain = self.gain(1, &list, best, &answers);
            if gain.mean <= gain.ci95 {
                break;
            }
            list.clone_from(best);
        }
        list.into_iter().map(|at| questions[at]).collect()
    }

    /// The best pick for hands with a boodle and the best for hands without, on all deals; an even split where none
    /// is separated above it.
    pub(super) fn way(&self) -> Way {
        let best = |picks: &[Pick], way: &dyn Fn(Pick) -> Way| {
            let gains: Vec<Estimate> =
                picks.iter().map(|&pick| self.over_even(way(pick))).collect();
            let means: Vec<f64> = gains.iter().map(|gain| gain.mean).collect();
            let at = first_best(&means).filter(|&at| gains[at].mean > gains[at].ci95);
            at.map_or(Pick::Even, |at| picks[at])
        };
        Way {
            with: best(&WITH, &|with| Way { with, ..Way::EVEN }),
            without: best(&WITHOUT, &|without| Way { without, ..Way::EVEN }),
        }
    }

    /// What a way gains over an even split in chips a deal.
    fn over_even(&self, way: Way) -> Estimate {
        let mut tally = Tally::default();
        for turns in self.turns.chunks(self.roles) {
            let of = |turn: &Turn| {
                turn.gain(way.cells(&turn.notes)) - turn.gain(Way::EVEN.cells(&turn.notes))
            };
            tally.add(turns.iter().map(of).sum::<f64>() / self.roles as f64, 0.0);
        }
        tally.mean()
    }

    /// What a list gains over another in chips a deal, on every other deal from this one on.
    fn gain(
        &self,
        first: usize,
        list: &[usize],
        other: &[usize],
        answers: &[Vec<Cells>],
    ) -> Estimate {
        let mut tally = Tally::default();
        let deals = self.turns.chunks(self.roles).enumerate();
        for (deal, turns) in deals.skip(first).step_by(2) {
            let of = |(role, turn): (usize, &Turn)| {
                let at = deal * self.roles + role;
                let cells = |list: &[usize]| {
                    let yes = list.iter().map(|&question| answers[question][at]);
                    cells_left(turn.notes.all(), yes)
                };
                let (before, after) = (cells(list), cells(other));
                if before == after { 0.0 } else { turn.gain(after) - turn.gain(before) }
            };
            let gain: f64 = turns.iter().enumerate().map(of).sum();
            tally.add(gain / self.roles as f64, 0.0);
        }
        tally.mean()
    }

    /// All questions that divide the cells.
    fn questions(&self) -> List {
        let of = |count: Count| {
            let mut seen = BTreeMap::<i32, usize>::new();
            for turn in &self.turns {
                for cell in 0..turn.notes.cells() {
                    *seen.entry(turn.notes.get(count, cell)).or_default() += 1;
                }
            }
            let both = |least: i32| [Bound::AtLeast(least), Bound::AtMost(least - 1)];
            let bounds = constants(&seen).into_iter().flat_map(both);
            bounds.map(move |bound| Question { count, bound }).collect::<Vec<_>>()
        };
        Count::ALL.into_iter().flat_map(of).collect()
    }
}

/// Where the greatest value is, the first of equals.
fn first_best(values: &[f64]) -> Option<usize> {
    (0..values.len()).rev().max_by(|&a, &b| values[a].total_cmp(&values[b]))
}

fn turn(table: &mut LookTable, company: Company, role: usize) -> Turn {
    let mut turn = table.turn(company, role);
    let notes = Notes::of(&turn.view());
    let even = table.over(&mut turn, notes.all());
    let gains = (0..notes.cells()).map(|cell| table.over(&mut turn, 1 << cell) - even).collect();
    Turn { notes, gains }
}
