//! Decisions tried in sampled determinizations, in which everybody plays on by a policy.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use newmarket_env::random::Sampler;
use newmarket_env::{Action, DealDriver, Hands, Observation, Phase, Rng, Seats, State, View};
use newmarket_net::argmax;

use super::{BeliefSampler, DecisionModel, LikelihoodModel, Playouts};
use crate::player::BatchPolicy;
use crate::search::plans::InWorlds;

/// Deals that are played in step at most, if one world has no more.
const MOST_AT_ONCE: usize = 512;

/// The weight of the policy's prior, in worlds per nat: a decision that is e times as likely as
/// another by the policy starts with this many chips more. With few worlds the policy knows better
/// than the sum of gains (`decisions/0001-search.md`).
const PRIOR_WORLDS_PER_NAT: f64 = 25.0;

/// Earlier decisions are taken to be the policy's, which mostly takes its likeliest action.
const WITHOUT_LEADS: LikelihoodModel = {
    let model = DecisionModel { sharpness: 5.0, random_share: 0.01 };
    LikelihoodModel { antes: model, answers: model, bids: model, leads: None }
};

/// Leads are weighed less sharply: two leads are often worth nearly the same, so a lead is weak
/// evidence (`decisions/0001-search.md`).
const LEADS: DecisionModel = DecisionModel { sharpness: 1.0, random_share: 0.05 };

/// Candidates that are drawn for each world, where there is evidence.
const CANDIDATES: usize = 8;

/// Tries decisions in sampled determinizations, all in the same ones, weighted by the likelihood of
/// earlier decisions. In each of them all seats play on to the end of the deal by one policy, which
/// sees what each seat could see there.
pub struct PolicyTrials {
    playouts: Playouts<'static>,
    beliefs: BeliefSampler,
    model: LikelihoodModel,
}

impl PolicyTrials {
    /// Trials by this policy, in worlds weighted by the decisions before the play.
    pub fn new(policy: Box<dyn BatchPolicy>) -> Self {
        let beliefs = BeliefSampler::new(CANDIDATES);
        Self { playouts: Playouts::new([policy]), beliefs, model: WITHOUT_LEADS }
    }

    /// Also weighs worlds by leads, which takes longer. In games with poker leads are not weighed.
    #[must_use]
    pub fn weigh_leads(mut self) -> Self {
        self.model.leads = Some(LEADS);
        self
    }

    /// The policy's prior for each of these plans, in chips summed over worlds: how far the logits of
    /// its actions are behind the largest ones. The prior of five cards for poker is 0. A plan is a
    /// whole decision of the view's seat, as its actions.
    pub fn priors(&mut self, view: &View, plans: &[Vec<Action>]) -> Vec<f64> {
        let mut viewer_alone = Hands::default();
        viewer_alone.seats[view.seat()] = view.hand();
        let prior = |plan: &Vec<Action>| {
            let mut prior = 0.0;
            // The state after the actions so far; only an ante has several.
            let mut state = None;
            for (nth, &action) in plan.iter().enumerate() {
                let now = state
                    .as_ref()
                    .map_or(*view, |state: &State| state.view(view.game(), view.seat()));
                self.playouts.ask(&Observation::of(&now), &mut |_, logits| {
                    let weight = |index: usize| PRIOR_WORLDS_PER_NAT * f64::from(logits[index]);
                    prior += weight(action.index()) - weight(argmax(logits, now.legal().bits()));
                });
                if nth + 1 < plan.len() {
                    let mut next = state.unwrap_or_else(|| view.determinize(&viewer_alone));
                    next.apply_unchecked(view.game(), action);
                    state = Some(next);
                }
            }
            prior
        };
        if view.phase() == Phase::SetApart {
            return vec![0.0; plans.len()];
        }
        plans.iter().map(prior).collect()
    }

    /// The gain of each of these plans for the view's seat from now to the end of the deal, world by
    /// world: `each` is called with the gains in one world, in chips, in the order of the plans.
    /// `[plans]`
    ///
    /// # Panics
    /// If the seat is not to act, or a plan is not legal.
    pub fn gains_by_world(
        &mut self,
        view: &View,
        plans: &[Vec<Action>],
        worlds: u32,
        rng: &mut Rng,
        each: &mut dyn FnMut(&[i32]),
    ) {
        let (game, seat) = (view.game(), view.seat());
        let in_worlds = InWorlds::new(view, plans, |undealt| {
            self.playouts.play_on(DealDriver::CHOICES_BUT_FIVE, game, undealt, rng);
        });
        let at_once = (MOST_AT_ONCE / plans.len().max(1)).max(1) as u32;
        let (before, mut gains) = (view.stack(seat), vec![0; plans.len()]);
        let mut left = worlds;
        while left > 0 {
            let now = left.min(at_once);
            left -= now;
            let worlds = self.worlds(view, now as usize, rng);
            let mut deals = Vec::with_capacity(worlds.len() * plans.len());
            for &(hands, _) in &worlds {
                let world = in_worlds.world(hands);
                deals.extend((0..plans.len()).map(|nth| in_worlds.after(&world, nth)));
            }
            self.playouts.play_on(DealDriver::CHOICES_BUT_FIVE, game, &mut deals, rng);
            for (after, (_, times)) in deals.chunks_exact(plans.len()).zip(worlds) {
                let stacks = after.iter().map(|state| state.stacks()[seat]);
                gains.iter_mut().zip(stacks).for_each(|(gain, stack)| *gain = stack - before);
                (0..times).for_each(|_| each(&gains));
            }
        }
    }

    /// Draws `count` worlds: the different ones, with the number of times that each was drawn.
    fn worlds(&mut self, view: &View, count: usize, rng: &mut Rng) -> Vec<(Hands, u32)> {
        if !view.is_dealt() {
            let sampler = Sampler::new(view.game(), view.dealer(), view.seats_in());
            return (0..count).map(|_| (sampler.hands(rng), 1)).collect();
        }
        let policy = self.playouts.first();
        let drawn = self.beliefs.worlds(policy, &self.model, Seats::ALL, view, count, rng);
        let mut worlds: Vec<(Hands, u32)> = Vec::with_capacity(count);
        for hands in drawn {
            match worlds.last_mut() {
                Some((last, times)) if *last == hands => *times += 1,
                _ => worlds.push((hands, 1)),
            }
        }
        worlds
    }
}
