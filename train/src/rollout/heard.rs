//! Imagined worlds that have heard what was said of the dead hand.
//!
//! Whoever keeps a hand, bids or passes tells something about it: a seat that is asked after two
//! others kept theirs is left with what two good hands leave over. The policy's own answers are
//! drawn from its probabilities, so how likely a world makes them is known exactly, and worlds are
//! drawn again by that (sampling/importance resampling, Rubin 1988).
//!
//! When it is measured, the policy always gives its likeliest answer, and that tells more than a
//! drawn one: where one in five keeps a poor hand by chance, those who are asked next take the dead
//! hand for better than it will be. So where answers are tried out they are given, and heard,
//! [`SURER`].

use super::player::choices;
use newmarket_env::seed::{Rng, unit};
use newmarket_env::{Hands, Observation, Phase, State, View, Worlds};
use newmarket_net::{FastNet, Scratch};

/// Worlds that are drawn for each that is kept.
const DRAWN: usize = 8;

/// What logits are multiplied by where the dead hand is on offer: the temperature of the presets,
/// 0.3 chips, is a twentieth of a chip there.
pub(super) const SURER: f32 = 6.0;

/// The policy's answers in a deal so far, while the dead hand is on offer.
#[derive(Default)]
pub(super) struct Heard {
    /// The state, who answered, and the number of the choice.
    answers: Vec<(State, usize, usize)>,
    log_probs: Vec<f32>,
}

impl Heard {
    /// A new deal.
    pub(super) fn clear(&mut self) {
        self.answers.clear();
    }

    /// The policy took this choice of `seat`'s.
    pub(super) fn note(&mut self, state: &State, seat: usize, taken: usize) {
        if is_offer(state.phase()) {
            self.answers.push((*state, seat, taken));
        }
    }

    /// So many worlds for a seat that is to act. While the dead hand is on offer, hands are those that
    /// were dealt, and each world is as likely as `policy` would have answered so in it; later, and
    /// where others than the policy answered, all that are consistent are equally likely.
    pub(super) fn worlds(
        &mut self,
        policy: &FastNet,
        scratch: &mut Scratch,
        view: &View,
        count: usize,
        dice: &mut Rng,
    ) -> Vec<Hands> {
        let worlds = Worlds::of(view);
        if self.answers.is_empty() || !is_offer(view.phase()) {
            return (0..count).map(|_| worlds.draw(dice)).collect();
        }
        let drawn: Vec<Hands> = (0..DRAWN * count).map(|_| worlds.draw(dice)).collect();
        let logs: Vec<f64> =
            drawn.iter().map(|world| self.log_likelihood(policy, scratch, view, world)).collect();
        // Over the likeliest: many answers together may be less likely than a number can be small.
        let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let likely: Vec<f64> = logs.iter().map(|log| (log - top).exp()).collect();
        resample(&likely, count, unit(dice)).map(|place| drawn[place]).collect()
    }

    /// How likely the others' answers were in a world that `view` takes for possible; its own were
    /// as likely in all.
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
            choices(logits, SURER, answering.legal(), &mut self.log_probs);
            log += f64::from(self.log_probs[*taken]);
        }
        log
    }
}

/// Whether the dead hand is on offer.
pub(super) fn is_offer(phase: Phase) -> bool {
    matches!(phase, Phase::DeadHand | Phase::Auction)
}

/// `count` places, each as often as its weight says or one time more or less, `at` from 0 to below 1
/// being where it begins (systematic resampling).
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
            let mut heard = Heard::default();
            let mut dice = Seed::new(seed).rng();
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
                    heard.note(&state, seat, kept);
                    env.step(Action::KEEP).expect("legal");
                    Some(seat)
                })
                .collect();
            if asked.len() < 2 {
                continue;
            }
            let view = env.observe(env.seat());
            let mut scratch = policy.scratch();
            for (heard, (all, kept)) in
                [(&mut Heard::default(), &mut plain), (&mut heard, &mut told)]
            {
                for world in heard.worlds(&policy, &mut scratch, &view, 7, &mut dice) {
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
