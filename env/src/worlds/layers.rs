//! Counting the ways to place cards in hands, one after another.
//!
//! Step `i` places one card, or the unseen cards of a set. Its table has, for each number of cards that
//! each narrow hand may have by then, the number of ways to place the cards of this step and of all
//! later steps. Each table follows from the next. The last table has a closed form: the remaining cards
//! have the same possible places.

use alloc::vec;
use alloc::vec::Vec;

use super::joint::Joint;
use super::place::Place;
use super::plan::{Choice, Item, POOL};
use super::splits::FACTORIALS;
use crate::card::Card;
use crate::rules::MAX_PLAYERS;
use crate::seed::{self, Rng};

/// The number of cards in each narrow hand so far, and the marks that have been made.
#[derive(Clone, Copy, Debug, Default)]
struct Filled {
    cards: [u8; MAX_PLAYERS],
    marks: u32,
}

/// The place and the index arithmetic of a table.
#[derive(Clone, Copy, Debug)]
struct Table {
    start: usize,
    /// The lowest number of cards that does not occur, by narrow hand.
    dims: [u8; MAX_PLAYERS],
    strides: [u32; MAX_PLAYERS],
    mark_stride: u32,
    len: usize,
}

/// All steps, and the places of their tables in a list of ways.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    /// Free places of the narrow hands.
    room: Vec<u8>,
    items: Vec<Item>,
    /// One for each step, and one for the end.
    tables: Vec<Table>,
    /// The number of marks.
    marks: usize,
    /// The number of cards that are placed after the last step, and their possible bins.
    rest: (usize, u32),
}

impl Layers {
    pub(super) fn new(
        narrow: &[Place],
        items: Vec<Item>,
        rest: (usize, u32),
        joint: &Joint,
    ) -> Self {
        let room: Vec<u8> = narrow.iter().map(|place| place.room as u8).collect();
        let mut tables = Vec::with_capacity(items.len() + 1);
        let (mut start, mut most) = (0, [0_u8; MAX_PLAYERS]);
        for step in 0..=items.len() {
            let table = Table::new(start, &room, most, joint.marks());
            start += table.len;
            tables.push(table);
            if let Some(item) = items.get(step) {
                for (bin, most) in most.iter_mut().enumerate() {
                    *most += item.choices.iter().map(|c| c.adds[bin]).max().unwrap_or(0);
                }
            }
        }
        Self { room, items, tables, marks: joint.marks(), rest }
    }

    /// The number of ways to go on from each entry of each table; the first is the number of all ways. An
    /// end with some marks counts `worth(marks)` times.
    pub(super) fn count(&self, worth: impl Fn(u32) -> f64) -> Vec<f64> {
        let last = &self.tables[self.items.len()];
        let mut values = vec![0.0; last.start + last.len];
        let (mut marks, mut factor) = (0, worth(0));
        last.for_each(&self.room, self.marks, |index, filled| {
            if filled.marks != marks {
                (marks, factor) = (filled.marks, worth(filled.marks));
            }
            if factor > 0.0 {
                values[index] = factor * self.ways_of_the_rest(filled);
            }
        });
        for (step, item) in self.items.iter().enumerate().rev() {
            let (table, next) = (&self.tables[step], &self.tables[step + 1]);
            let (before, after) = values.split_at_mut(next.start);
            table.for_each(&self.room, self.marks, |index, filled| {
                let ways = item.choices.iter().filter_map(|choice| {
                    let then = filled.after(choice, &self.room)?;
                    Some(after[next.index(&then, &self.room) - next.start])
                });
                before[index] = ways.sum();
            });
        }
        values
    }

    /// Ways to fill the free places of the narrow hands from the rest; the others join the pool.
    fn ways_of_the_rest(&self, filled: &Filled) -> f64 {
        let (mut pooled, kind) = self.rest;
        let mut ways = FACTORIALS[pooled];
        for (bin, &room) in self.room.iter().enumerate() {
            let left = (room - filled.cards[bin]) as usize;
            if left > pooled || left > 0 && kind >> bin & 1 == 0 {
                return 0.0;
            }
            pooled -= left;
            ways /= FACTORIALS[left];
        }
        if pooled > 0 && kind >> POOL & 1 == 0 { 0.0 } else { ways / FACTORIALS[pooled] }
    }

