//! Where `basic` puts a free ante before the deal, by game and seat.
//!
//! `newmarket study ante --rules GAME --player basic --deals 60000 --seed 4` found them: a split for eldest, and
//! one for all others, where they gain something on fresh deals. They are for a player who leads as `basic` does:
//! its questions ask for chips. Where the dealer stakes another number of chips, it stakes them evenly.

use newmarket_env::rules::Timing;
use newmarket_env::{Action, Rules, View};

/// The splits of a game: chips on each cell, in the order of its cells.
struct Antes {
    eldest: &'static [i32],
    others: &'static [i32],
}

/// On the ace of spades, the king of hearts, the queen of clubs and the jack of diamonds.
const NEWMARKET: Antes = Antes { eldest: &[4, 0, 0, 0], others: &[1, 0, 3, 0] };

/// On the king of spades, the queen of hearts, the jack of clubs and the ten of diamonds.
const BAZAAR_1875: Antes = Antes { eldest: &[3, 1, 0, 0], others: &[0, 1, 1, 2] };

/// On the ace of hearts, the king of clubs, the queen of diamonds and the jack of spades.
const MICHIGAN_FREE_STAKES: Antes = Antes { eldest: &[0, 0, 1, 5], others: &[0, 1, 3, 2] };

/// The antes of the game that these rules are, or that they extend.
fn antes_of(rules: &Rules) -> Option<&'static Antes> {
    match rules.base {
        "newmarket" | "newmarket-buy" => Some(&NEWMARKET),
        "bazaar-1875" => Some(&BAZAAR_1875),
        "michigan-free-stakes" => Some(&MICHIGAN_FREE_STAKES),
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
