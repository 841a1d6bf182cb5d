//! The fixed policy, as the other seats play it and as the seat itself would play on.

use newmarket_agents::net::Playouts;
use newmarket_agents::{BatchPolicy, expected_of_left};
use newmarket_env::{
    Action, DealDriver, Decision, Game, Hands, Observation, Phase, Seed, State, View,
};
use newmarket_net::argmax;

use crate::replay::agree;

/// A policy that takes its likeliest action in all seats, and the seat that may deviate from it.
pub(super) struct Field<'g> {
    pub(super) game: &'g Game,
    /// The seat that may deviate.
    pub(super) seat: usize,
    policy: Box<dyn BatchPolicy>,
    playouts: Playouts<'static>,
}

impl<'g> Field<'g> {
    pub(super) fn new(
        game: &'g Game,
        seat: usize,
        mut policy: impl FnMut() -> Box<dyn BatchPolicy>,
    ) -> Self {
        let (playouts, policy) = (Playouts::new([policy()]), policy());
        Self { game, seat, policy, playouts }
    }

    /// The policy's likeliest action.
    pub(super) fn likeliest(&mut self, view: &View) -> Action {
        let (legal, mut likeliest) = (view.legal().bits(), 0);
        self.policy.logits(&[Observation::of(view)], &mut |_, logits| {
            likeliest = argmax(logits, legal);
        });
        Action::from_index(likeliest)
    }

    /// Plays on to the next choice of the seat that may deviate, and adds all actions to the record, but not the five cards
    /// for poker. Returns whether there is one before the end of the deal.
    pub(super) fn advance(&mut self, state: &mut State, record: &mut Vec<Action>) -> bool {
        let game = self.game;
        loop {
            let forced = |state: &mut State, action| step(game, state, record, action);
            let next = DealDriver::CHOICES_BUT_FIVE.next_by(game, state, forced);
            let Some(Decision { seat, .. }) = next else { return false };
            if seat == self.seat {
                return true;
            }
            let action = self.likeliest(&state.view(game, seat));
            step(game, state, record, action);
        }
    }

    /// For each of these worlds, whether the deal would have come to this view in it ([`agree`]).
    pub(super) fn agree(
        &mut self,
        undealt: &State,
        view: &View,
        record: &[Action],
        worlds: &[Hands],
    ) -> Vec<bool> {
        agree(&mut self.playouts, undealt, view, record, worlds)
    }

    /// Plays deals on to their ends by the policy in all seats. Returns the chips of the seat in each of them.
    pub(super) fn play_out(&mut self, deals: &mut [State]) -> Vec<f64> {
        // The policy takes no random number.
        let rng = &mut Seed::new(0).rng();
        self.playouts.play_on(DealDriver::CHOICES_BUT_FIVE, self.game, deals, rng);
        deals.iter().map(|state| self.chips(state)).collect()
    }

    /// The chips of the seat at the end of a deal, with its share of the chips left on the table.
    pub(super) fn chips(&self, state: &State) -> f64 {
        f64::from(state.stacks()[self.seat]) + expected_of_left(self.game, state, self.seat)
    }
}

/// Takes an action, and records it unless it sets a card apart for poker.
fn step(game: &Game, state: &mut State, record: &mut Vec<Action>, action: Action) {
    if state.phase() != Phase::SetApart {
        record.push(action);
    }
    state.apply_unchecked(game, action);
}
