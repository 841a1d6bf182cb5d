//! The rest of a deal in a sampled determinization: a playout, or the exact solution of an endgame.

use newmarket_env::{Game, Next, OpenPlay, Position, Rng, State};

use super::{Gains, MaxN, Playout};

/// With at most this many cards in all hands, the solution takes the place of a playout. (Measured:
/// 8, 12 or 16 cards make no difference to the play's strength; see `decisions/0001-search.md`.)
const SOLVED_CARDS: usize = 8;

/// What a position of a sampled determinization is worth.
pub(super) struct LeafEvaluator {
    playout: Playout,
    solver: MaxN,
}

impl LeafEvaluator {
    pub(super) fn new(playout: Playout) -> Self {
        Self { playout, solver: MaxN::default() }
    }

    /// Chips that a seat gains from where `open` begins.
    pub(super) fn gain(&mut self, open: &OpenPlay, next: Next, seat: usize, rng: &mut Rng) -> i32 {
        match next {
            Next::Over(end) => open.gain(&end, seat),
            Next::Lead(at) => self.gain_from(open, at, seat, rng),
        }
    }

    fn gain_from(&mut self, open: &OpenPlay, at: Position, seat: usize, rng: &mut Rng) -> i32 {
        match self.solution(open, &at) {
            Some(gains) => gains[seat],
            None => open.gain(&self.playout.play_out(open, at, rng), seat),
        }
    }

    /// Chips that each seat gains from where `open` begins.
    pub(super) fn gains(&mut self, open: &OpenPlay, at: Position, rng: &mut Rng) -> Gains {
        match self.solution(open, &at) {
            Some(gains) => gains,
            None => open.gains(&self.playout.play_out(open, at, rng)),
        }
    }

    fn solution(&mut self, open: &OpenPlay, at: &Position) -> Option<Gains> {
        if at.live().len() > SOLVED_CARDS {
            return None;
        }
        self.solver.clear();
        Some(self.solver.gains(open, at))
    }

    /// Chips that a seat has at the end of a deal that waits for a lead, or is over.
    pub(super) fn stack(&mut self, game: &Game, state: &State, seat: usize, rng: &mut Rng) -> i32 {
        let stack = state.stacks()[seat];
        if state.is_over() {
            return stack;
        }
        let (open, at) = OpenPlay::new(game, state);
        stack + self.gain_from(&open, at, seat, rng)
    }
}
