//! Sampled worlds that take account of what was said before the play.
//!
//! Whoever keeps a hand, bids or passes tells something about it: a seat that is asked after two
//! others kept theirs is left with what two good hands leave over. So does whoever has looked at a
//! hand before placing an ante: chips go where the cards are that claim them. A policy gives the
//! likelihood of each such decision in a world, and worlds are resampled by it (sampling/importance
//! resampling, Rubin 1988).
//!
//! Answers about the dead hand are heard as long as it is on offer. Antes after a look are heard to the
//! end of the deal, and the answers then with them.

use alloc::vec;
use alloc::vec::Vec;

use newmarket_env::rules::Timing;
use newmarket_env::seed::unit;
use newmarket_env::{Hands, Observation, Phase, Rng, Said, Seats, View, Worlds};

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
}

/// Observations for which the policy is asked at once.
const MOST_AT_ONCE: usize = 256;

/// Draws worlds.
#[derive(Clone, Debug)]
pub struct BeliefSampler {
    candidates: usize,
    observations: Vec<Observation>,
    /// The log-likelihood of each world.
    logs: Vec<f64>,
    decision: Decision,
}

/// One decision of one seat, of several chips or of one answer.
#[derive(Clone, Debug, Default)]
struct Decision {
    /// Whose ante it is, if it is one.
    ante_of: Option<usize>,
    doubt: f64,
    /// The logarithm of its probability by the policy, by world.
    logs: Vec<f64>,
    /// The same for somebody who decides at random.
    at_random: f64,
}

impl BeliefSampler {
    /// Worlds of which so many are drawn for each that is kept, where there is something to hear.
    pub fn new(candidates: usize) -> Self {
        Self {
            candidates,
            observations: Vec::new(),
            logs: Vec::new(),
            decision: Decision::default(),
        }
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
        if !is_anything_heard(view, speakers) {
            return (0..count).map(|_| worlds.draw(rng)).collect();
        }
        let drawn: Vec<Hands> = (0..self.candidates * count).map(|_| worlds.draw(rng)).collect();
        self.logs.clear();
        self.logs.resize(drawn.len(), 0.0);
        view.each_said(|said| {
            if speakers.contains(said.seat) && said.seat != view.seat() {
                self.hear(policy, hearing, &said, &drawn);
            }
        });
        self.take();
        // Relative to the likeliest: many decisions together may underflow.
        let top = self.logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let likely: Vec<f64> = self.logs.iter().map(|log| libm::exp(log - top)).collect();
        resample(&likely, count, unit(rng)).map(|place| drawn[place]).collect()
    }

    fn hear(
        &mut self,
        policy: &mut dyn BatchPolicy,
        hearing: &Hearing,
        said: &Said<'_>,
        drawn: &[Hands],
    ) {
        let is_chip = said.phase() == Phase::Ante;
        let ear = if is_chip { hearing.antes } else { hearing.answers };
        let goes_on = is_chip && self.decision.ante_of == Some(said.seat);
        if !goes_on {
            self.take();
            self.decision = Decision {
                ante_of: is_chip.then_some(said.seat),
                doubt: ear.doubt,
                logs: vec![0.0; drawn.len()],
                at_random: 0.0,
            };
        }
        let (nth, chips) = said.chip_of();
        let stands_for = stands_for(nth, chips);
        if stands_for == 0.0 {
            return;
        }
        let Self { observations, decision, .. } = self;
        for (nth, some) in drawn.chunks(MOST_AT_ONCE).enumerate() {
            observations.clear();
            observations.extend(some.iter().map(|world| Observation::of(&said.view_in(world))));
            let logs = &mut decision.logs[nth * MOST_AT_ONCE..];
            policy.logits(observations, &mut |row, logits| {
                logs[row] += stands_for * log_probability(logits, ear.sharpness, said);
            });
        }
        decision.at_random -= stands_for * libm::log(said.legal.len() as f64);
    }

    /// Takes account of a decision that is complete, if there is one.
    fn take(&mut self) {
        let Decision { logs, doubt, at_random, .. } = core::mem::take(&mut self.decision);
        for (all, log) in self.logs.iter_mut().zip(logs) {
            *all += if doubt > 0.0 {
                let (sure, random) = (libm::log(1.0 - doubt) + log, libm::log(doubt) + at_random);
                let top = sure.max(random);
                top + libm::log(libm::exp(sure - top) + libm::exp(random - top))
            } else {
                log
            };
        }
    }
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
fn is_anything_heard(view: &View, speakers: Seats) -> bool {
    let on_offer = matches!(view.phase(), Phase::DeadHand | Phase::Auction);
    let mut heard = false;
    if on_offer || view.game().rules().timing == Timing::AfterLook {
        view.each_said(|said| {
            let is_ante = said.phase() == Phase::Ante && said.seat != view.seat();
            heard |= speakers.contains(said.seat) && (is_ante || on_offer);
        });
    }
    heard
}

/// The logarithm of the probability of what was done, the logits multiplied by `sharpness`.
fn log_probability(logits: &[f32], sharpness: f32, said: &Said<'_>) -> f64 {
    let logit = |index: usize| f64::from(sharpness * logits[index]);
    let legal = || said.legal.iter().map(|action| logit(action.index()));
    let top = legal().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = legal().map(|logit| libm::exp(logit - top)).sum();
    logit(said.action.index()) - top - libm::log(total)
}

/// `count` places in proportion to their weights, up to one each; `at`, from 0 to below 1, is the
/// offset (systematic resampling).
fn resample(weights: &[f64], count: usize, at: f64) -> impl Iterator<Item = usize> {
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
