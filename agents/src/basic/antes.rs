//! Where `basic` puts a free ante before the deal, by game and seat.
//!
//! `newmarket study ante --rules GAME --deals 80000 --seed 3` found them: a split for eldest, and the one that
//! was best for all others, where they gain two hundredths of a chip or more on fresh deals. Where the dealer
//! stakes another number of chips, it stakes them evenly.

use newmarket_env::rules::Timing;
use newmarket_env::{Action, Rules, View};

/// The splits of a game: chips on each cell, in the order of its cells.
struct Antes {
    eldest: &'static [i32],
    others: &'static [i32],
}

/// On the ace of spades, the king of hearts, the queen of clubs and the jack of diamonds.
const NEWMARKET: Antes = Antes { eldest: &[4, 0, 0, 0], others: &[0, 0, 2, 2] };

/// On the same.
const HOYLE_1885: Antes = Antes { eldest: &[4, 0, 0, 0], others: &[0, 1, 2, 1] };

/// On the king of spades, the queen of hearts, the jack of clubs and the ten of diamonds.
const BAZAAR_1875: Antes = Antes { eldest: &[0, 4, 0, 0], others: &[0, 1, 1, 2] };

/// The antes of the game that these rules are, or that they extend.
fn antes_of(rules: &Rules) -> Option<&'static Antes> {
    match rules.base {
        "newmarket" | "newmarket-buy" => Some(&NEWMARKET),
        "hoyle-1885" => Some(&HOYLE_1885),
        "bazaar-1875" => Some(&BAZAAR_1875),
        _ => None,
    }
}

/// The next chip of the ante; nothing where these rules have no such split, or a cell takes no more.
pub(super) fn chip(view: &View) -> Option<Action> {
    let rules = view.game().rules();
    let (seat, antes) = (view.seat(), antes_of(rules)?);
    let split = if seat == view.eldest() { antes.eldest } else { antes.others };
    let staked = |cell: usize| view.staked(seat, cell);
    let cells = view.game().cells();
    let stake = (0..cells).map(staked).sum::<i32>() + view.chips_left() as i32;
    if rules.timing != Timing::BeforeDeal
        || split.len() != cells
        || split.iter().sum::<i32>() != stake
    {
        return None;
    }
    let open = (0..cells).find(|&cell| staked(cell) < split[cell])?;
    Some(Action::chip(open)).filter(|&chip| view.legal().contains(chip))
}
