//! Poker: the best five, and bets by how often they should win.

use newmarket_env::poker::Strength;
use newmarket_env::rules::Stage;
use newmarket_env::{Action, Phase, View};

/// How much better than a fair share of the pot a chance must be to bet, and to raise.
const BET: f64 = 1.25;
const RAISE: f64 = 1.6;

/// Hands of fewer cards cannot play poker.
const LEAST: usize = 5;

/// The 5 %, 10 %, … 95 % quantiles of the best five of a hand of 5, 6, … 17 cards, each as
/// [`key`]. Made by dealing 60 000 random hands of each size (20 000 of 13 cards and more) from a
/// pack of 52, sorting the keys of their best five, and taking every twentieth part.
#[rustfmt::skip]
const QUANTILES: [[u8; 19]; 13] = [
    [0x09, 0x0a, 0x0a, 0x0b, 0x0b, 0x0b, 0x0c, 0x0c, 0x0c, 0x0c, 0x11, 0x12, 0x14, 0x16, 0x17, 0x19, 0x1a, 0x1c, 0x29],
    [0x0a, 0x0b, 0x0b, 0x0c, 0x0c, 0x0c, 0x10, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1a, 0x1b, 0x1c, 0x28, 0x2b, 0x38],
    [0x0b, 0x0c, 0x0c, 0x10, 0x12, 0x13, 0x15, 0x16, 0x18, 0x19, 0x1b, 0x1c, 0x25, 0x28, 0x2a, 0x2b, 0x30, 0x43, 0x5a],
    [0x0c, 0x11, 0x13, 0x15, 0x17, 0x19, 0x1b, 0x23, 0x26, 0x28, 0x29, 0x2a, 0x2b, 0x2c, 0x35, 0x45, 0x4b, 0x5b, 0x63],
    [0x12, 0x16, 0x1a, 0x23, 0x26, 0x27, 0x29, 0x2a, 0x2b, 0x2b, 0x2c, 0x38, 0x45, 0x49, 0x4c, 0x5b, 0x5c, 0x62, 0x68],
    [0x1b, 0x26, 0x28, 0x29, 0x2a, 0x2b, 0x2c, 0x2c, 0x44, 0x47, 0x4a, 0x4c, 0x5a, 0x5b, 0x5c, 0x5c, 0x63, 0x67, 0x6a],
    [0x27, 0x29, 0x2b, 0x2c, 0x2c, 0x45, 0x48, 0x4b, 0x57, 0x5a, 0x5b, 0x5c, 0x5c, 0x5c, 0x62, 0x64, 0x67, 0x69, 0x6b],
    [0x2a, 0x2c, 0x44, 0x48, 0x4b, 0x57, 0x5a, 0x5b, 0x5b, 0x5c, 0x5c, 0x5c, 0x61, 0x63, 0x65, 0x67, 0x69, 0x6a, 0x6c],
    [0x2c, 0x48, 0x4c, 0x59, 0x5a, 0x5b, 0x5c, 0x5c, 0x5c, 0x60, 0x61, 0x63, 0x64, 0x66, 0x67, 0x69, 0x6a, 0x6b, 0x6c],
    [0x4a, 0x59, 0x5a, 0x5b, 0x5b, 0x5c, 0x5c, 0x5c, 0x61, 0x62, 0x64, 0x65, 0x66, 0x67, 0x69, 0x6a, 0x6b, 0x6c, 0x75],
    [0x59, 0x5b, 0x5b, 0x5c, 0x5c, 0x5c, 0x60, 0x62, 0x63, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6c, 0x79],
    [0x5b, 0x5b, 0x5c, 0x5c, 0x60, 0x61, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6c, 0x75, 0x83],
    [0x5b, 0x5c, 0x5c, 0x61, 0x62, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6a, 0x6b, 0x6c, 0x6c, 0x73, 0x7a, 0x86],
];

/// A strength, coarse enough for a table: its class, then the rank that decides first.
fn key(strength: Strength) -> u8 {
    (strength.class() as u8) << 4 | strength.leading_rank() as u8
}

/// The chance, 0 to 1, that these five beat the best five of a random hand of this many cards.
fn beats(strength: Strength, cards: usize) -> f64 {
    let row = &QUANTILES[cards.clamp(LEAST, LEAST + QUANTILES.len() - 1) - LEAST];
    let below = row.partition_point(|&quantile| quantile < key(strength));
    let up_to = row.partition_point(|&quantile| quantile <= key(strength));
    // Half of the equal ones are beaten.
    (below + up_to + 1) as f64 / (2 * (row.len() + 1)) as f64
}

/// The chance that these five take the pot against all others who have not folded.
fn against_all(view: &View, strength: Strength) -> f64 {
    let others = (view.seats_in() - view.folded()).iter().filter(|&seat| seat != view.seat());
    others.map(|seat| beats(strength, view.hand_size(seat))).product()
}

/// A fair share of the pot among those who have not folded.
fn fair_share(view: &View) -> f64 {
    1.0 / (view.seats_in() - view.folded()).len().max(1) as f64
}

/// The chance that the viewer takes the pot if all who have not folded show their hands: by the
/// five cards set apart, before that by the best five. `None` for a hand too small for poker.
pub fn chance_to_win(view: &View) -> Option<f64> {
    let aces = view.game().rules().aces;
    let strength = match view.phase() {
        Phase::Bet if view.apart().len() == LEAST => Strength::of(view.apart(), aces),
        _ if view.hand().len() >= LEAST => Strength::best_five(view.hand(), aces).1,
        _ => return None,
    };
    Some(against_all(view, strength))
}

/// Chips in the pot; 0 if the layout has none.
fn pot(view: &View) -> f64 {
    view.game().rules().pot().map_or(0.0, |pot| f64::from(view.layout()[pot]))
}

/// Chips that the viewer's hand should win at poker beyond a fair share of the pot.
pub(super) fn worth(view: &View) -> f64 {
    if !view.game().rules().has(Stage::Poker) {
        return 0.0;
    }
    let pot = pot(view);
    chance_to_win(view).map_or(0.0, |chance| pot * (chance - fair_share(view)))
}

/// Bets and raises on a hand that is better than most, calls what should pay, else checks or
/// folds.
pub(super) fn bet(view: &View) -> Action {
    let legal = view.legal();
    let chance = chance_to_win(view).unwrap_or(0.0);
    let pot = pot(view);
    let call = f64::from(view.bet() - view.put(view.seat()));
    let edge = chance / fair_share(view);
    let wish = [
        (Action::RAISE, edge > RAISE),
        (Action::BET, edge > BET),
        (Action::CALL, chance * (pot + call) > call),
        (Action::CHECK, true),
        (Action::FOLD, true),
    ];
    let choice = wish.into_iter().find(|&(action, good)| good && legal.contains(action));
    choice.map(|choice| choice.0).or(legal.first()).expect("a decision has a choice")
}
