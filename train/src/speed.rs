//! How fast training is: the whole loop of plain PPO, with the network, epochs and rollout size
//! that other libraries' trainers are measured with.

use crate::TrainError;
use crate::config::{EpisodeKind, Players, TableMix};
use crate::estimator::Gae;
use crate::learner::{Learner, UpdateSettings};
use crate::loss::LossSettings;
use crate::objective::{ClippedLoss, PolicyLoss};
use crate::params;
use crate::policies::Policies;
use crate::policy_net::PolicyNet;
use crate::rollout::{Mix, roll_out};
use crate::trajectory::Packed;
use crate::workers::Workers;
use burn::tensor::{Device, Tensor};
use newmarket_env::{Action, Observation, Seed};
use newmarket_net::{FastNet, NetConfig, QuantisedNet, Weights};

/// Side of the square matrices whose product is the floor of learning.
const SIDE: usize = 512;
/// Passes over the rows.
const EPOCHS: usize = 4;
/// Rows of a minibatch, about a quarter of an update's.
const MINIBATCH: usize = 8192;
/// Pieces that it is worked on in: of a thousand rows, which suits the cache.
const SHARDS: usize = 8;
/// Deals of one update, which make about 32,000 decisions.
const DEALS: usize = 2048;

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// Decisions a second through the whole loop: played, and learnt from four times.
    pub decisions_per_s: f64,
    /// Decisions a second while playing only.
    pub rollout_per_s: f64,
    /// Decisions a second while learning only.
    pub learn_per_s: f64,
    /// Floating-point operations of the matrix products that learning does for one decision, over
    /// all epochs: two for each weight forwards, two for its gradient, and two for that of the
    /// layer's inputs, which the first layer does not need.
    pub learn_flop: f64,
}

/// What all threads together make of products of square matrices by the same library, in GFLOP a
/// second: the best of several rounds, for at least `seconds`. 0 `threads` stands for all.
///
/// # Errors
///
/// If there are no threads to be had.
pub fn sgemm(
    seconds: f64,
    threads: usize,
    mut now: impl FnMut() -> f64,
) -> Result<f64, TrainError> {
    let workers = Workers::new(threads)?;
    let device = Device::flex();
    let matrix = Tensor::<2>::ones([SIDE, SIDE], &device);
    let flop = (workers.count() * 2 * SIDE.pow(3)) as f64;
    let (start, mut best) = (now(), 0.0_f64);
    loop {
        let before = now();
        workers.map(workers.count(), |_| matrix.clone().matmul(matrix.clone()).into_data());
        let after = now();
        best = best.max(flop / (after - before) / 1e9);
        if after - start >= seconds {
            return Ok(best);
        }
    }
}

/// An observation for a network with fewer inputs: entry `i` counts at place `i % INPUTS`. With
/// [`Observation::LEN`] inputs it is the observation itself.
#[derive(Clone)]
struct Folded<const INPUTS: usize>(Observation);

impl<const INPUTS: usize> Packed for Folded<INPUTS> {
    const WIDTH: usize = INPUTS;

    fn for_each_nonzero(&self, mut see: impl FnMut(usize, f32)) {
        self.0.for_each_nonzero(|index, value| see(index % INPUTS, value));
    }
}

/// What a network says of folded observations, as one that takes them as they are.
fn unfolded(folded: &Weights) -> Weights {
    let small = folded.config();
    let shape = NetConfig { inputs: Observation::LEN, actions: Action::COUNT, ..small.clone() };
    let mut arrays = folded.arrays().to_vec();
    for (array, (name, to)) in arrays.iter_mut().zip(Weights::layout(&shape)) {
        debug_assert_eq!(array.name, name);
        // Rows repeat, columns are cut off.
        let columns = *array.shape.last().expect("an array has a shape");
        let kept = *to.last().expect("so has this");
        let cut: Vec<f32> =
            array.data.chunks(columns).flat_map(|row| &row[..kept]).copied().collect();
        array.data = cut.into_iter().cycle().take(to.iter().product()).collect();
        array.shape = to;
    }
    Weights::from_arrays(&shape, arrays).expect("finite as they were, and of this shape")
}

/// Trains an `INPUTS`-256-256-(`actions` + 1) network on `newmarket` with four players, learning from
/// outcomes, for at least `seconds` after an update to warm up. With fewer inputs than an
/// observation has entries, several of these share one; more actions than there are just make the
/// network larger. `now` gives seconds since some moment; 0 `threads` stands for all.
///
/// # Errors
///
/// If there are no threads to be had.
///
/// # Panics
///
/// If there are fewer than [`Action::COUNT`] actions.
pub fn speed<const INPUTS: usize>(
    actions: usize,
    seconds: f64,
    threads: usize,
    now: impl FnMut() -> f64,
) -> Result<Speed, TrainError> {
    assert!(actions >= Action::COUNT, "every action needs a logit");
    of_deals::<INPUTS>(actions, DEALS, seconds, threads, now)
}

