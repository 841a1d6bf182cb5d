//! A deal with its cards and its players.

use newmarket_env::{DealDriver, Decision, Game, Hands, MAX_PLAYERS, Seats, Session, State};

/// A deal and who plays it.
#[derive(Clone, Copy)]
pub(crate) struct SeatedDeal<'a> {
    pub(crate) game: &'a Game,
    /// The class of its decisions, see [`crate::rollout::Mix::classes`].
    pub(crate) class: usize,
    /// The cards, also before they are dealt.
    pub(crate) hands: Hands,
    /// By seat the opponent that sits there; none: the policy.
    pub(crate) opponents: [Option<usize>; MAX_PLAYERS],
    /// The session that the deal is one of, where what counts is how that one ends; none: what
    /// counts are the chips of the deal.
    pub(crate) session: Option<&'a Session>,
    driver: DealDriver,
}

impl<'a> SeatedDeal<'a> {
    /// The best five cards for poker are set apart for the policy without asking it: it does no
    /// better (`train/NOTEBOOK.md`, 7).
    pub(crate) fn new(
        game: &'a Game,
        class: usize,
        hands: Hands,
        opponents: [Option<usize>; MAX_PLAYERS],
    ) -> Self {
        let policy: Seats = (0..game.players()).filter(|&seat| opponents[seat].is_none()).collect();
        let driver = DealDriver::CHOICES.set_best_five_apart(policy);
        Self { game, class, hands, opponents, session: None, driver }
    }

    /// The same as a deal of a session that counts as a whole.
    #[must_use]
    pub(crate) fn of_session(self, session: Option<&'a Session>) -> Self {
        Self { session, ..self }
    }

    /// Goes on to the next decision with more than one legal action; `None` when the deal is over.
    pub(crate) fn next(&self, state: &mut State) -> Option<Decision> {
        self.driver.next(self.game, state, || self.hands)
    }
}
