//! The rest of a deal in an sampled determinization: by heuristics, exactly when few cards are left.

use newmarket_env::{Game, Next, OpenPlay, Position, Rng, State};

use super::{Gains, Playout, Solver};

/// Up to so many cards in all hands, a playout is replaced by the solution.
const SOLVED: usize = 8;

/// How the rest of a deal goes in an sampled determinization.
pub(super) struct Rest {
    pub(super) playout: Playout,
    solver: Solver,
}

impl Rest {
    pub(super) fn new(playout: Playout) -> Self {
        Self { playout, solver: Solver::default() }
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
        if at.live().len() > SOLVED {
            return None;
        }
        self.solver.clear();
        self.solver.gains(open, at, usize::MAX)
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
