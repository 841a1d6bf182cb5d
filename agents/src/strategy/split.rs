//! Where a free ante goes.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use newmarket_env::{Action, View};

use super::expression::{Clause, Condition, Subject};
use super::facts::{Fact, ValueOf};
use super::notes::Notes;
use crate::usual::stakes::{evenly, free_stake};

/// How a free ante is split over the cells.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Split {
    /// As the base does.
    Base,
    /// Evenly over all cells. The first ones get what does not divide.
    Even,
    /// Chips by the names of the cells. It is for layouts with these cells and antes of this sum alone.
    Chips(Vec<(Box<str>, i32)>),
    /// Over the cells that the clauses leave.
    Over {
        cells: Vec<Clause>,
        /// All chips on the first of them; otherwise evenly.
        one: bool,
    },
}

/// The antes of a strategy, by seat and by when they are placed.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Antes {
    /// Where this does not hold, the base decides.
    pub(super) when: Option<Condition>,
    pub(super) eldest: Option<Arc<Split>>,
    pub(super) dealer: Option<Arc<Split>>,
    /// Of all seats without a split of their own.
    pub(super) others: Option<Arc<Split>>,
    /// Of all seats where antes are placed after a look at the own hand.
    pub(super) after_look: Option<Arc<Split>>,
}

impl Antes {
    /// Whether a clause asks how often cells are claimed.
    pub(super) fn asks_claims(&self) -> bool {
        let asks = |fact: &Fact| matches!(fact.value, ValueOf::Claimed);
        let splits = [&self.eldest, &self.dealer, &self.others, &self.after_look];
        splits.into_iter().flatten().any(|split| {
            matches!(&**split, Split::Over { cells, .. } if cells.iter().any(|clause| clause.asks(&asks)))
        })
    }

    /// The splits by whom or when they are for, in words.
    pub(super) fn splits(&self) -> [(&'static str, Option<&Split>); 4] {
        [
            ("eldest", self.eldest.as_deref()),
            ("the dealer", self.dealer.as_deref()),
            ("the others", self.others.as_deref()),
            ("after a look at the own hand", self.after_look.as_deref()),
        ]
    }

    /// The split of the seat to act, and for whom or when it is.
    pub(super) fn split(&self, view: &View) -> Option<(&'static str, &Split)> {
        let dealt = view.is_dealt();
        let is_eldest = view.seat() == view.eldest();
        let is_dealer = view.seat() == view.dealer();
        let fits = [!dealt && is_eldest, !dealt && is_dealer, !dealt, dealt];
        let mut of_seat = self.splits().into_iter().zip(fits);
        of_seat.find_map(|((who, split), fits)| Some((who, split.filter(|_| fits)?)))
    }

    /// The next chip; `None` where the base decides. The clauses see the table as it was before the first chip
    /// of this ante, so all chips follow one plan.
    pub(super) fn chip(&self, notes: &Notes, claimed: &[(Box<str>, f64)]) -> Option<Action> {
        let view = notes.view;
        if self.when.as_ref().is_some_and(|when| !when.holds(notes, Subject::Table)) {
            return None;
        }
        match self.split(view)?.1 {
            Split::Base => None,
            Split::Even => Some(evenly(view, u32::MAX)),
            Split::Chips(chips) => by_cells(view, chips),
            Split::Over { cells, one } => {
                let claimed = claimed_by_cell(view, claimed);
                let all = (1 << view.game().cells()) - 1;
                let mut left = all;
                for clause in cells {
                    left = clause.narrow(notes, left, |cell| Subject::Cell(cell, &claimed));
                }
                Some(evenly(view, if *one { left & left.wrapping_neg() } else { left }))
            }
        }
    }
}

fn by_cells(view: &View, chips: &[(Box<str>, i32)]) -> Option<Action> {
    let cells = view.game().rules().cells.iter().map(|cell| &*cell.name);
    let wanted = |name: &str| chips.iter().find(|(cell, _)| **cell == *name).map(|cell| cell.1);
    let split: Vec<i32> = cells.map(|cell| wanted(cell).unwrap_or(0)).collect();
    let is_cell = |name: &str| view.game().rules().cells.iter().any(|cell| cell.name == *name);
    let fits = chips.iter().all(|(name, _)| is_cell(name))
        && split.iter().sum::<i32>() == free_stake(view);
    let open = (0..split.len()).find(|&cell| view.staked(view.seat(), cell) < split[cell])?;
    Some(Action::chip(open)).filter(|&chip| fits && view.legal().contains(chip))
}

fn claimed_by_cell(view: &View, claimed: &[(Box<str>, f64)]) -> Vec<f64> {
    let often = |name: &str| claimed.iter().find(|(cell, _)| **cell == *name);
    let cells = view.game().rules().cells.iter();
    cells.map(|cell| often(&cell.name).map_or(0.0, |cell| cell.1)).collect()
}
