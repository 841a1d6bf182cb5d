//! A deal with its cards and its players.

use newmarket_env::{DealDriver, Decision, Game, Hands, MAX_PLAYERS, Seats, State};

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
        Self { game, class, hands, opponents, driver }
    }

    /// Goes on to the next decision with more than one legal action; `None` when the deal is over.
    pub(crate) fn next(&self, state: &mut State) -> Option<Decision> {
        self.driver.next(self.game, state, || self.hands)
    }
}
