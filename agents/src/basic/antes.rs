//! Where `basic` puts a free ante before the deal, by game and seat.
//!
//! `newmarket study ante --rules GAME --player basic --deals 60000 --seed 4` found them: a split for eldest, and
//! one for all others, where they gain something on fresh deals. They are for a player who leads as `basic` does:
//! its questions ask for chips. Where the dealer stakes another number of chips, it stakes them evenly.

use newmarket_env::rules::Timing;
use newmarket_env::{Aces, Action, Card, Rules, View};

/// Of a smaller pack nothing is known; one card may be missing.
const LEAST_CARDS: usize = 51;

/// The splits of a game with all cards: chips on each cell.
struct Antes {
    aces: Aces,
    /// The cards of the cells, in their order.
    cells: [&'static str; 4],
    eldest: &'static [i32],
    others: &'static [i32],
}

const NEWMARKET: Antes = Antes {
    aces: Aces::Low,
    cells: ["AS", "KH", "QC", "JD"],
    eldest: &[4, 0, 0, 0],
    others: &[1, 0, 3, 0],
};

const BAZAAR_1875: Antes = Antes {
    aces: Aces::Low,
    cells: ["KS", "QH", "JC", "TD"],
    eldest: &[3, 1, 0, 0],
    others: &[0, 1, 1, 2],
};

const MICHIGAN_FREE_STAKES: Antes = Antes {
    aces: Aces::High,
    cells: ["AH", "KC", "QD", "JS"],
    eldest: &[0, 0, 1, 5],
    others: &[0, 1, 3, 2],
};

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
    let card = |cell: usize| view.claims().card_of(cell);
    let same_cells = cells == antes.cells.len()
        && (0..cells).all(|cell| card(cell) == Card::parse(antes.cells[cell], antes.aces));
    let same_game = rules.timing == Timing::BeforeDeal
        && rules.aces == antes.aces
        && view.game().pack().len() >= LEAST_CARDS;
    if !same_cells || !same_game || split.iter().sum::<i32>() != stake {
        return None;
    }
    let open = (0..cells).find(|&cell| staked(cell) < split[cell])?;
    Some(Action::chip(open)).filter(|&chip| view.legal().contains(chip))
}
