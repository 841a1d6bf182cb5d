//! The play with all cards face up, solved: every leader takes what is best for itself.
//!
//! This is max-n (Luckhardt and Irani 1986): the value of a position, for all seats, is the value after
//! the choice that is best for its leader; among equals the first suit counts. A deal consists of few
//! runs that can be played in many orders, so the same positions come up again and again. Each is solved
//! once.

use newmarket_env::{MAX_PLAYERS, Next, OpenPlay, Position};

use super::positions::Positions;

/// Chips that each seat gains, counted from where the [`OpenPlay`] begins.
pub type Gains = [i32; MAX_PLAYERS];

/// Solves positions of one deal.
#[derive(Default)]
pub struct MaxN {
    known: Positions<Gains>,
}

impl MaxN {
    /// Forgets all positions, before another deal.
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// Chips that each seat gains up to the end, if all seats play for themselves from here on. All
    /// positions between two calls of [`MaxN::clear`] must be of one deal.
    pub fn gains(&mut self, open: &OpenPlay, position: &Position) -> Gains {
        if let Some(&gains) = self.known.get(position) {
            return gains;
        }
        let leader = position.leader();
        let mut best: Option<Gains> = None;
        for suit in position.suits() {
            let gains = match open.lead(position, suit) {
                Next::Lead(next) => self.gains(open, &next),
                Next::Over(end) => open.gains(&end),
            };
            if best.is_none_or(|best| gains[leader] > best[leader]) {
                best = Some(gains);
            }
        }
        let gains = best.expect("a leader has a choice");
        self.known.insert(*position, gains);
        gains
    }
}
