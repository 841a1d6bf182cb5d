//! The play with all cards face up, solved: every leader takes what is best for itself.
//!
//! This is max-n (Luckhardt and Irani 1986): a position is worth to all seats what the choice
//! that is best for its leader is worth to them; among equals the first suit counts. A deal is
//! played by few runs in many orders, so the same positions come up again and again: each is
//! looked at once.

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

    /// What each seat gains by the end, if all play for themselves from here on. All positions
    /// between two calls of [`MaxN::clear`] must be of one deal.
    pub fn gains(&mut self, open: &OpenPlay, at: &Position) -> Gains {
        if let Some(&gains) = self.known.get(at) {
            return gains;
        }
        let leader = at.leader();
        let mut best: Option<Gains> = None;
        for suit in at.suits() {
            let gains = match open.lead(at, suit) {
                Next::Lead(next) => self.gains(open, &next),
                Next::Over(end) => open.gains(&end),
            };
            if best.is_none_or(|best| gains[leader] > best[leader]) {
                best = Some(gains);
            }
        }
        let gains = best.expect("a leader has a choice");
        self.known.insert(*at, gains);
        gains
    }
}
