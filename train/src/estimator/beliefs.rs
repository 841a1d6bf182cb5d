//! Sampled worlds that take account of the answers to an offer of the dead hand.
//!
//! Whoever keeps a hand, bids or passes tells something about it: a seat that is asked after two
//! others kept theirs is left with what two good hands leave over. The policy's own answers are
//! drawn from its probabilities, so the likelihood of the answers in a world is known exactly, and
//! worlds are resampled by it (sampling/importance resampling, Rubin 1988).
//!
//! A benchmarked policy always gives its likeliest answer, which tells more than a sampled one. So
//! answers are sampled and weighed with sharpened logits, see
//! [`super::PolicyRollouts::response_sharpness`].

use crate::sampling::log_policy;
use newmarket_env::seed::{Rng, unit};
use newmarket_env::{Hands, Observation, Phase, State, View, Worlds};
use newmarket_net::{FastNet, Scratch};

/// The policy's answers in a deal so far, while the dead hand is on offer.
pub(super) struct BeliefSampler {
    /// The factor on the logits of answers.
    sharpness: f32,
    /// Worlds that are drawn for each that is kept.
    candidates: usize,
    /// The state, who answered, and the place of the answer among the legal actions.
    answers: Vec<(State, usize, usize)>,
    log_probs: Vec<f32>,
}

impl BeliefSampler {
    pub(super) fn new(sharpness: f32, candidates: usize) -> Self {
        Self { sharpness, candidates, answers: Vec::new(), log_probs: Vec::new() }
    }

    /// A new deal begins.
    pub(super) fn clear(&mut self) {
        self.answers.clear();
    }

    /// The policy took the legal action of this place for `seat`.
    pub(super) fn note(&mut self, state: &State, seat: usize, taken: usize) {
        if is_offer(state.phase()) {
            self.answers.push((*state, seat, taken));
        }
    }

    /// So many worlds for a seat that is to act. While the dead hand is on offer, hands are those that
    /// were dealt, and the probability of a world is proportional to that of `policy`'s answers in
    /// it. Later, and where others than the policy answered, all consistent worlds are equally
    /// likely.
    pub(super) fn worlds(
        &mut self,
        policy: &FastNet,
        scratch: &mut Scratch,
        view: &View,
        count: usize,
        rng: &mut Rng,
    ) -> Vec<Hands> {
        let worlds = Worlds::of(view);
        if self.answers.is_empty() || !is_offer(view.phase()) {
            return (0..count).map(|_| worlds.draw(rng)).collect();
        }
        let drawn: Vec<Hands> = (0..self.candidates * count).map(|_| worlds.draw(rng)).collect();
        let logs: Vec<f64> =
            drawn.iter().map(|world| self.log_likelihood(policy, scratch, view, world)).collect();
        // Relative to the likeliest: many answers together may underflow.
        let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let likely: Vec<f64> = logs.iter().map(|log| (log - top).exp()).collect();
        resample(&likely, count, unit(rng)).map(|place| drawn[place]).collect()
    }

    /// The log-likelihood of the others' answers in a world that is consistent with `view`. The
    /// viewer's own answers are equally likely in all of them.
    fn log_likelihood(
        &mut self,
        policy: &FastNet,
        scratch: &mut Scratch,
        view: &View,
        world: &Hands,
    ) -> f64 {
        let (game, seat, mut log) = (view.game(), view.seat(), 0.0);
        for (then, actor, taken) in self.answers.iter().filter(|answer| answer.1 != seat) {
            let state = then.view(game, seat).determinize(world);
            let answering = state.view(game, *actor);
            let (logits, _) = policy.forward(&Observation::of(&answering), scratch);
            log_policy(logits, self.sharpness, answering.legal(), &mut self.log_probs);
            log += f64::from(self.log_probs[*taken]);
        }
        log
    }
}

/// Whether the dead hand is on offer.
pub(super) fn is_offer(phase: Phase) -> bool {
    matches!(phase, Phase::DeadHand | Phase::Auction)
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
    use newmarket_env::encode::SPANS;
    use newmarket_env::rules::Cell;
    use newmarket_env::{Action, CardSet, Env, Episode, Game, Rules, Seed};
    use newmarket_net::{NetConfig, Weights};
    use std::sync::Arc;

    /// Keeps a hand that claims a cell, and exchanges all others.
    fn keeper() -> FastNet {
        let shape = NetConfig { inputs: Observation::LEN, hidden: vec![1], actions: Action::COUNT };
        let held = SPANS.iter().find(|span| span.name == "cell held").expect("a span");
        let mut arrays = Weights::init(&shape, 0).arrays().to_vec();
        for array in &mut arrays {
            array.data.fill(0.0);
            match &*array.name {
                "trunk.0.weight" => array.data[held.start..held.start + held.len].fill(1.0),
                "policy.weight" => array.data[Action::KEEP.index()] = 4.0,
                "policy.bias" => array.data[Action::EXCHANGE.index()] = 2.0,
                _ => {}
            }
        }
        FastNet::new(&Weights::from_arrays(&shape, arrays).expect("finite"))
    }

    #[test]
    fn who_keeps_a_hand_holds_what_is_worth_keeping() {
        let game = Game::new(Rules::named("four-horses").expect("named"), 3).expect("seats three");
        let game = Arc::new(game);
        let policy = keeper();
        let claiming = game.rules().cells.iter().filter_map(Cell::claiming_card);
        let claiming: CardSet = claiming.collect();
        let claims = |hand: CardSet| !(hand & claiming).is_empty();
        let (mut plain, mut told) = ((0, 0), (0, 0));
        for seed in 0..200 {
            let mut env = Env::new(game.clone(), Episode::Deal);
            env.reset(Seed::new(seed));
            let mut beliefs = BeliefSampler::new(6.0, 8);
            let mut rng = Seed::new(seed).rng();
            while env.state().phase() == Phase::Ante {
                env.step(env.legal().first().expect("a choice")).expect("legal");
            }
            let asked: Vec<usize> = (0..2)
                .filter_map(|_| {
                    let (seat, state) = (env.seat(), *env.state());
                    if state.phase() != Phase::DeadHand || !claims(env.observe(seat).hand()) {
                        return None;
                    }
                    let kept = env.legal().iter().position(|action| action == Action::KEEP)?;
                    beliefs.note(&state, seat, kept);
                    env.step(Action::KEEP).expect("legal");
                    Some(seat)
                })
                .collect();
            if asked.len() < 2 {
                continue;
            }
            let view = env.observe(env.seat());
            let mut scratch = policy.scratch();
            for (sampler, (all, kept)) in
                [(&mut BeliefSampler::new(6.0, 8), &mut plain), (&mut beliefs, &mut told)]
            {
                for world in sampler.worlds(&policy, &mut scratch, &view, 7, &mut rng) {
                    *all += 1;
                    *kept += u32::from(asked.iter().all(|&seat| claims(world.seats[seat])));
                }
            }
        }
        assert!(plain.0 > 200 && plain.0 == told.0);
        // Where none of the worlds drawn would do, all are as good.
        assert!(plain.1 < plain.0 / 2 && told.1 > told.0 * 9 / 10, "{plain:?} {told:?}");
    }

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
}
