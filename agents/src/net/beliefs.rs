//! Sampled worlds, weighted by the likelihood of earlier decisions: those before the play, and leads.
//!
//! A seat that keeps its hand, bids or passes gives evidence about its hand. If two seats have kept
//! theirs, the dead hand holds what two good hands leave over. A seat that antes after a look places
//! chips where its cards claim them. A leader leads one suit and not another. A policy gives the
//! likelihood of each such decision in a world, and worlds are resampled by it
//! (sampling/importance resampling, Rubin 1988).
//!
//! If leads are weighed, all decisions are weighed up to the end of the deal; in games with poker leads
//! are not evidence. If leads are not weighed, answers about the dead hand count while it is on offer,
//! and antes after a look count up to the end of the deal, together with the answers.

use alloc::vec::Vec;

use newmarket_env::rules::Timing;
use newmarket_env::seed::unit;
use newmarket_env::{
    Action, ActionMask, Encoder, Hands, Observation, PastDecision, Phase, Rng, Seats, View, Worlds,
};

use crate::player::BatchPolicy;

/// How likely a decision of one kind is: a mixture of the policy and a uniform choice.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DecisionModel {
    /// The factor on the policy's logits. A player that acts greedily is more decided than its logits.
    pub sharpness: f32,
    /// The probability of a uniform choice, 0 to 1. It keeps worlds in which the decision is next to
    /// impossible for the policy.
    pub random_share: f64,
}

/// How likely decisions are, by kind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LikelihoodModel {
    /// Antes after a look. All chips of an ante are one decision.
    pub antes: DecisionModel,
    /// Answers about the dead hand, and bets.
    pub answers: DecisionModel,
    /// Bids for the dead hand.
    pub bids: DecisionModel,
    /// Leads; `None` if they are not weighed. In games with poker they never are.
    pub leads: Option<DecisionModel>,
}

impl LikelihoodModel {
    fn of(&self, phase: Phase) -> Option<DecisionModel> {
        match phase {
            Phase::Ante => Some(self.antes),
            Phase::Auction => Some(self.bids),
            Phase::Lead => self.leads,
            _ => Some(self.answers),
        }
    }
}

/// Observations for which the policy is asked at once.
const MOST_AT_ONCE: usize = 256;

/// After an ante or a lead, worlds are dropped that are less likely than the likeliest by more than this
/// factor. Later decisions would hardly make one of them likely, and each costs a forward pass.
const DROPPED_BELOW: f64 = 300.0;

/// Draws worlds by their likelihood.
#[derive(Clone, Debug)]
pub struct BeliefSampler {
    per_world: usize,
    observations: Vec<Observation>,
    candidates: Vec<Candidate>,
    decision: Option<Decision>,
}

/// A world that was drawn.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    world: Hands,
    /// The log-likelihood of all decisions that are complete.
    log: f64,
    /// The log-likelihood of the decision in progress, for the policy.
    by_policy: f64,
    /// The log-likelihood of the decision in progress, for a uniform choice.
    at_random: f64,
}

impl Candidate {
    const fn new(world: Hands) -> Self {
        Self { world, log: 0.0, by_policy: 0.0, at_random: 0.0 }
    }
}

/// One decision of one seat: all chips of an ante, or one answer or lead.
#[derive(Clone, Copy, Debug)]
struct Decision {
    phase: Phase,
    seat: usize,
    random_share: f64,
}

impl BeliefSampler {
    /// A sampler that draws `per_world` candidates for each world that it returns, if there is evidence
    /// and no card has been played yet.
    pub fn new(per_world: usize) -> Self {
        Self { per_world, observations: Vec::new(), candidates: Vec::new(), decision: None }
    }

    /// Draws `count` worlds for a seat that is to act, after the cards are dealt. The probability of a
    /// world is proportional to the likelihood in it of the decisions of the `modelled` seats, for
    /// which `policy` stands. The viewer's decisions are equally likely in all worlds. Equal worlds
    /// follow each other.
    pub fn worlds(
        &mut self,
        policy: &mut dyn BatchPolicy,
        model: &LikelihoodModel,
        modelled: Seats,
        view: &View,
        count: usize,
        rng: &mut Rng,
    ) -> Vec<Hands> {
        let worlds = Worlds::of(view);
        if !is_evidence(view, model, modelled) {
            return (0..count).map(|_| worlds.draw(rng)).collect();
        }
        // The fewer cards are hidden, the fewer worlds there are, and the shorter are playouts in them.
        let (hidden, at_first) = (view.hidden().len(), view.game().pack().len() - dealt(view));
        let drawn = (self.per_world * count * hidden).div_ceil(at_first.max(1)).max(count);
        let drawn = (0..drawn).map(|_| worlds.draw(rng));
        self.candidates.clear();
        self.candidates.extend(drawn.map(Candidate::new));
        let Some(&Candidate { world: any, .. }) = self.candidates.first() else {
            return Vec::new();
        };
        let encoder = Encoder::new(view.game());
        view.each_decision_so_far(&any, |past| {
            if modelled.contains(past.seat) && past.seat != view.seat() {
                self.weigh(policy, &encoder, model, &past);
            }
        });
        self.complete();
        // Relative to the likeliest: many decisions together may underflow.
        let top = self.top();
        let likely: Vec<f64> = self.candidates.iter().map(|c| libm::exp(c.log - top)).collect();
        let places = resample(&likely, count, unit(rng));
        places.map(|place| self.candidates[place].world).collect()
    }

