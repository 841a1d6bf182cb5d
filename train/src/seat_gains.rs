//! What every seat gains from a decision to the end of the deal: targets of an auxiliary loss.

use newmarket_env::{MAX_PLAYERS, State, View};

/// Chips that each seat of a table gains from one decision to the end of the deal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeatGains {
    /// By seat; until the deal is settled, less what the seat had at the decision.
    gains: [f32; MAX_PLAYERS],
    /// The seat of the decision.
    seat: usize,
    players: usize,
}

impl SeatGains {
    /// From this state on; complete after [`SeatGains::settle`] or [`SeatGains::expect`].
    pub fn from_now(state: &State, view: &View) -> Self {
        let gains = state.stacks().map(|chips| -chips as f32);
        Self { gains, seat: view.seat(), players: view.game().players() }
    }

    /// The deal is over, and this is what everybody has.
    pub fn settle(&mut self, stacks: &[i32; MAX_PLAYERS]) {
        for (gain, &chips) in self.gains.iter_mut().zip(stacks) {
            *gain += chips as f32;
        }
    }

    /// Every action was tried: what each seat gains is the expectation of `gains` `[legal actions]`
    /// under these log-probabilities.
    pub fn expect(&mut self, log_probs: &[f32], gains: &[[f32; MAX_PLAYERS]]) {
        self.gains = [0.0; MAX_PLAYERS];
        for (log_prob, gains) in log_probs.iter().zip(gains) {
            for (mean, gain) in self.gains.iter_mut().zip(gains) {
                *mean += log_prob.exp() * gain;
            }
        }
    }

    /// What each seat of a table gains from a decision of `seat` on.
    pub(crate) fn of(seat: usize, by_seat: &[f32]) -> Self {
        let mut gains = [0.0; MAX_PLAYERS];
        gains[..by_seat.len()].copy_from_slice(by_seat);
        Self { gains, seat, players: by_seat.len() }
    }

    /// The seat of the decision.
    pub(crate) fn seat(&self) -> usize {
        self.seat
    }

    /// Chips by seat. `[players]`
    pub(crate) fn by_seat(&self) -> &[f32] {
        &self.gains[..self.players]
    }

    /// Chips by seat, the seat of the decision first, then round to the left. `[players]`
    pub fn iter(&self) -> impl ExactSizeIterator<Item = f32> + '_ {
        (0..self.players).map(|nth| self.gains[(self.seat + nth) % self.players])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use newmarket_env::seed::below;
    use newmarket_env::{Action, Env, Episode, Game, Rules, Seed};
    use std::sync::Arc;

    #[test]
    fn gains_go_round_from_the_seat_itself() {
        let game = Game::new(Rules::named("newmarket").expect("a game"), 4).expect("seats four");
        let mut env = Env::new(Arc::new(game), Episode::Deal);
        let mut rng = Seed::new(4).rng();
        let mut seen = 0;
        for deal in 0..30 {
            env.reset(Seed::new(deal));
            while !env.is_over() {
                let view = env.observe(env.seat());
                let mut gains = SeatGains::from_now(env.state(), &view);
                let mut after = *env.state().stacks();
                for (seat, chips) in after.iter_mut().enumerate() {
                    *chips += 10 * seat as i32;
                }
                gains.settle(&after);
                let expected: Vec<f32> =
                    view.relative_seats().map(|seat| 10.0 * seat as f32).collect();
                assert_eq!(gains.iter().collect::<Vec<_>>(), expected);
                let tried: [[f32; MAX_PLAYERS]; 2] =
                    [8.0, 4.0].map(|k| std::array::from_fn(|seat| k * seat as f32));
                gains.expect(&[0.25_f32.ln(), 0.75_f32.ln()], &tried);
                for (gain, seat) in gains.iter().zip(view.relative_seats()) {
                    assert!((gain - 5.0 * seat as f32).abs() < 1e-4);
                }
                seen += 1;
                let legal: Vec<Action> = view.legal().iter().collect();
                env.step(legal[below(&mut rng, legal.len() as u32) as usize]).expect("legal");
            }
        }
        assert!(seen > 100);
    }
}
