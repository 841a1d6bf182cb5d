//! The play with all cards face up, for one seat that sees them among others that do not.
//!
//! Opponents that do not see the cards will not find their best leads, and max-n, which assumes
//! that they do, is too wary of them. Here the seat takes what is best for itself whenever it
//! leads; the others lead by one heuristic or another, and sometimes at random. The seat's expected
//! gain is worked out exactly, over all that may happen to the end of the deal (expectimax, Michie
//! 1966); each position is visited once.

use newmarket_env::{Next, OpenPlay, Position, Rng, Suit};

use super::Playout;
use super::positions::Positions;

/// How likely each rule is to make another seat's lead. (Measured at tables of heuristics and
/// of search: each of the three alone is weaker at the others' tables.)
const RULE_WEIGHTS: [(Playout, f64); 2] = [(Playout::Longest, 0.3), (Playout::Stopper, 0.3)];
/// How likely another seat's lead is drawn uniformly from those that are legal.
const UNIFORM_WEIGHT: f64 = 0.4;

/// Expected gains of a seat in one deal.
pub struct Expectimax {
    seat: usize,
    /// Positions that are looked at exactly; beyond them a playout has to do.
    max_positions: usize,
    known: Positions<f64>,
}

impl Expectimax {
    /// For one seat. At most `max_positions` positions are looked at; a playout stands in for any
    /// more.
    pub fn new(seat: usize, max_positions: usize) -> Self {
        Self { seat, max_positions, known: Positions::default() }
    }

    /// Chips that the seat may expect to gain from where `open` begins, which must be the same in
    /// all calls.
    pub fn gain(&mut self, open: &OpenPlay, at: &Position, rng: &mut Rng) -> f64 {
        if let Some(&gain) = self.known.get(at) {
            return gain;
        }
        if self.known.len() >= self.max_positions {
            let end = Playout::Stopper.play_out(open, *at, rng);
            return f64::from(open.gain(&end, self.seat));
        }
        let gain = if at.leader() == self.seat {
            self.best(open, at, rng).1
        } else {
            self.of_others(open, at, rng)
        };
        self.known.insert(*at, gain);
        gain
    }

    /// The seat's best lead, the first among equals, and what it may expect of it.
    pub fn best(&mut self, open: &OpenPlay, at: &Position, rng: &mut Rng) -> (Suit, f64) {
        let mut best: Option<(Suit, f64)> = None;
        for suit in at.suits() {
            let gain = self.after(open, at, suit, rng);
            if best.is_none_or(|(_, best)| gain > best) {
                best = Some((suit, gain));
            }
        }
        best.expect("a leader has a choice")
    }

    fn of_others(&mut self, open: &OpenPlay, at: &Position, rng: &mut Rng) -> f64 {
        let any = UNIFORM_WEIGHT / f64::from(at.may_lead().count_ones());
        let rules = RULE_WEIGHTS.map(|(rule, chance)| (rule.lead(open, at, rng), chance));
        at.suits()
            .map(|suit| {
                let by_rule = rules.iter().filter(|rule| rule.0 == suit);
                let chance = any + by_rule.map(|rule| rule.1).sum::<f64>();
                chance * self.after(open, at, suit, rng)
            })
            .sum()
    }

    fn after(&mut self, open: &OpenPlay, at: &Position, suit: Suit, rng: &mut Rng) -> f64 {
        match open.lead(at, suit) {
            Next::Lead(next) => self.gain(open, &next, rng),
            Next::Over(end) => f64::from(open.gain(&end, self.seat)),
        }
    }
}
