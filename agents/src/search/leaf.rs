//! The rest of a deal in a sampled determinization: a playout, or the exact solution of an endgame.

use newmarket_env::{Game, Next, OpenPlay, Position, Rng, State};

use super::{Gains, MaxN, Playout};

/// With at most this many cards in all hands, the exact solution replaces the playout
/// (`decisions/0001-search.md`).
const SOLVED_CARDS: usize = 8;

/// Evaluates positions of a sampled determinization.
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
            Next::Lead(position) => self.gain_from(open, position, seat, rng),
        }
    }

    fn gain_from(
        &mut self,
        open: &OpenPlay,
        position: Position,
        seat: usize,
        rng: &mut Rng,
    ) -> i32 {
        match self.solution(open, &position) {
            Some(gains) => gains[seat],
            None => open.gain(&self.playout.play_out(open, position, rng), seat),
        }
    }

    /// Chips that each seat gains from where `open` begins.
    pub(super) fn gains(&mut self, open: &OpenPlay, position: Position, rng: &mut Rng) -> Gains {
        match self.solution(open, &position) {
            Some(gains) => gains,
            None => open.gains(&self.playout.play_out(open, position, rng)),
        }
    }

    fn solution(&mut self, open: &OpenPlay, position: &Position) -> Option<Gains> {
        if position.live().len() > SOLVED_CARDS {
            return None;
        }
        self.solver.clear();
        Some(self.solver.gains(open, position))
    }

    /// Chips that a seat has at the end of a deal that waits for a lead, or is over.
    pub(super) fn stack(&mut self, game: &Game, state: &State, seat: usize, rng: &mut Rng) -> i32 {
        let stack = state.stacks()[seat];
        if state.is_over() {
            return stack;
        }
        let (open, position) = OpenPlay::new(game, state);
        stack + self.gain_from(&open, position, seat, rng)
    }
}
