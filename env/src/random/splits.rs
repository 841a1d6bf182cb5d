//! A free ante at random, all its chips at once.
//!
//! Chip by chip, each on a cell that is as likely as any other from the last one on, some splits
//! come more often than others. Here one draw finds a split with exactly those chances, by
//! Walker's alias method: every column of a table is as likely as the others, and is shared by two
//! splits.

use alloc::vec;
use alloc::vec::Vec;

use crate::rules::{LayoutAnte, MAX_CELLS, Rules};
use crate::seed::{Bounds, Draw, Rng};

/// One way to place the chips of an ante.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Split {
    /// Chips on each cell.
    pub(crate) chips: [i16; MAX_CELLS],
    /// The cell of the last chip.
    pub(crate) last: u8,
}

/// All splits of a number of chips over the cells, with their chances.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Splits {
    /// Chips of an ante, the same in all splits.
    pub(crate) chips: u16,
    all: Vec<Split>,
    columns: Vec<Column>,
    /// The common denominator of all chances.
    unit: u64,
    bounds: Bounds,
}

/// The split of the same place has this column up to `own` units, `other` has the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Column {
    own: u64,
    other: u16,
}

/// A table of more splits than this would push other things out of the cache.
const MOST_SPLITS: usize = 512;

/// The share of a draw that is thrown away is at most the product of its bounds over 2⁶⁴.
const MOST: u64 = 1 << 58;

impl Splits {
    /// The splits of the antes of a seat that deals or does not; `None` where there is no choice,
    /// where it depends on what lies there already, and where there are too many.
    pub(crate) fn new(rules: &Rules, deals: bool) -> Option<Self> {
        let LayoutAnte::Free { chips, dealer_chips } = rules.layout_ante else { return None };
        let chips = if deals { dealer_chips } else { chips };
        let cells = rules.cells.len();
        if chips == 0 || rules.cell_cap.is_some() || count(chips as usize, cells) > MOST_SPLITS {
            return None;
        }
        // Divisible by every number of cells among which a chip may have to choose.
        let common = (1..=cells as u64).fold(1, |all, n| all / gcd(all, n) * n);
        let unit = common.checked_pow(chips as u32)?;
        let none = Split { chips: [0; MAX_CELLS], last: 0 };
        let mut weighted = vec![(none, 1)];
        for _ in 0..chips {
            weighted = next_chip(&weighted, cells, common);
        }
        let columns = columns(&weighted, unit)?;
        let bounds = Bounds::new(&[columns.len() as u64, unit]);
        let all = weighted.into_iter().map(|(split, _)| split).collect();
        Some(Self { chips: chips as u16, all, columns, unit, bounds })
    }

    /// One of the splits.
    pub(crate) fn draw(&self, rng: &mut Rng) -> &Split {
        let mut draw = Draw::new(rng, &self.bounds);
        let place = draw.below(self.columns.len() as u64) as usize;
        let column = self.columns[place];
        let own = draw.below(self.unit) < column.own;
        &self.all[core::hint::select_unpredictable(own, place, column.other as usize)]
    }
}

