//! Decisions tried in sampled determinizations, in which everybody plays on by a policy.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use newmarket_env::random::Sampler;
use newmarket_env::{Action, DealDriver, Hands, Observation, Phase, Rng, Seats, State, View};
use newmarket_net::argmax;

use super::{BeliefSampler, Ear, Hearing, Playouts};
use crate::player::BatchPolicy;
use crate::search::plans::InWorlds;

/// Deals that are played in step at most, if one world has no more.
const MOST_AT_ONCE: usize = 512;

/// The weight of the policy's prior, in worlds per nat: a decision that it thinks e times as likely as
/// another starts with this many chips more. In one world two leads differ by about nine chips to
/// either side, so with few worlds the policy knows better. (Measured: without the prior, 64
/// worlds lose; 10 or 40 a nat find no more; see `decisions/0001-search.md`.)
const PRIOR_WORLDS_PER_NAT: f64 = 25.0;

/// What was said is taken to be said by the same policy, which mostly takes its likeliest action.
const DEAF_TO_LEADS: Hearing = {
    let ear = Ear { sharpness: 5.0, doubt: 0.01 };
    Hearing { antes: ear, answers: ear, leads: None }
};

/// Leads are heard less sharply: two leads are often worth nearly the same, so the likeliest one tells
/// little. (Measured: sharper gains no more; see `decisions/0001-search.md`.)
const LEADS: Ear = Ear { sharpness: 1.0, doubt: 0.05 };

/// Worlds that are drawn for each that is kept, where something was said.
const CANDIDATES: usize = 8;

/// Tries decisions in sampled determinizations, all in the same ones, which take account of what was
/// said before the play. In each of them everybody plays on to the end of the deal by one policy,
/// seeing only what they could see there.
pub struct PolicyTrials {
    playouts: Playouts<'static>,
    beliefs: BeliefSampler,
    hearing: Hearing,
}

impl PolicyTrials {
    /// Trials by this policy, in worlds that do not hear leads.
    pub fn new(policy: Box<dyn BatchPolicy>) -> Self {
        let beliefs = BeliefSampler::new(CANDIDATES);
        Self { playouts: Playouts::new([policy]), beliefs, hearing: DEAF_TO_LEADS }
    }

    /// The same in worlds that hear leads, too, which takes about one and a half times as long. In games
    /// with poker no lead is heard.
    #[must_use]
    pub fn hear_leads(mut self) -> Self {
        self.hearing.leads = Some(LEADS);
        self
    }

    /// The policy's prior for each of these plans, in chips summed over worlds: how far its actions are
    /// behind those that the policy would take in their place. Of five cards for poker it has no
    /// opinion. A plan is a whole decision of the view's seat, as its actions.
    pub fn priors(&mut self, view: &View, plans: &[Vec<Action>]) -> Vec<f64> {
        let mut own = Hands::default();
        own.seats[view.seat()] = view.hand();
        let prior = |plan: &Vec<Action>| {
            let mut prior = 0.0;
            // Where the plan has come to; an ante alone has several actions.
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
                    let mut next = state.unwrap_or_else(|| view.determinize(&own));
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

    /// What each of these plans gains for the view's seat from now to the end of the deal, world by
    /// world: `each` is given the gains in one world, in the order of the plans.
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
            self.playouts.play_on(DealDriver::CHOICES_BUT_FIVE, game, undealt);
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
                let world = in_worlds.at(hands);
                deals.extend((0..plans.len()).map(|nth| in_worlds.after(&world, nth)));
            }
            self.playouts.play_on(DealDriver::CHOICES_BUT_FIVE, game, &mut deals);
            for (after, (_, times)) in deals.chunks_exact(plans.len()).zip(worlds) {
                let stacks = after.iter().map(|state| state.stacks()[seat]);
                gains.iter_mut().zip(stacks).for_each(|(gain, stack)| *gain = stack - before);
                (0..times).for_each(|_| each(&gains));
            }
        }
    }

    /// Draws worlds: those that differ, and how often each was drawn.
    fn worlds(&mut self, view: &View, count: usize, rng: &mut Rng) -> Vec<(Hands, u32)> {
        if !view.is_dealt() {
            let sampler = Sampler::new(view.game(), view.dealer(), view.seats_in());
            return (0..count).map(|_| (sampler.hands(rng), 1)).collect();
        }
        let policy = self.playouts.first();
        let drawn = self.beliefs.worlds(policy, &self.hearing, Seats::ALL, view, count, rng);
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
