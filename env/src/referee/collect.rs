//! The stage in which cells go to the holders of their cards (`docs/RULES.md`, section 8.1).

use alloc::vec::Vec;

use super::{Event, Referee};
use crate::card::Card;

impl Referee<'_> {
    /// The seats that hold all cards of a set of a cell share its chips, cell by cell. Nothing is
    /// then claimed in the play.
    pub(super) fn collect(&mut self) {
        for (index, sets) in self.claimed_by.clone().iter().enumerate() {
            let mut holders = self.turn();
            holders.retain(|&seat| {
                let holds = |card: Card| self.hands[seat].contains(&card);
                sets.iter().any(|set| set.iter().all(holds))
            });
            if holders.is_empty() {
                continue;
            }
            let chips = self.layout[index] / holders.len() as i32;
            for seat in holders {
                if chips > 0 {
                    self.layout[index] -= chips;
                    self.stacks[seat] += chips;
                    let cell = self.rules().cells[index].name.clone();
                    self.events.push(Event::Collect { seat, cell, chips });
                }
            }
        }
        self.claimed_by.iter_mut().for_each(Vec::clear);
    }
}
