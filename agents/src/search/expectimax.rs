//! The play with all cards face up, for one seat that sees them among others that do not.
//!
//! Opponents that do not see the cards will not find their best leads. Max-n assumes that they do, and
//! is too cautious. Here the seat takes its best lead whenever it leads; the others lead by one of two
//! heuristics, or uniformly at random. The seat's expected gain is exact over all continuations to the
//! end of the deal (expectimax, Michie 1966). Each position is visited once.

use newmarket_env::{Next, OpenPlay, Position, Rng, Suit};

use super::Playout;
use super::positions::Positions;

/// The probability that each rule makes another seat's lead (`decisions/0001-search.md`).
const RULE_WEIGHTS: [(Playout, f64); 2] = [(Playout::Longest, 0.3), (Playout::Stopper, 0.3)];
/// The probability that another seat's lead is uniform over its legal leads.
const UNIFORM_WEIGHT: f64 = 0.4;

/// Expected gains of a seat in one deal.
pub struct Expectimax {
    seat: usize,
    /// Positions that are solved exactly; beyond them a playout replaces the solution.
    max_positions: usize,
    known: Positions<f64>,
}

impl Expectimax {
    /// An expectimax for one seat, of at most `max_positions` positions.
    pub fn new(seat: usize, max_positions: usize) -> Self {
        Self { seat, max_positions, known: Positions::default() }
    }

    /// The seat's expected gain in chips, counted from where `open` begins. `open` must be the same in all
    /// calls.
    pub fn gain(&mut self, open: &OpenPlay, position: &Position, rng: &mut Rng) -> f64 {
        if let Some(&gain) = self.known.get(position) {
            return gain;
        }
        if self.known.len() >= self.max_positions {
            let end = Playout::Stopper.play_out(open, *position, rng);
            return f64::from(open.gain(&end, self.seat));
        }
        let gain = if position.leader() == self.seat {
            self.best(open, position, rng).1
        } else {
            self.after_others(open, position, rng)
        };
        self.known.insert(*position, gain);
        gain
    }

    /// The seat's best lead, the first among equals, and its expected gain in chips.
    pub fn best(&mut self, open: &OpenPlay, position: &Position, rng: &mut Rng) -> (Suit, f64) {
        let mut best: Option<(Suit, f64)> = None;
        for suit in position.suits() {
            let gain = self.after(open, position, suit, rng);
            if best.is_none_or(|(_, best)| gain > best) {
                best = Some((suit, gain));
            }
        }
        best.expect("a leader has a choice")
    }

    fn after_others(&mut self, open: &OpenPlay, position: &Position, rng: &mut Rng) -> f64 {
        let any = UNIFORM_WEIGHT / f64::from(position.may_lead().count_ones());
        let rules = RULE_WEIGHTS.map(|(rule, chance)| (rule.lead(open, position, rng), chance));
        position
            .suits()
            .map(|suit| {
                let by_rule = rules.iter().filter(|rule| rule.0 == suit);
                let chance = any + by_rule.map(|rule| rule.1).sum::<f64>();
                chance * self.after(open, position, suit, rng)
            })
            .sum()
    }

    fn after(&mut self, open: &OpenPlay, position: &Position, suit: Suit, rng: &mut Rng) -> f64 {
        match open.lead(position, suit) {
            Next::Lead(next) => self.gain(open, &next, rng),
            Next::Over(end) => f64::from(open.gain(&end, self.seat)),
        }
    }
}
