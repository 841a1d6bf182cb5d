//! Antes as layouts: who may stake how much, in turn, and what then lies on the cells.

use std::sync::Arc;

use newmarket_env::{DealStart, DealStarts, Game, MAX_CELLS, Rng, seed};

use crate::study::ante::splits::Split;

/// One layout of so many is held out of the fit.
const HELD_OUT: u64 = 10;
/// Splits at layouts of more than this are not tried.
const MOST_TRIED: f64 = 2e6;

/// Chips on each cell.
pub(super) type Layout = Vec<i32>;

/// The chips of a layout that antes make, one on top of the other.
pub(super) fn placed<'s>(splits: impl IntoIterator<Item = &'s Split>, cells: usize) -> Layout {
    let mut layout = vec![0; cells];
    for split in splits {
        layout.iter_mut().zip(split.chips()).for_each(|(sum, chips)| *sum += chips);
    }
    layout
}

pub(super) fn on_top(layout: &[i32], carried: &[i32]) -> Layout {
    layout.iter().zip(carried).map(|(a, b)| a + b).collect()
}

/// Whether a layout of antes is held out of the fit.
pub(super) fn is_held_out(placed: &[i32]) -> bool {
    let number = placed.iter().fold(7_u64, |hash, &chips| {
        (hash ^ chips as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    });
    number.is_multiple_of(HELD_OUT)
}

/// The stage: who stakes how much, in turn.
pub(super) struct Antes {
    pub(super) game: Arc<Game>,
    /// The splits that each role may choose.
    pub(super) splits: Vec<Vec<Split>>,
}

impl Antes {
    pub(super) fn of(game: &Arc<Game>) -> Self {
        let (players, cells) = (game.players(), game.cells());
        let of = |role: usize| Split::all_of(game.rules().layout_stake(role + 1 == players), cells);
        Self { game: game.clone(), splits: (0..players).map(of).collect() }
    }

    /// Whether all that seats may do at all layouts can be tried.
    pub(super) fn is_small(game: &Game) -> bool {
        let (players, cells, rules) = (game.players(), game.cells(), game.rules());
        let splits =
            |role: usize| Split::count(rules.layout_stake(role + 1 == players) as usize, cells);
        let layouts = |role: usize| Split::count(rules.layout_stake(false) as usize * role, cells);
        (0..players).map(|role| layouts(role) * splits(role)).sum::<f64>() <= MOST_TRIED
    }

    pub(super) fn cells(&self) -> usize {
        self.game.cells()
    }

    /// A split for each role at random.
    pub(super) fn random(&self, rng: &mut Rng) -> Vec<&Split> {
        let pick = |all: &'_ Vec<Split>, rng: &mut Rng| seed::below(rng, all.len() as u32) as usize;
        self.splits.iter().map(|all| &all[pick(all, rng)]).collect()
    }
}

/// Deals that begin with these chips, any seat dealing.
pub(super) fn starts_with(game: &Arc<Game>, carried: &[i32]) -> Arc<DealStarts> {
    let mut layout = [0; MAX_CELLS];
    layout[..carried.len()].copy_from_slice(carried);
    let of = |dealer| DealStart { layout, ..DealStart::fresh(game.players(), dealer) };
    let entries = (0..game.players()).map(of).collect();
    Arc::new(DealStarts::of(game, entries).expect("it is a layout of this game"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_of_the_layouts_is_held_out() {
        let all: Vec<Layout> = Split::all_of(16, 4).iter().map(|it| it.chips().to_vec()).collect();
        assert_eq!(all.len(), 969);
        let held = all.iter().filter(|layout| is_held_out(layout)).count();
        assert!((60..140).contains(&held), "{held}");
    }
}