fn of_deals<const INPUTS: usize>(
    actions: usize,
    deals: usize,
    seconds: f64,
    threads: usize,
    mut now: impl FnMut() -> f64,
) -> Result<Speed, TrainError> {
    let workers = Workers::new(threads)?;
    let mix = Mix::new(&[TableMix {
        rules: "newmarket".into(),
        players: Players::Exactly(4),
        share: 1.0,
        episode: EpisodeKind::Deal,
    }])?;
    let shape = NetConfig { inputs: INPUTS, hidden: vec![256, 256], actions };
    let settings = UpdateSettings {
        epochs: EPOCHS,
        minibatch: MINIBATCH,
        shards: SHARDS,
        learning_rate: 2.5e-4,
        max_grad_norm: 0.5,
        loss: LossSettings {
            policy: PolicyLoss::Clipped(ClippedLoss { clip: 0.2, entropy_weight: 0.01 }),
            value_weight: 0.5,
            seat_gains_weight: 0.0,
            kl_weight: 0.0,
        },
    };
    let mut learner = Learner::new(&PolicyNet::init(&shape, 1, &Device::flex()), false);
    let (mut rows, mut playing, mut learn) = (0, 0.0, 0.0);
    for update in 0.. {
        let seed = Seed::new(1).child(update);
        let start = now();
        let weights = params::weights(&shape, learner.parameters())
            .map_err(|error| TrainError::NotFinite { update, what: error.to_string() })?;
        let weights = unfolded(&weights);
        let (policy, quantised) = (FastNet::new(&weights), QuantisedNet::new(&weights));
        let scale = *learner.scale();
        let policies = Policies {
            policy: &policy,
            quantised: &quantised,
            scale: &scale,
            seat_gains: false,
            opponents: &[],
            opponent_seats: 0.0,
        };
        let estimator = Gae { lambda: 0.95 };
        let rollout = roll_out(&mix, &policies, &estimator, seed.child(0), deals, &workers);
        let folded = rollout.targets.rows.map(Folded::<INPUTS>);
        let middle = now();
        learner.update(update, &folded, &settings, &mut seed.child(1).rng(), &workers)?;
        let end = now();
        if update == 0 {
            continue;
        }
        rows += folded.len();
        playing += middle - start;
        learn += end - middle;
        if playing + learn >= seconds {
            break;
        }
    }
    let rows = rows as f64;
    Ok(Speed {
        decisions_per_s: rows / (playing + learn),
        rollout_per_s: rows / playing,
        learn_per_s: rows / learn,
        learn_flop: learn_flop(&shape),
    })
}

fn learn_flop(shape: &NetConfig) -> f64 {
    let products = shape.layers().into_iter().enumerate().map(|(nth, layer)| {
        let passes = if nth == 0 { 2 } else { 3 };
        passes * 2 * layer.inputs * layer.outputs
    });
    (EPOCHS * products.sum::<usize>()) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn the_floor_is_what_the_clock_says() {
        // Every look takes a second, and so does a product: 2 · 512³ operations in each of two.
        let mut ticks = 0.0;
        let clock = || {
            ticks += 1.0;
            ticks
        };
        let rate = sgemm(3.0, 2, clock).expect("threads");
        assert!((rate - 2.0 * 2.0 * 512.0_f64.powi(3) / 1e9).abs() < 1e-9, "{rate}");
    }

    #[test]
    fn operations_are_those_of_the_three_products_of_each_layer() {
        let shape = NetConfig { inputs: 10, hidden: vec![6], actions: 3 };
        assert!((learn_flop(&shape) - 4.0 * (4 * 60 + 6 * 18 + 6 * 6) as f64).abs() < 1e-9);
    }

    #[test]
    fn the_parts_make_up_the_whole() {
        // A clock that moves one second at every look.
        let mut ticks = 0.0;
        let clock = || {
            ticks += 1.0;
            ticks
        };
        let speed = of_deals::<{ Observation::LEN }>(Action::COUNT, 20, 4.0, 2, clock);
        let speed = speed.expect("threads");
        let parts = 1.0 / speed.rollout_per_s + 1.0 / speed.learn_per_s;
        assert!((1.0 / speed.decisions_per_s - parts).abs() < 1e-9, "{speed:?}");
        // Two updates were timed, each with 20 deals of 10 to 25 decisions.
        assert!((200.0..500.0).contains(&speed.rollout_per_s), "{speed:?}");
    }

    #[test]
    fn the_player_says_what_the_learner_says() {
        use newmarket_env::{Env, Episode, Game, Rules};
        let shape = NetConfig { inputs: 320, hidden: vec![16, 8], actions: 128 };
        let small = Weights::init(&shape, 5);
        let (small, large) = (FastNet::new(&small), FastNet::new(&unfolded(&small)));
        let game = Game::new(Rules::named("newmarket").expect("named"), 4).expect("seats four");
        let mut env = Env::new(Arc::new(game), Episode::Deal);
        env.reset(Seed::new(3));
        while !env.is_over() {
            let observation = Observation::of(&env.observe(1));
            let mut folded = [0.0; 320];
            Folded::<320>(observation).for_each_nonzero(|place, number| folded[place] += number);
            let (mut one, mut other) = (small.scratch(), large.scratch());
            let (logits, value) = small.forward(&folded[..], &mut one);
            let (same, same_value) = large.forward(&observation, &mut other);
            assert!((value - same_value).abs() < 1e-5);
            for (a, b) in logits.iter().zip(same) {
                assert!((a - b).abs() < 1e-5, "{a} and {b}");
            }
            env.step(env.legal().first().expect("a choice")).expect("legal");
        }
    }
}