    /// Weighs all candidates by an answer, one chip of an ante, or a lead.
    fn weigh(
        &mut self,
        policy: &mut dyn BatchPolicy,
        encoder: &Encoder,
        model: &LikelihoodModel,
        past: &PastDecision,
    ) {
        let (phase, seat) = (past.phase(), past.seat);
        let Some(DecisionModel { sharpness, random_share }) = model.of(phase) else { return };
        let begun = |d: &Decision| d.phase == Phase::Ante && (d.phase, d.seat) == (phase, seat);
        if !self.decision.as_ref().is_some_and(begun) {
            self.complete();
            self.decision = Some(Decision { phase, seat, random_share });
        }
        let (nth, chips) = past.chip_on_cell();
        let stands_for = stands_for(nth, chips);
        if stands_for == 0.0 {
            return;
        }
        for some in self.candidates.chunks_mut(MOST_AT_ONCE) {
            self.observations.clear();
            let mut asked = Vec::with_capacity(some.len());
            for (place, candidate) in some.iter_mut().enumerate() {
                let view = past.view_in(&candidate.world);
                let legal = view.legal();
                if !legal.is_forced() {
                    candidate.at_random -= stands_for * libm::log(legal.len() as f64);
                    self.observations.push(encoder.encode(&view));
                    asked.push((place, legal));
                }
            }
            policy.logits(&self.observations, &mut |row, logits| {
                let (place, legal) = asked[row];
                let log = log_probability(logits, sharpness, legal, past.action);
                some[place].by_policy += stands_for * log;
            });
        }
    }

    /// Adds the likelihood of the decision in progress, if there is one, to that of all decisions.
    fn complete(&mut self) {
        let Some(Decision { phase, random_share, .. }) = self.decision.take() else { return };
        for Candidate { log, by_policy, at_random, .. } in &mut self.candidates {
            let (by_policy, at_random) = (core::mem::take(by_policy), core::mem::take(at_random));
            *log += if random_share > 0.0 {
                let logs = [
                    libm::log(1.0 - random_share) + by_policy,
                    libm::log(random_share) + at_random,
                ];
                let top = logs[0].max(logs[1]);
                top + libm::log(logs.map(|log| libm::exp(log - top)).iter().sum())
            } else {
                by_policy
            };
        }
        if matches!(phase, Phase::Ante | Phase::Lead) {
            let least = self.top() - libm::log(DROPPED_BELOW);
            // NaN, from weights that have diverged, is not less: at least one world stays.
            let unlikely = |candidate: &Candidate| candidate.log < least;
            self.candidates.retain(|candidate| !unlikely(candidate));
        }
    }

    /// The greatest log-likelihood.
    fn top(&self) -> f64 {
        self.candidates.iter().map(|candidate| candidate.log).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// How many cards the viewer was dealt, or took.
fn dealt(view: &View) -> usize {
    (view.hand() | view.played_by(view.seat())).len()
}

/// How many chips the `nth` chip on a cell stands for, of `chips` that were placed there one after the
/// other. The first stands for itself and a middle one for all others, so that two are asked for.
fn stands_for(nth: usize, chips: usize) -> f64 {
    match nth {
        0 => 1.0,
        _ if nth == chips / 2 => (chips - 1) as f64,
        _ => 0.0,
    }
}

/// Whether these seats have taken decisions that are weighed now.
fn is_evidence(view: &View, model: &LikelihoodModel, modelled: Seats) -> bool {
    let on_offer =
        model.leads.is_some() || matches!(view.phase(), Phase::DeadHand | Phase::Auction);
    if model.leads.is_some() && !view.played().is_empty() {
        return true;
    }
    let mut found = false;
    if on_offer || view.game().rules().timing == Timing::AfterLook {
        view.each_decision_before_play(|past| {
            let is_ante = past.phase() == Phase::Ante && past.seat != view.seat();
            found |= modelled.contains(past.seat) && (is_ante || on_offer);
        });
    }
    found
}

/// The logarithm of the probability of an action, the logits multiplied by `sharpness`.
fn log_probability(logits: &[f32], sharpness: f32, legal: ActionMask, action: Action) -> f64 {
    let logit = |index: usize| f64::from(sharpness * logits[index]);
    let all = || legal.iter().map(|action| logit(action.index()));
    let top = all().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = all().map(|logit| libm::exp(logit - top)).sum();
    logit(action.index()) - top - libm::log(total)
}

/// Draws `count` places in proportion to their weights by systematic resampling: each place comes as
/// often as its weight says, less or more by one at most. `offset` is a uniform draw from `[0, 1)`.
pub fn resample(
    weights: &[f64],
    count: usize,
    offset: f64,
) -> impl Iterator<Item = usize> + use<'_> {
    let step = weights.iter().sum::<f64>() / count as f64;
    let (mut place, mut passed) = (0, 0.0);
    (0..count).map(move |nth| {
        let mark = (nth as f64 + offset) * step;
        // Rounding may put the last mark above the sum of all weights.
        while passed + weights[place] <= mark && place + 1 < weights.len() {
            passed += weights[place];
            place += 1;
        }
        place
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_comes_as_often_as_its_weight_says() {
        let weights = [0.0, 2.0, 0.5, 0.0, 1.5];
        for at in [0.0, 0.3, 0.999] {
            let mut times = [0; 5];
            resample(&weights, 8, at).for_each(|place| times[place] += 1);
            assert_eq!(times, [0, 4, 1, 0, 3], "{at}");
        }
        assert_eq!(resample(&[1.0; 6], 3, 0.5).collect::<Vec<_>>(), [1, 3, 5]);
    }

    #[test]
    fn two_chips_of_a_cell_stand_for_all() {
        for chips in 1..=24 {
            let shares = (0..chips).map(|nth| stands_for(nth, chips));
            let asked = shares.clone().filter(|&share| share > 0.0).count();
            assert_eq!(asked, chips.min(2));
            assert!((shares.sum::<f64>() - chips as f64).abs() < 1e-9);
        }
    }
}
