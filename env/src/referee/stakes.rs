//! Antes and the cap on cells (`docs/RULES.md`, section 3).

use alloc::vec;
use alloc::vec::Vec;

use super::{Decide, Event, PlayError, Referee};
use crate::action::{Action, ActionMask};
use crate::rules::LayoutAnte;

impl Referee<'_> {
    /// Antes seat by seat, eldest first; then chips above the cap move.
    pub(super) fn antes<E>(&mut self, decide: Decide<'_, E>) -> Result<(), PlayError<E>> {
        for seat in self.turn() {
            let deals = seat == self.before.dealer;
            let kitty = self.rules().kitty_ante;
            self.stacks[seat] -= kitty;
            self.kitty += kitty;
            let layout = match self.rules().layout_ante {
                LayoutAnte::Fixed { each, dealer } => {
                    self.stake_each(seat, if deals { dealer } else { each })
                }
                LayoutAnte::Free { chips, dealer_chips } => {
                    self.stake_freely(seat, if deals { dealer_chips } else { chips }, decide)?
                }
            };
            self.events.push(Event::Ante { seat, kitty, layout });
        }
        self.spill();
        Ok(())
    }

    fn stake_each(&mut self, seat: usize, chips: i32) -> Vec<i32> {
        for cell in &mut self.layout {
            *cell += chips;
            self.stacks[seat] -= chips;
        }
        vec![chips; self.layout.len()]
    }

    /// One chip at a time, in layout order.
    fn stake_freely<E>(
        &mut self,
        seat: usize,
        chips: i32,
        decide: Decide<'_, E>,
    ) -> Result<Vec<i32>, PlayError<E>> {
        let mut staked = vec![0; self.layout.len()];
        let mut from = 0;
        for left in (0..chips).rev() {
            let legal = self.open_cells(&staked, from, left);
            let action = self.ask(decide, seat, legal)?;
            from = action.cell().expect("only cells are legal");
            staked[from] += 1;
            self.layout[from] += 1;
            self.stacks[seat] -= 1;
        }
        Ok(staked)
    }

    /// The cells from `from` on that may take the next chip if `left` more follow it.
    fn open_cells(&self, staked: &[i32], from: usize, left: i32) -> ActionMask {
        let mut open = ActionMask::NONE;
        for cell in from..self.layout.len() {
            let (mut staked, mut layout) = (staked.to_vec(), self.layout.clone());
            staked[cell] += 1;
            layout[cell] += 1;
            let cap = self.rules().cell_cap;
            if cap.is_none_or(|cap| can_be_finished(cap, &staked, &layout, cell, left)) {
                open = open.with(Action::chip(cell));
            }
        }
        open
    }

    /// Moves the chips above the cap, the overfull cells in layout order.
    pub(super) fn spill(&mut self) {
        let Some(cap) = self.rules().cell_cap else { return };
        for source in 0..self.layout.len() {
            // Targets in the order of their first chip; `None` is the kitty.
            let mut moved: Vec<(Option<usize>, i32)> = Vec::new();
            while self.layout[source] > cap {
                let fewest = self.layout.iter().min().expect("the source is a cell");
                let target = self.layout.iter().position(|chips| chips == fewest);
                let target = target.filter(|&cell| self.layout[cell] < cap);
                // All cells are at the cap: the kitty takes the rest at once, or the chips stay.
                let chips = if target.is_some() { 1 } else { self.layout[source] - cap };
                match target {
                    Some(cell) => self.layout[cell] += chips,
                    None if self.rules().has_kitty() => self.kitty += chips,
                    None => break,
                }
                self.layout[source] -= chips;
                match moved.iter_mut().find(|pair| pair.0 == target) {
                    Some(pair) => pair.1 += chips,
                    None => moved.push((target, chips)),
                }
            }
            for (target, chips) in moved {
                let name = |cell: usize| self.rules().cells[cell].name.clone();
                let to = target.map_or("kitty".into(), name);
                self.events.push(Event::Spill { from: name(source), to, chips });
            }
        }
    }
}

/// Whether `left` more chips can go on the cells from `cell` on so that the whole split is legal:
/// it raises no cell above the cap, or leaves every cell at or above it.
fn can_be_finished(cap: i32, staked: &[i32], layout: &[i32], cell: usize, left: i32) -> bool {
    let mut room = 0;
    for chips in &layout[cell..] {
        room += (cap - chips).max(0);
    }
    let raised_too_far = staked.iter().zip(layout).any(|(&by, &chips)| by > 0 && chips > cap);
    let gap_behind = layout[..cell].iter().any(|&chips| chips < cap);
    (!raised_too_far && left <= room) || (!gap_behind && left >= room)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All splits of `chips` over as many cells as `layout` has.
    fn splits(cells: usize, chips: i32) -> Vec<Vec<i32>> {
        if cells == 1 {
            return vec![vec![chips]];
        }
        let mut all = Vec::new();
        for first in 0..=chips {
            for mut rest in splits(cells - 1, chips - first) {
                rest.insert(0, first);
                all.push(rest);
            }
        }
        all
    }

    /// The rule of `docs/RULES.md`, section 3, as it stands there.
    fn is_legal(cap: i32, before: &[i32], split: &[i32]) -> bool {
        let after: Vec<i32> = before.iter().zip(split).map(|(a, b)| a + b).collect();
        let raises = after.iter().zip(before).any(|(a, b)| a > b && *a > cap);
        !raises || after.iter().all(|&chips| chips >= cap)
    }

    #[test]
    fn chip_by_chip_reaches_exactly_the_legal_splits() {
        let cap = 3;
        for code in 0..6_i32.pow(3) {
            let before = [code % 6, code / 6 % 6, code / 36];
            for chips in 1..=6 {
                let reached: Vec<Vec<i32>> = splits(3, chips)
                    .into_iter()
                    .filter(|split| {
                        let mut staked = vec![0; 3];
                        let mut layout = before.to_vec();
                        let mut left = chips;
                        let cells = (0..3).flat_map(|cell| vec![cell; split[cell] as usize]);
                        cells.into_iter().all(|cell| {
                            staked[cell] += 1;
                            layout[cell] += 1;
                            left -= 1;
                            can_be_finished(cap, &staked, &layout, cell, left)
                        })
                    })
                    .collect();
                let mut legal = splits(3, chips);
                legal.retain(|split| is_legal(cap, &before, split));
                assert_eq!(reached, legal, "{before:?} {chips}");
                assert!(!legal.is_empty());
            }
        }
    }
}