    /// Draws a bin for each card of the steps, every way equally likely, and calls `place(card, bin)`;
    /// returns the marks that were made.
    pub(super) fn draw(
        &self,
        ways: &[f64],
        rng: &mut Rng,
        place: &mut impl FnMut(Card, usize),
    ) -> u32 {
        let mut filled = Filled::default();
        let mut all = ways[0];
        for (step, item) in self.items.iter().enumerate() {
            let next = &self.tables[step + 1];
            let mut point = seed::unit(rng) * all;
            let mut taken = None;
            for choice in &item.choices {
                let Some(then) = filled.after(choice, &self.room) else { continue };
                let after = ways[next.index(&then, &self.room)];
                if after > 0.0 {
                    taken = Some((choice, then, after));
                    if point < after {
                        break;
                    }
                    point -= after;
                }
            }
            // Rounding may put the point behind the last choice: then the last one is taken.
            let (choice, then, after) = taken.expect("there is a way on");
            for (&card, &bin) in item.cards.iter().zip(&choice.bins) {
                place(card, bin as usize);
            }
            (filled, all) = (then, after);
        }
        filled.marks
    }

    /// Calls `add(card, bin, probability)` for each card of the steps; returns the mean number of cards of
    /// the rest in each narrow hand and, last, in the pool.
    pub(super) fn chances(&self, ways: &[f64], add: &mut impl FnMut(Card, usize, f64)) -> Vec<f64> {
        // The number of ways to reach each entry of each table.
        let mut reached = vec![0.0; ways.len()];
        reached[0] = 1.0 / ways[0];
        for (step, item) in self.items.iter().enumerate() {
            let (table, next) = (&self.tables[step], &self.tables[step + 1]);
            let mut chances = vec![0.0; item.choices.len()];
            table.for_each(&self.room, self.marks, |index, filled| {
                let here = reached[index];
                if here == 0.0 {
                    return;
                }
                for (chance, choice) in chances.iter_mut().zip(&item.choices) {
                    let Some(then) = filled.after(choice, &self.room) else { continue };
                    let index = next.index(&then, &self.room);
                    reached[index] += here;
                    *chance += here * ways[index];
                }
            });
            for (chance, choice) in chances.into_iter().zip(&item.choices) {
                for (&card, &bin) in item.cards.iter().zip(&choice.bins) {
                    add(card, bin as usize, chance);
                }
            }
        }
        let mut rest = vec![0.0; self.room.len() + 1];
        let last = &self.tables[self.items.len()];
        last.for_each(&self.room, self.marks, |index, filled| {
            let chance = reached[index] * ways[index];
            let mut pooled = self.rest.0 as f64;
            if chance > 0.0 {
                for (bin, &room) in self.room.iter().enumerate() {
                    let left = f64::from(room - filled.cards[bin]);
                    rest[bin] += chance * left;
                    pooled -= left;
                }
                rest[self.room.len()] += chance * pooled;
            }
        });
        rest
    }
}

impl Filled {
    /// The result of this choice; `None` if a hand has no room for it.
    fn after(&self, choice: &Choice, room: &[u8]) -> Option<Self> {
        let mut then = Self { cards: self.cards, marks: self.marks | choice.marks };
        for (bin, &room) in room.iter().enumerate() {
            then.cards[bin] += choice.adds[bin];
            if then.cards[bin] > room {
                return None;
            }
        }
        Some(then)
    }
}

impl Table {
    /// A table from `start` on; `most` is the largest number of cards in each narrow hand by then.
    fn new(start: usize, room: &[u8], most: [u8; MAX_PLAYERS], marks: usize) -> Self {
        let (mut dims, mut strides) = ([1; MAX_PLAYERS], [0; MAX_PLAYERS]);
        let mut len = 1;
        for (bin, &room) in room.iter().enumerate() {
            dims[bin] = most[bin].min(room) + 1;
            strides[bin] = len;
            len *= u32::from(dims[bin]);
        }
        Self { start, dims, strides, mark_stride: len, len: (len as usize) << marks }
    }

    fn index(&self, filled: &Filled, room: &[u8]) -> usize {
        let mut index = filled.marks * self.mark_stride;
        for bin in 0..room.len() {
            index += u32::from(filled.cards[bin]) * self.strides[bin];
        }
        self.start + index as usize
    }

    /// Calls `f` for each entry, in order.
    fn for_each(&self, room: &[u8], marks: usize, mut f: impl FnMut(usize, &Filled)) {
        let mut index = self.start;
        for marks in 0..1 << marks {
            let mut filled = Filled { marks, ..Filled::default() };
            'entries: loop {
                f(index, &filled);
                index += 1;
                for bin in 0..room.len() {
                    filled.cards[bin] += 1;
                    if filled.cards[bin] < self.dims[bin] {
                        continue 'entries;
                    }
                    filled.cards[bin] = 0;
                }
                break;
            }
        }
    }
}
