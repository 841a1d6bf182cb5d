//! Deals played in step, so that a policy answers for all of them at once.

use alloc::boxed::Box;
use alloc::vec::Vec;

use newmarket_env::{Action, DealDriver, Encoder, Game, Observation, Rng, State};

use crate::player::BatchPolicy;

/// Deals that are played in step; when one is over, the next begins. Enough for full blocks of the
/// network, and few enough for the processor's cache.
const AT_ONCE: usize = 32;

/// Plays many deals to their ends by one policy or several, a decision of each deal at a time.
pub struct Playouts<'p> {
    policies: Vec<PolicyBatch<'p>>,
    /// The numbers of the deals in progress.
    playing: Vec<usize>,
}

/// The observations for which one policy is asked at once.
struct PolicyBatch<'p> {
    policy: Box<dyn BatchPolicy + 'p>,
    observations: Vec<Observation>,
    /// The numbers of the deals of the observations.
    deals: Vec<usize>,
}

impl<'p> Playouts<'p> {
    /// Playouts by these policies, which are numbered in this order.
    pub fn new(policies: impl IntoIterator<Item = Box<dyn BatchPolicy + 'p>>) -> Self {
        let batch = |policy| PolicyBatch { policy, observations: Vec::new(), deals: Vec::new() };
        Self { policies: policies.into_iter().map(batch).collect(), playing: Vec::new() }
    }

    /// Asks the first policy for one decision.
    pub(super) fn ask(&mut self, one: &Observation, answer: &mut dyn FnMut(usize, &[f32])) {
        self.policies[0].policy.logits(core::slice::from_ref(one), answer);
    }

    /// The first policy.
    pub(super) fn first(&mut self) -> &mut (dyn BatchPolicy + 'p) {
        &mut *self.policies[0].policy
    }

    /// Plays deals on as the player of the first policy does, until the cards are due or the deal is over.
    /// A player that takes its likeliest actions takes no random number.
    pub fn play_on(&mut self, driver: DealDriver, game: &Game, deals: &mut [State], rng: &mut Rng) {
        let plays = self.first().plays();
        self.play_by(driver, game, deals, &mut |_, state, logits| {
            let view = state.view(game, state.actor().unwrap_or(0));
            plays.choose(&view, state.legal(game), logits, rng).index()
        });
    }

    /// [`Playouts::play_on`] by other actions: `choose` is given the number of a deal, its state, and
    /// logits `[actions]`, and returns the index of the action.
    pub(super) fn play_by(
        &mut self,
        driver: DealDriver,
        game: &Game,
        deals: &mut [State],
        choose: &mut dyn FnMut(usize, &State, &[f32]) -> usize,
    ) {
        let encoder = Encoder::new(game);
        self.run(
            deals,
            |state| {
                let decision = driver.next_or_cards(game, state)?;
                Some((0, encoder.encode(&state.view(game, decision.seat))))
            },
            |nth, state, logits| {
                let action = choose(nth, state, logits);
                state.apply_unchecked(game, Action::from_index(action));
            },
        );
    }

    /// Plays all deals to their ends. `advance` takes a deal to its next decision by a policy, and returns
    /// the policy's number and the observation, or `None` at the end. `choose` is given the number of a
    /// deal, the deal, and logits `[actions]`, and takes the decision.
    pub fn run<D>(
        &mut self,
        deals: &mut [D],
        mut advance: impl FnMut(&mut D) -> Option<(usize, Observation)>,
        mut choose: impl FnMut(usize, &mut D, &[f32]),
    ) {
        let Self { policies, playing } = self;
        playing.clear();
        let mut waiting = 0..deals.len();
        loop {
            for batch in &mut *policies {
                batch.observations.clear();
                batch.deals.clear();
            }
            let mut goes_on = |deal: usize| match advance(&mut deals[deal]) {
                Some((policy, observation)) => {
                    policies[policy].observations.push(observation);
                    policies[policy].deals.push(deal);
                    true
                }
                None => false,
            };
            playing.retain(|&deal| goes_on(deal));
            while playing.len() < AT_ONCE
                && let Some(deal) = waiting.next()
            {
                if goes_on(deal) {
                    playing.push(deal);
                }
            }
            if playing.is_empty() {
                return;
            }
            for PolicyBatch { policy, observations, deals: asked } in &mut *policies {
                policy.logits(observations, &mut |row, logits| {
                    choose(asked[row], &mut deals[asked[row]], logits);
                });
            }
        }
    }
}
