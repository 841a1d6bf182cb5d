//! Facts about several cards together: which seats hold, or do not hold, a whole set.
//!
//! In the stage `collect`, a seat that holds a whole set of a cell, as 8-9-10 of a suit, openly takes the
//! chips of that cell. So everybody knows whether each seat held such a set when play began, though not
//! always which set.

use alloc::vec::Vec;

use crate::card_set::CardSet;
use crate::rules::Stage;
use crate::seats::Seats;
use crate::view::View;

/// A set with unseen cards, so that one or several seats may have held the whole set.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenSet {
    /// The unseen cards.
    pub(super) unseen: CardSet,
    /// Seats that have held it, if they hold all the unseen ones.
    pub(super) seats: Seats,
    /// The cell that it collects.
    cell: usize,
}

/// A cell whose collectors show something about hands.
#[derive(Clone, Copy, Debug)]
struct CollectedCell {
    /// The seats that took chips.
    collected: Seats,
    /// The seats that are known to have held a set.
    held: Seats,
    /// Chips that nobody took, if they were too few to share: then no seat held a set, or more seats than
    /// there are chips.
    too_few: Option<usize>,
}

/// All facts about sets of cards that still leave something open.
#[derive(Clone, Debug, Default)]
pub(super) struct Joint {
    pub(super) sets: Vec<OpenSet>,
    cells: Vec<CollectedCell>,
    /// Pairs of a cell and a seat for which sampling must decide whether the seat held a set: bit `i` of a
    /// mark stands for the `i`-th pair.
    marks: Vec<(usize, usize)>,
}

impl Joint {
    /// The facts of a view, if these seats are narrow anyway.
    pub(super) fn of(view: &View, narrow: Seats) -> Self {
        let mut joint = Self::default();
        if !view.game().rules().has(Stage::Collect) {
            return joint;
        }
        let (record, claims) = (view.record(), view.claims());
        for cell in 0..view.game().cells() {
            // If a single card collects, everybody knows its place.
            if record.judged >> cell & 1 == 0 || claims.card_of(cell).is_some() {
                continue;
            }
            let sets = claims.of_cell(cell);
            let collected = record.collected[cell];
            let chips = view.layout()[cell] as usize;
            let most_holders = sets.len().min(view.seats_in().len());
            let too_few = (collected.is_empty() && chips < most_holders).then_some(chips);
            let nth = joint.cells.len();
            joint.cells.push(CollectedCell { collected, held: Seats::default(), too_few });
            for &set in sets {
                joint.add(view, nth, set);
            }
        }
        if joint.sets.is_empty() {
            return Self::default();
        }
        for (cell, about) in joint.cells.iter().enumerate() {
            let open = joint.sets.iter().filter(|set| set.cell == cell);
            let open = open.flat_map(|set| set.seats.iter()).collect::<Vec<_>>();
            for seat in view.seats_in().iter().filter(|seat| open.contains(seat)) {
                let counts = about.too_few.is_some() && narrow.contains(seat);
                let told = about.collected.contains(seat) || counts;
                if told && !about.held.contains(seat) {
                    joint.marks.push((cell, seat));
                }
            }
        }
        joint
    }

    /// Adds a set, with the seats that may have held it.
    fn add(&mut self, view: &View, cell: usize, set: CardSet) {
        let unseen = set & view.hidden();
        let had = |seat: usize| {
            let hand = if seat == view.seat() { view.hand() } else { view.shown(seat) };
            hand | view.played_by(seat)
        };
        let mut seats = Seats::default();
        for seat in view.seats_in().iter() {
            if !had(seat).is_superset(set - unseen) {
                continue;
            }
            if unseen.is_empty() {
                self.cells[cell].held.insert(seat);
            } else if seat != view.seat() && (unseen & view.ruled_out(seat)).is_empty() {
                seats.insert(seat);
            }
        }
        if !seats.is_empty() {
            self.sets.push(OpenSet { unseen, seats, cell });
        }
    }

    /// Whether sampling must decide for this seat whether it held a set.
    pub(super) fn singles_out(&self, seat: usize) -> bool {
        self.marks.iter().any(|&(_, marked)| marked == seat)
    }

    /// The number of marks; those of [`Joint::pool_mark`] are the last.
    pub(super) fn marks(&self) -> usize {
        self.marks.len() + self.sets.len()
    }

    /// The mark that is made when all cards of the set go to the pool.
    pub(super) fn pool_mark(&self, set: usize) -> u32 {
        1 << (self.marks.len() + set)
    }

    /// The sets that lie wholly in the pool, one bit each.
    pub(super) fn in_pool(&self, made: u32) -> u32 {
        made >> self.marks.len()
    }

    /// The mark that is made when a seat holds the whole set; `None` if it cannot.
    pub(super) fn mark(&self, open: &OpenSet, seat: usize) -> Option<u32> {
        let cell = &self.cells[open.cell];
        if !cell.collected.contains(seat) && cell.too_few.is_none() {
            return None;
        }
        let nth = self.marks.iter().position(|&mark| mark == (open.cell, seat));
        Some(nth.map_or(0, |nth| 1 << nth))
    }

    /// Whether it matters if a seat of the pool holds the whole set.
    pub(super) fn matters(&self, open: &OpenSet, seat: usize) -> bool {
        let cell = &self.cells[open.cell];
        open.seats.contains(seat) && (!cell.collected.contains(seat) || cell.too_few.is_some())
    }

    /// Whether a deal agrees with what was collected, given the marks made and, by set, the seat of the
    /// pool that holds the whole set.
    pub(super) fn agrees(&self, made: u32, given: &[Option<usize>]) -> bool {
        self.cells.iter().enumerate().all(|(cell, about)| {
            let mut holders = about.held;
            let mut all_made = true;
            for (nth, _) in self.marks.iter().enumerate().filter(|(_, mark)| mark.0 == cell) {
                if made >> nth & 1 == 1 {
                    holders.insert(self.marks[nth].1);
                } else {
                    all_made = false;
                }
            }
            let of_space = self.sets.iter().zip(given).filter(|(set, _)| set.cell == cell);
            of_space.filter_map(|(_, seat)| *seat).for_each(|seat| holders.insert(seat));
            match about.too_few {
                Some(chips) => holders.is_empty() || holders.len() > chips,
                None => all_made && (holders - about.collected).is_empty(),
            }
        })
    }
}

impl View<'_> {
    /// Whether there are facts about several unseen cards together.
    pub(crate) fn has_joint_facts(&self) -> bool {
        !Joint::of(self, Seats::default()).sets.is_empty()
    }
}
