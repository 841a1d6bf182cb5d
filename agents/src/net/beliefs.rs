//! Sampled worlds that take account of what was said before the play, and of leads.
//!
//! Whoever keeps a hand, bids or passes tells something about it: a seat that is asked after two
//! others kept theirs is left with what two good hands leave over. So does whoever has looked at a
//! hand before placing an ante: chips go where the cards are that claim them. So does whoever leads one
//! suit and not another. A policy gives the likelihood of each such decision in a world, and worlds
//! are resampled by it (sampling/importance resampling, Rubin 1988).
//!
//! Where leads are heard, everything is heard to the end of the deal; in games with poker no lead is. Where they
//! are not, answers about the dead hand are heard as long as it is on offer, and antes after a look to the
//! end of the deal, with the answers then.

use alloc::vec::Vec;

use newmarket_env::rules::Timing;
use newmarket_env::seed::unit;
use newmarket_env::{
    Action, ActionMask, Encoder, Hands, Observation, Phase, Rng, Said, Seats, View, Worlds,
};

use crate::player::BatchPolicy;

/// How a kind of decision is heard.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ear {
    /// The factor on the policy's logits: who acts greedily tells more than its logits say.
    pub sharpness: f32,
    /// The probability that somebody decides at random instead. It keeps worlds in which what was done
    /// is next to impossible.
    pub doubt: f64,
}

/// How decisions are heard, by kind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hearing {
    /// Antes after a look. Who places several chips decides once.
    pub antes: Ear,
    /// Answers about the dead hand, and bids.
    pub answers: Ear,
    /// Leads, if they are heard at all; in games with poker they are not.
    pub leads: Option<Ear>,
}

impl Hearing {
    fn ear(&self, phase: Phase) -> Option<Ear> {
        match phase {
            Phase::Ante => Some(self.antes),
            Phase::Lead => self.leads,
            _ => Some(self.answers),
        }
    }
}

/// Observations for which the policy is asked at once.
const MOST_AT_ONCE: usize = 256;

/// After an ante or a lead, worlds go that are so many times less likely than the likeliest: what is heard
/// later would hardly make one of them likely, and asking the policy is what costs.
const HOPELESS: f64 = 300.0;

/// Draws worlds.
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
    /// The same of the decision that is being heard.
    now: f64,
    /// The same of that one for somebody who decides at random.
    at_random: f64,
}

impl Candidate {
    const fn new(world: Hands) -> Self {
        Self { world, log: 0.0, now: 0.0, at_random: 0.0 }
    }
}

/// One decision of one seat, of several chips or of one answer.
#[derive(Clone, Copy, Debug)]
struct Decision {
    phase: Phase,
    seat: usize,
    doubt: f64,
}

impl BeliefSampler {
    /// Worlds of which so many are drawn for each that is kept, where there is something to hear and
    /// before cards have been played.
    pub fn new(per_world: usize) -> Self {
        Self { per_world, observations: Vec::new(), candidates: Vec::new(), decision: None }
    }