/// In how many ways chips can be split over cells; enough for a bound.
fn count(chips: usize, cells: usize) -> usize {
    (1..cells).fold(1_usize, |ways, k| ways.saturating_mul(chips + k) / k)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Every split with one chip more, and its weight.
fn next_chip(weighted: &[(Split, u64)], cells: usize, common: u64) -> Vec<(Split, u64)> {
    let mut next: Vec<(Split, u64)> = Vec::new();
    for &(split, weight) in weighted {
        let first = split.last as usize;
        let weight = weight * (common / (cells - first) as u64);
        for cell in first..cells {
            let mut split = Split { last: cell as u8, ..split };
            split.chips[cell] += 1;
            next.push((split, weight));
        }
    }
    next
}

/// The table of the alias method: what a split's weight leaves of its column goes to a split of
/// more than one column's weight.
fn columns(weighted: &[(Split, u64)], unit: u64) -> Option<Vec<Column>> {
    let n = weighted.len() as u64;
    if unit.checked_mul(n)? >= MOST {
        return None;
    }
    let mut left: Vec<u64> = weighted.iter().map(|(_, weight)| weight * n).collect();
    let mut columns: Vec<Column> =
        (0..left.len()).map(|place| Column { own: unit, other: place as u16 }).collect();
    let mut poor: Vec<usize> = (0..left.len()).filter(|&place| left[place] < unit).collect();
    let mut rich: Vec<usize> = (0..left.len()).filter(|&place| left[place] > unit).collect();
    while let (Some(to), Some(&from)) = (poor.pop(), rich.last()) {
        columns[to] = Column { own: left[to], other: from as u16 };
        left[from] -= unit - left[to];
        if left[from] <= unit {
            rich.pop();
        }
        if left[from] < unit {
            poor.push(from);
        }
    }
    Some(columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal_start::DealStart;
    use crate::game::Game;
    use crate::state::{Phase, State};

    /// Walks all ways in which a seat can place its chips one by one, each choice uniform, and
    /// counts in which share of `unit` cases each split comes out.
    fn chip_by_chip(
        state: &State,
        game: &Game,
        share: u64,
        found: &mut Vec<([i16; MAX_CELLS], u64)>,
    ) {
        let seat = state.actor().expect("a seat places chips");
        let legal = state.legal(game);
        assert_eq!(share % legal.len() as u64, 0, "no fractions");
        for action in legal.iter() {
            let mut next = *state;
            next.apply(game, action).expect("it is legal");
            let share = share / legal.len() as u64;
            if next.phase() == Phase::Ante && next.actor() == Some(seat) {
                chip_by_chip(&next, game, share, found);
            } else {
                found.push((next.public.staked[seat], share));
            }
        }
    }

    #[test]
    fn splits_have_the_chances_of_chips_one_by_one() {
        let mut tables = 0;
        for (base, ante) in [
            ("newmarket", ""),
            ("hoyle-1885", ""),
            ("michigan-free-stakes", ""),
            (
                "newmarket",
                "cells = [\"AS\", \"KH\", \"QC\", \"JD\", \"2C\", \"3C\", \"4C\", \"5C\"]",
            ),
            (
                "newmarket",
                "cells = [\"AS\", \"KH\"]\nlayout_ante = { free = { chips = 9, dealer_chips = 1 } }",
            ),
            ("newmarket", "cells = [\"AS\"]"),
        ] {
            let rules = Rules::from_toml(&format!("base = {base:?}\n{ante}"), "house").unwrap();
            let game = Game::new(rules, 3).unwrap();
            for deals in [false, true] {
                let splits =
                    game.sampler().splits[usize::from(deals)].as_ref().expect("not too many");
                let mut state = State::new(&game, &DealStart::fresh(3, 0));
                while deals && state.actor() != Some(0) {
                    let any = state.legal(&game).first().expect("a choice");
                    state.apply(&game, any).expect("it is legal");
                }
                let mut wanted = Vec::new();
                chip_by_chip(&state, &game, splits.unit, &mut wanted);
                // In units of one column's part: a split's share of its own and of other columns.
                let columns = splits.columns.len() as u64;
                let mut shares = vec![0; splits.all.len()];
                for (place, column) in splits.columns.iter().enumerate() {
                    shares[place] += column.own;
                    shares[column.other as usize] += splits.unit - column.own;
                }
                assert_eq!(splits.all.len(), wanted.len());
                for (split, share) in splits.all.iter().zip(shares) {
                    let find = wanted.iter().find(|(chips, _)| *chips == split.chips);
                    assert_eq!(share, columns * find.expect("it is legal").1, "{split:?}");
                    let last = split.chips.iter().rposition(|&chips| chips > 0);
                    assert_eq!(Some(split.last as usize), last);
                }
                tables += 1;
            }
        }
        assert_eq!(tables, 12);
    }

    #[test]
    fn where_it_depends_or_is_too_much_chips_go_one_by_one() {
        for change in [
            "cell_cap = 9",
            "layout_ante = { fixed = { each = 1, dealer = 1 } }",
            "layout_ante = { free = { chips = 0, dealer_chips = 0 } }",
            "layout_ante = { free = { chips = 40, dealer_chips = 1000 } }",
        ] {
            let rules = Rules::from_toml(&format!("base = \"newmarket\"\n{change}"), "house");
            let game = Game::new(rules.unwrap(), 3).unwrap();
            assert_eq!(game.sampler().splits, [None, None], "{change}");
        }
    }
}
