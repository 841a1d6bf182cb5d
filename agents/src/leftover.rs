//! Chips left on the table at the end of a session.

use newmarket_env::rules::Leftover;
use newmarket_env::{Game, State};

/// The expected share of a seat in the chips left after the last deal of a session, by the rule `leftover`: with `lot`
/// an equal share, with `richest` all or nothing, with `stay` nothing.
pub fn expected_of_left(game: &Game, state: &State, seat: usize) -> f64 {
    let left = f64::from(state.layout().iter().sum::<i32>() + state.kitty());
    let (seats, stacks) = (state.seats_in(), state.stacks());
    match game.rules().session.leftover {
        Leftover::Stay => 0.0,
        Leftover::Lot => left / seats.len() as f64,
        Leftover::Richest => {
            // Of equally rich seats the lowest.
            let richest = seats.iter().min_by_key(|&seat| (-stacks[seat], seat));
            if richest == Some(seat) { left } else { 0.0 }
        }
    }
}