    /// So many worlds for a seat that is to act, after the cards are dealt. The probability of a world
    /// is proportional to that of what was said in it, as far as `policy` decided for these speakers.
    /// The viewer's own decisions are equally likely in all worlds. Equal worlds follow each other.
    pub fn worlds(
        &mut self,
        policy: &mut dyn BatchPolicy,
        hearing: &Hearing,
        speakers: Seats,
        view: &View,
        count: usize,
        rng: &mut Rng,
    ) -> Vec<Hands> {
        let worlds = Worlds::of(view);
        if !is_anything_heard(view, hearing, speakers) {
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
        view.each_said_or_led(&any, |said| {
            if speakers.contains(said.seat) && said.seat != view.seat() {
                self.hear(policy, &encoder, hearing, &said);
            }
        });
        self.complete();
        // Relative to the likeliest: many decisions together may underflow.
        let top = self.top();
        let likely: Vec<f64> = self.candidates.iter().map(|c| libm::exp(c.log - top)).collect();
        let places = resample(&likely, count, unit(rng));
        places.map(|place| self.candidates[place].world).collect()
    }

    /// Takes account of what was said: an answer, one chip of an ante, or a lead.
    fn hear(
        &mut self,
        policy: &mut dyn BatchPolicy,
        encoder: &Encoder,
        hearing: &Hearing,
        said: &Said<'_>,
    ) {
        let (phase, seat) = (said.phase(), said.seat);
        let Some(ear) = hearing.ear(phase) else { return };
        let begun = |d: &Decision| d.phase == Phase::Ante && (d.phase, d.seat) == (phase, seat);
        if !self.decision.as_ref().is_some_and(begun) {
            self.complete();
            self.decision = Some(Decision { phase, seat, doubt: ear.doubt });
        }
        let (nth, chips) = said.chip_of();
        let stands_for = stands_for(nth, chips);
        if stands_for == 0.0 {
            return;
        }
        for some in self.candidates.chunks_mut(MOST_AT_ONCE) {
            self.observations.clear();
            let mut asked = Vec::with_capacity(some.len());
            for (place, candidate) in some.iter_mut().enumerate() {
                let view = said.view_in(&candidate.world);
                let legal = view.legal();
                if !legal.is_forced() {
                    candidate.at_random -= stands_for * libm::log(legal.len() as f64);
                    self.observations.push(encoder.encode(&view));
                    asked.push((place, legal));
                }
            }
            policy.logits(&self.observations, &mut |row, logits| {
                let (place, legal) = asked[row];
                let log = log_probability(logits, ear.sharpness, legal, said.action);
                some[place].now += stands_for * log;
            });
        }
    }

    /// Takes account of the decision that was heard last, if there is one.
    fn complete(&mut self) {
        let Some(Decision { phase, doubt, .. }) = self.decision.take() else { return };
        for Candidate { log, now, at_random, .. } in &mut self.candidates {
            let (by_policy, at_random) = (core::mem::take(now), core::mem::take(at_random));
            *log += if doubt > 0.0 {
                let logs = [libm::log(1.0 - doubt) + by_policy, libm::log(doubt) + at_random];
                let top = logs[0].max(logs[1]);
                top + libm::log(logs.map(|log| libm::exp(log - top)).iter().sum())
            } else {
                by_policy
            };
        }
        if matches!(phase, Phase::Ante | Phase::Lead) {
            let least = self.top() - libm::log(HOPELESS);
            // What is no number, by weights that have run away, is not less: a world is left in any case.
            let hopeless = |candidate: &Candidate| candidate.log < least;
            self.candidates.retain(|candidate| !hopeless(candidate));
        }
    }

    /// The greatest log-likelihood.
    fn top(&self) -> f64 {
        self.candidates.iter().map(|candidate| candidate.log).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// Cards that the viewer was dealt, or took.
fn dealt(view: &View) -> usize {
    (view.hand() | view.played_by(view.seat())).len()
}

/// For how many chips the `nth` of so many stands that were placed on one cell after each other: the
/// first for itself, a middle one for all that follow it.
fn stands_for(nth: usize, chips: usize) -> f64 {
    match nth {
        0 => 1.0,
        _ if nth == chips / 2 => (chips - 1) as f64,
        _ => 0.0,
    }
}

/// Whether these speakers have said something that is heard now.
fn is_anything_heard(view: &View, hearing: &Hearing, speakers: Seats) -> bool {
    let on_offer =
        hearing.leads.is_some() || matches!(view.phase(), Phase::DeadHand | Phase::Auction);
    if hearing.leads.is_some() && !view.played().is_empty() {
        return true;
    }
    let mut heard = false;
    if on_offer || view.game().rules().timing == Timing::AfterLook {
        view.each_said(|said| {
            let is_ante = said.phase() == Phase::Ante && said.seat != view.seat();
            heard |= speakers.contains(said.seat) && (is_ante || on_offer);
        });
    }
    heard
}

/// The logarithm of the probability of an action, the logits multiplied by `sharpness`.
fn log_probability(logits: &[f32], sharpness: f32, legal: ActionMask, action: Action) -> f64 {
    let logit = |index: usize| f64::from(sharpness * logits[index]);
    let all = || legal.iter().map(|action| logit(action.index()));
    let top = all().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = all().map(|logit| libm::exp(logit - top)).sum();
    logit(action.index()) - top - libm::log(total)
}

/// `count` places in proportion to their weights, up to one each; `at`, from 0 to below 1, is the
/// offset (systematic resampling).
pub fn resample(weights: &[f64], count: usize, at: f64) -> impl Iterator<Item = usize> + use<'_> {
    let step = weights.iter().sum::<f64>() / count as f64;
    let (mut place, mut passed) = (0, 0.0);
    (0..count).map(move |nth| {
        let mark = (nth as f64 + at) * step;
        // Rounding may leave the last mark a hair above all weights.
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
