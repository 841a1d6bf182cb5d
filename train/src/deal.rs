//! A deal with its cards and players.

use newmarket_agents::{expected_of_left, table_unit};
use newmarket_env::{DealDriver, Decision, Game, Hands, MAX_PLAYERS, Seats, Session, State};

/// A deal, its cards, and the opponents at the table.
#[derive(Clone, Copy)]
pub(crate) struct SeatedDeal<'a> {
    pub(crate) game: &'a Game,
    /// The class of its decisions, see [`crate::rollout::Mix::classes`].
    pub(crate) class: usize,
    /// The unit of the table, in chips.
    pub(crate) unit: f32,
    /// The cards of all hands, also before they are dealt.
    pub(crate) hands: Hands,
    /// By seat, the index of the opponent; `None`: the policy plays the seat.
    pub(crate) opponents: [Option<usize>; MAX_PLAYERS],
    /// The session of the deal, where the return is that of the session; `None`: the return is the
    /// chips of the deal.
    pub(crate) session: Option<&'a Session>,
    /// Whether no deal follows: then each seat gets its share of the chips that nobody has claimed.
    is_alone: bool,
    driver: DealDriver,
}

impl<'a> SeatedDeal<'a> {
    /// The policy is not asked which five cards to set apart for poker: the best hand is set apart
    /// (`train/NOTEBOOK.md`, 7).
    pub(crate) fn new(
        game: &'a Game,
        class: usize,
        hands: Hands,
        opponents: [Option<usize>; MAX_PLAYERS],
    ) -> Self {
        let policy: Seats = (0..game.players()).filter(|&seat| opponents[seat].is_none()).collect();
        let driver = DealDriver::CHOICES.set_best_five_apart(policy);
        let unit = table_unit(game);
        Self { game, class, unit, hands, opponents, session: None, is_alone: false, driver }
    }

    /// The same deal, alone: no deal follows.
    #[must_use]
    pub(crate) fn alone(self, is_alone: bool) -> Self {
        Self { is_alone, ..self }
    }

    /// What a seat can expect of the chips that nobody has claimed at the end, by the rule `leftover`, if no
    /// deal follows.
    pub(crate) fn share_of_left(&self, state: &State, seat: usize) -> f32 {
        if self.is_alone { expected_of_left(self.game, state, seat) as f32 } else { 0.0 }
    }

    /// The same deal with the return of its session.
    #[must_use]
    pub(crate) fn of_session(self, session: Option<&'a Session>) -> Self {
        Self { session, ..self }
    }

    /// Advances to the next decision with more than one legal action; `None` when the deal is over.
    pub(crate) fn next(&self, state: &mut State) -> Option<Decision> {
        self.driver.next(self.game, state, || self.hands)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use newmarket_env::{Rules, Seed, random};

    /// Where what is left goes by lot, no chip vanishes in a deal that is alone; where it stays, or where
    /// another deal follows, nobody counts it.
    #[test]
    fn a_deal_that_is_alone_counts_what_is_left() {
        let text = include_str!("../../eval/games/after-look.toml");
        let stays = text.replace("leftover = \"lot\"", "leftover = \"stay\"");
        for (text, is_alone, is_counted) in
            [(text, true, true), (text, false, false), (&stays, true, false)]
        {
            let rules = Rules::from_toml(text, "after-look.toml").expect("rules");
            let game = Game::new(rules, 2).expect("two seats");
            let (mut rng, mut left) = (Seed::new(3).rng(), 0.0);
            for deal in 0..50 {
                let session = Session::single_deal(&game, Seed::new(deal));
                let mut state = State::new(&game, session.deal_start());
                let deal = SeatedDeal::new(&game, 0, session.hands(&game), [None; MAX_PLAYERS]);
                let deal = deal.alone(is_alone);
                while let Some(due) = deal.next(&mut state) {
                    state.apply_unchecked(&game, random::choice(due.legal, &mut rng));
                }
                let shares = [0, 1].map(|seat| deal.share_of_left(&state, seat));
                let stacks: i32 = state.stacks().iter().sum();
                if is_counted {
                    assert!((stacks as f32 + shares[0] + shares[1]).abs() < 1e-6, "{shares:?}");
                } else {
                    assert!(shares.iter().all(|&share| share == 0.0), "{shares:?}");
                }
                left -= f64::from(stacks);
            }
            assert!(left > 10.0, "{left}");
        }
    }
}
