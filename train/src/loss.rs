//! The clipped objective of PPO (Schulman, Wolski, Dhariwal, Radford and Klimov 2017, eq. 7 and 9)
//! over the legal choices of each row, as a pure function of tensors.
//!
//! A row has only a few legal actions, its *choices*. Their logits are gathered from the row of all
//! actions first, so an illegal action has no probability and no gradient, and everything that
//! follows is a few columns wide rather than as wide as the action space.
//!
//! Each choice comes with a weight and an advantage of its own. With weight 1 on the action that
//! was taken and 0 elsewhere this is PPO as published; with the probabilities of the rollout as
//! weights it is the same objective with the expectation over actions taken exactly, for rows
//! where every choice was tried (the *vine* of Schulman, Levine, Moritz, Jordan and Abbeel 2015).
//!
//! What is learnt beside the policy, where anything is, adds terms of its own: a critic's error, and
//! those of the auxiliary heads.
//!
//! Every term is a *sum over the rows given, divided by the rows of the whole minibatch*: the
//! shards of a minibatch can then be worked on apart, and their gradients add up to that of the
//! whole.

use crate::hidden::PLACES;
use burn::tensor::activation::log_softmax;
use burn::tensor::{Int, Tensor};

/// What is added to a logit in a place where a row has no choice. Not −∞: the probability is 0 all
/// the same, and 0 · −∞ would make the entropy NaN.
pub const MASKED: f32 = -1e9;

/// The weights of the objective at one moment of training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Objective {
    /// `None`: the clipped objective. Else the policy is the softmax of advantages over this
    /// temperature, in chips, and that is learnt by regression: the squared distance of the logits
    /// from the advantages of a row where every choice was tried, both less their means. An action
    /// that the policy has given up learns as fast as one that it takes (Hennes et al. 2020, *Neural
    /// Replicator Dynamics*), and logits can be read as chips.
    pub temperature: Option<f32>,
    /// How far the probability of an action may move, as a ratio, before its gradient is cut: ε.
    pub clip: f32,
    /// How far a value may move from the one of the rollout before its gradient is cut, in units
    /// of the value head; `None`: plain squared error. It is for whoever gave that one.
    pub value_clip: Option<f32>,
    /// Weight of the value loss, and of the critic's.
    pub value_weight: f32,
    /// Weight of the loss of each auxiliary head.
    pub auxiliary_weight: f32,
    /// Weight of the entropy bonus.
    pub entropy_weight: f32,
    /// Weight of the divergence from the policy of the rollout, KL(old ‖ new): the proximal term
    /// of magnetic mirror descent (Sokota et al. 2023) with the previous policy as the magnet.
    pub kl_weight: f32,
}

/// What a network says of some rows.
#[derive(Clone, Debug)]
pub struct Answers {
    /// The policy head's. `[rows, actions]`
    pub logits: Tensor<2>,
    /// The value head's, normalised. `[rows]`
    pub values: Tensor<1>,
    /// The critic's, normalised. `[rows]`
    pub critic: Option<Tensor<1>>,
    /// Logits of the places of each card, place by place. `[rows, places · 52]`
    pub cards: Option<Tensor<2>>,
    /// What each seat gains, normalised. `[rows, seats]`
    pub gains: Option<Tensor<2>>,
}

/// What the seats of some rows could not see.
#[derive(Clone, Debug)]
pub struct Unseen {
    /// 1 where a hidden card is, else 0, place by place. `[rows, places · 52]`
    pub planes: Tensor<2>,
    /// What each seat gains, normalised. `[rows, seats]`
    pub gains: Tensor<2>,
    /// One over the seats of the row for each that there is, else 0. `[rows, seats]`
    pub seats: Tensor<2>,
}

/// The rows of one shard of a minibatch; `choices` is the greatest number of choices of a row.
#[derive(Clone, Debug)]
pub struct Shard {
    /// The actions that are the row's choices, anything in places that it does not have.
    /// `[rows, choices]`
    pub actions: Tensor<2, Int>,
    /// 0 for a choice, [`MASKED`] in places that the row does not have. `[rows, choices]`
    pub mask: Tensor<2>,
    /// The log-probability of each choice in the rollout, [`MASKED`] in places without.
    /// `[rows, choices]`
    pub log_probs: Tensor<2>,
    /// How much each choice counts in the policy loss, 0 in places without. `[rows, choices]`
    pub weights: Tensor<2>,
    /// How much better than expected each choice turned out, normalised, or over the temperature.
    /// `[rows, choices]`
    pub advantages: Tensor<2>,
    /// How much each row counts where advantages are regressed on. `[rows, 1]`
    pub balance: Tensor<2>,
    /// What the value head should have said, normalised. `[rows]`
    pub targets: Tensor<1>,
    /// What was expected in the rollout, normalised. `[rows]`
    pub values: Tensor<1>,
    /// What could not be seen, if anybody learns from that.
    pub unseen: Option<Unseen>,
}

/// The parts of the objective, each a scalar tensor `[1]`, for the gradient and for the record.
#[derive(Clone, Debug)]
pub struct Terms {
    /// What is minimised.
    pub total: Tensor<1>,
    /// The policy loss.
    pub policy: Tensor<1>,
    /// The value loss, half the squared error, before its weight.
    pub value: Tensor<1>,
    /// The mean entropy of the policy, in nats.
    pub entropy: Tensor<1>,
    /// The mean KL(old ‖ new), in nats.
    pub kl: Tensor<1>,
    /// The share of the weight whose ratio lies outside the clip range.
    pub clipped: Tensor<1>,
    /// The critic's loss, half the squared error, before its weight.
    pub critic: Option<Tensor<1>>,
    /// The mean cross-entropy of the places of a row's hidden cards, in nats, before its weight.
    pub cards: Option<Tensor<1>>,
    /// Half the mean squared error of what a row's seats gain, before its weight.
    pub gains: Option<Tensor<1>>,
}

impl Terms {
    /// The numbers of [`Sums::NAMES`] in their order, read back as one tensor; 0 for a part that is
    /// not there.
    pub fn sums(self) -> Sums {
        let parts = [self.total, self.policy, self.value, self.entropy, self.kl, self.clipped];
        let parts = parts.map(Some).into_iter().chain([self.critic, self.cards, self.gains]);
        let parts: Vec<_> = parts.map(|part| part.map(Tensor::inner)).collect();
        let there = Tensor::cat(parts.iter().flatten().cloned().collect(), 0);
        let mut read = there.into_data().try_into_vec::<f32>().unwrap_or_default().into_iter();
        let mut sums = Sums::default();
        for (sum, part) in sums.0.iter_mut().zip(parts) {
            // As many floats were put together just above; fewer are a bug in this function.
            *sum = part.map_or(0.0, |_| f64::from(read.next().unwrap_or(f32::NAN)));
        }
        sums
    }
}

/// The parts of the objective as plain numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums(pub [f64; 9]);

impl Sums {
    /// What stands where.
    pub const NAMES: [&str; 9] =
        ["total", "policy", "value", "entropy", "kl", "clipped", "critic", "cards", "gains"];

    /// Adds `weight` times another.
    pub fn add(&mut self, other: &Self, weight: f64) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += weight * theirs;
        }
    }

    /// The first part that is not a finite number.
    pub fn not_finite(&self) -> Option<&'static str> {
        Self::NAMES.into_iter().zip(self.0).find(|(_, x)| !x.is_finite()).map(|(name, _)| name)
    }
}

/// The objective of one shard; `batch` is the number of rows of the whole minibatch.
pub fn terms(answers: Answers, shard: Shard, batch: usize, objective: &Objective) -> Terms {
    let Answers { logits, values, critic, cards, gains } = answers;
    let mean = |x: Tensor<1>| x.div_scalar(batch as f32);
    let counts = shard.mask.clone().equal_elem(0.0).float();
    let log_probs = log_softmax(logits.gather(1, shard.actions) + shard.mask, 1);
    let probs = log_probs.clone().exp(); // [rows, choices], 0 in places without a choice
    // Without the clamp a place without a choice, −10⁹ less −10⁹ and rounded, could overflow.
    let log_ratio = (log_probs.clone() - shard.log_probs.clone()).clamp(-20.0, 20.0);
    let ratio = log_ratio.clone().exp();

    let policy = if objective.temperature.is_some() {
        mean(distance(&log_probs, &shard.advantages, counts, shard.balance.clone()))
    } else {
        let (low, high) = (1.0 - objective.clip, 1.0 + objective.clip);
        let free = shard.advantages.clone() * ratio.clone();
        let cut = shard.advantages * ratio.clone().clamp(low, high);
        mean((free.min_pair(cut) * shard.weights.clone()).sum()).neg()
    };

    let error = |values: Tensor<1>, clip: Option<f32>| {
        let error = (values.clone() - shard.targets.clone()).square();
        let error = match clip {
            None => error,
            Some(range) => {
                let old = shard.values.clone();
                let near = old.clone() + (values - old).clamp(-range, range);
                error.max_pair((near - shard.targets.clone()).square())
            }
        };
        mean(error.sum()).mul_scalar(0.5)
    };
    let clip = objective.value_clip;
    let value = error(values, clip.filter(|_| critic.is_none()));
    let critic = critic.map(|values| error(values, clip));
    let unseen = shard.unseen.as_ref();
    let cards = cards.zip(unseen).map(|(logits, it)| mean(misplaced(logits, it.planes.clone())));
    let gains = gains.zip(unseen).map(|(said, it)| {
        let error = (said - it.gains.clone()).square() * it.seats.clone();
        mean(error.sum()).mul_scalar(0.5)
    });

    let entropy = mean((probs * log_probs).sum()).neg();
    let kl = mean((shard.log_probs.exp() * log_ratio).sum()).neg();
    let outside = ratio.sub_scalar(1.0).abs().greater_elem(objective.clip).float();
    let clipped = mean((outside * shard.weights).sum());

    let mut total = policy.clone() + value.clone().mul_scalar(objective.value_weight)
        - entropy.clone().mul_scalar(objective.entropy_weight);
    if objective.kl_weight != 0.0 {
        total = total + kl.clone().mul_scalar(objective.kl_weight);
    }
    for (part, weight) in [
        (&critic, objective.value_weight),
        (&cards, objective.auxiliary_weight),
        (&gains, objective.auxiliary_weight),
    ] {
        if let Some(part) = part {
            total = total + part.clone().mul_scalar(weight);
        }
    }
    Terms { total, policy, value, entropy, kl, clipped, critic, cards, gains }
}

/// The cross-entropy of where hidden cards are, in the mean over those of a row, summed over rows;
/// both tables `[rows, places · 52]`. A place that holds none of them does not come into question.
fn misplaced(logits: Tensor<2>, planes: Tensor<2>) -> Tensor<1> {
    let by_place = [logits.dims()[0], PLACES, 52];
    let (logits, planes) = (logits.reshape(by_place), planes.reshape(by_place));
    let sizes = planes.clone().sum_dim(2); // [rows, places, 1]
    let cards = sizes.clone().sum_dim(1).clamp_min(1.0); // [rows, 1, 1]
    let log_probs = log_softmax(logits + sizes.equal_elem(0.0).float().mul_scalar(MASKED), 1);
    (log_probs * planes / cards).sum().neg()
}

/// Half the squared distance of two tables `[rows, choices]`, each row of both less its mean over
/// the places that count, those with 1 in `counts`, and weighed by `balance` `[rows, 1]`.
fn distance(xs: &Tensor<2>, ys: &Tensor<2>, counts: Tensor<2>, balance: Tensor<2>) -> Tensor<1> {
    let apart = (xs.clone() - ys.clone()) * counts.clone();
    let mean = apart.clone().sum_dim(1) / counts.clone().sum_dim(1);
    (((apart - mean) * counts).square() * balance).sum().mul_scalar(0.5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn::tensor::{Device, TensorData};

    const ROWS: usize = 7;
    const ACTIONS: usize = 5;

    /// One minibatch as plain numbers.
    #[derive(Clone)]
    struct Plain {
        logits: Vec<f64>,
        values: Vec<f64>,
        legal: Vec<bool>,
        log_probs: Vec<f64>,
        weights: Vec<f64>,
        advantages: Vec<f64>,
        balance: Vec<f64>,
        targets: Vec<f64>,
        old_values: Vec<f64>,
        critic: Option<Vec<f64>>,
    }

    /// Numbers between −1 and 1, the same every time.
    fn noise(seed: u64, n: usize) -> Vec<f64> {
        let mut x = seed;
        let mut next = || {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (x >> 33) as f64 / f64::from(1u32 << 30) - 1.0
        };
        next();
        (0..n).map(|_| next()).collect()
    }

    /// Rows with two to five legal actions, ratios on both sides of the clip range, values in and
    /// out of theirs; `taken`: all weight on one action, else the old probabilities.
    fn plain(seed: u64, taken: bool) -> Plain {
        let wide = ROWS * ACTIONS;
        let legal: Vec<bool> = (0..wide).map(|i| i % ACTIONS <= 1 + i / ACTIONS % 4).collect();
        let mut p = Plain {
            logits: noise(seed + 6, wide),
            values: noise(seed + 1, ROWS),
            legal,
            log_probs: vec![],
            weights: vec![],
            advantages: noise(seed + 2, wide),
            balance: noise(seed + 5, ROWS).into_iter().map(|x| 1.0 + 0.5 * x).collect(),
            targets: noise(seed + 3, ROWS),
            old_values: noise(seed + 4, ROWS),
            critic: seed.is_multiple_of(3).then(|| noise(seed + 7, ROWS)),
        };
        // The policy of the rollout had other logits.
        let old: Vec<f64> = (0..ROWS).flat_map(|row| policy(&p, row)).collect();
        p.log_probs = old.iter().map(|q| q.ln()).collect();
        p.weights = old;
        if taken {
            p.weights = (0..wide).map(|i| f64::from(u8::from(i % ACTIONS == i / 7 % 2))).collect();
        }
        p.logits = noise(seed, wide);
        p
    }

    /// The probabilities of one row's actions, by the definition.
    fn policy(p: &Plain, row: usize) -> Vec<f64> {
        let weights: Vec<f64> = (row * ACTIONS..(row + 1) * ACTIONS)
            .map(|i| if p.legal[i] { p.logits[i].exp() } else { 0.0 })
            .collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|w| w / sum).collect()
    }

    /// The objective, row by row, from the papers: total, policy, value, entropy, KL, clipped, critic.
    fn by_hand(p: &Plain, o: &Objective) -> [f64; 7] {
        let mut sums = [0.0; 7];
        let (clip, n) = (f64::from(o.clip), ROWS as f64);
        for row in 0..ROWS {
            let probs = policy(p, row);
            if o.temperature.is_some() {
                let legal = (row * ACTIONS..(row + 1) * ACTIONS).filter(|i| p.legal[*i]);
                let apart: Vec<f64> = legal.map(|i| p.logits[i] - p.advantages[i]).collect();
                let mean = apart.iter().sum::<f64>() / apart.len() as f64;
                sums[1] += apart.iter().map(|x| 0.5 * (x - mean).powi(2)).sum::<f64>()
                    * p.balance[row]
                    / n;
            }
            for (i, prob) in (row * ACTIONS..).zip(&probs).filter(|(i, _)| p.legal[*i]) {
                let (old, a, weight) = (p.log_probs[i].exp(), p.advantages[i], p.weights[i] / n);
                let ratio = prob / old;
                if o.temperature.is_none() {
                    sums[1] -= weight * (ratio * a).min(ratio.clamp(1.0 - clip, 1.0 + clip) * a);
                }
                sums[4] += old * (old / prob).ln() / n;
                sums[5] += weight * f64::from(u8::from((ratio - 1.0).abs() > clip));
            }
            // Who gave the values of the rollout is held near them.
            let old = p.critic.as_ref().unwrap_or(&p.values);
            let mut error = (old[row] - p.targets[row]).powi(2);
            if let Some(range) = o.value_clip.map(f64::from) {
                let moved = (old[row] - p.old_values[row]).clamp(-range, range);
                error = error.max((p.old_values[row] + moved - p.targets[row]).powi(2));
            }
            sums[if p.critic.is_some() { 6 } else { 2 }] += 0.5 * error / n;
            if p.critic.is_some() {
                sums[2] += 0.5 * (p.values[row] - p.targets[row]).powi(2) / n;
            }
            sums[3] -= probs.iter().filter(|q| **q > 0.0).map(|q| q * q.ln()).sum::<f64>() / n;
        }
        sums[0] = sums[1] + f64::from(o.value_weight) * (sums[2] + sums[6])
            - f64::from(o.entropy_weight) * sums[3]
            + f64::from(o.kl_weight) * sums[4];
        sums
    }

    fn tensor<const D: usize>(xs: &[f64], shape: [usize; D], device: &Device) -> Tensor<D> {
        let xs: Vec<f32> = xs.iter().map(|x| *x as f32).collect();
        Tensor::from_data(TensorData::new(xs, shape), device)
    }

    /// The rows from `from` to `to` as tensors. The choices of a row come in reverse order, to show
    /// that the order does not matter.
    fn tensors(p: &Plain, from: usize, to: usize, device: &Device) -> (Answers, Shard) {
        let n = to - from;
        let choices: Vec<Vec<Option<usize>>> = (from..to)
            .map(|row| {
                let of_row = (row * ACTIONS..(row + 1) * ACTIONS).rev().filter(|i| p.legal[*i]);
                of_row.map(Some).chain(std::iter::repeat(None)).take(ACTIONS).collect()
            })
            .collect();
        let column = |empty: f64, full: &dyn Fn(usize) -> f64| {
            let flat: Vec<f64> = choices.iter().flatten().map(|c| c.map_or(empty, full)).collect();
            tensor(&flat, [n, ACTIONS], device)
        };
        let masked = f64::from(MASKED);
        let shard = Shard {
            actions: column(0.0, &|i| (i % ACTIONS) as f64).int(),
            mask: column(masked, &|_| 0.0),
            log_probs: column(masked, &|i| p.log_probs[i]),
            weights: column(0.0, &|i| p.weights[i]),
            advantages: column(0.0, &|i| p.advantages[i]),
            balance: tensor(&p.balance[from..to], [n, 1], device),
            targets: tensor(&p.targets[from..to], [n], device),
            values: tensor(&p.old_values[from..to], [n], device),
            unseen: None,
        };
        let answers = Answers {
            logits: tensor(&p.logits[from * ACTIONS..to * ACTIONS], [n, ACTIONS], device),
            values: tensor(&p.values[from..to], [n], device),
            critic: p.critic.as_ref().map(|values| tensor(&values[from..to], [n], device)),
            cards: None,
            gains: None,
        };
        (answers, shard)
    }

    fn objectives() -> [Objective; 4] {
        let plain = Objective {
            temperature: None,
            clip: 0.2,
            value_clip: None,
            value_weight: 0.5,
            auxiliary_weight: 0.3,
            entropy_weight: 0.01,
            kl_weight: 0.0,
        };
        let clipped = Objective { value_clip: Some(0.3), entropy_weight: 0.5, ..plain };
        let regressed = Objective { temperature: Some(0.5), ..plain };
        [plain, clipped, Objective { kl_weight: 0.7, clip: 0.4, ..clipped }, regressed]
    }

    #[test]
    fn equals_the_objective_written_by_hand() {
        let device = Device::flex();
        for seed in 1..20 {
            let p = plain(seed, seed % 2 == 0);
            for objective in objectives() {
                let (answers, shard) = tensors(&p, 0, ROWS, &device);
                let got = terms(answers, shard, ROWS, &objective).sums();
                for ((name, x), y) in Sums::NAMES.iter().zip(got.0).zip(by_hand(&p, &objective)) {
                    assert!((x - y).abs() < 1e-5, "{name}: {x} and {y}");
                }
            }
        }
    }

    #[test]
    fn gradients_equal_finite_differences() {
        let device = Device::flex().autodiff();
        for (seed, objective) in (1..7).flat_map(|s| objectives().map(|o| (s, o))) {
            let p = plain(seed, seed % 2 == 0);
            let (mut answers, shard) = tensors(&p, 0, ROWS, &device);
            answers.logits = answers.logits.require_grad();
            answers.values = answers.values.require_grad();
            let (logits, values) = (answers.logits.clone(), answers.values.clone());
            let total = terms(answers, shard, ROWS, &objective).total;
            let grads = total.backward();
            let read = |x: Option<TensorData>| {
                x.expect("a gradient").try_into_vec::<f32>().expect("floats")
            };
            let by_logits = read(logits.grad(&grads).map(Tensor::into_data));
            let by_values = read(values.grad(&grads).map(Tensor::into_data));
            let nudged = |nudge: &dyn Fn(&mut Plain, f64)| {
                let side = |step: f64| {
                    let mut q = p.clone();
                    nudge(&mut q, step);
                    by_hand(&q, &objective)[0]
                };
                (side(1e-6) - side(-1e-6)) / 2e-6
            };
            for (i, got) in by_logits.into_iter().enumerate() {
                let expected = nudged(&|q, step| q.logits[i] += step);
                assert!((f64::from(got) - expected).abs() < 1e-5, "logit {i}: {got}, {expected}");
            }
            for (i, got) in by_values.into_iter().enumerate() {
                let expected = nudged(&|q, step| q.values[i] += step);
                assert!((f64::from(got) - expected).abs() < 1e-5, "value {i}: {got}, {expected}");
            }
        }
    }

    #[test]
    fn shards_add_up_to_the_whole() {
        let device = Device::flex();
        let (p, objective) = (plain(3, false), objectives()[2]);
        let part = |from, to| {
            let (answers, shard) = tensors(&p, from, to, &device);
            terms(answers, shard, ROWS, &objective).sums()
        };
        let mut sum = Sums::default();
        for shard in [part(0, 3), part(3, 4), part(4, ROWS)] {
            sum.add(&shard, 1.0);
        }
        for (x, y) in sum.0.iter().zip(part(0, ROWS).0) {
            assert!((x - y).abs() < 1e-5, "{x} and {y}");
        }
    }

    #[test]
    fn an_illegal_action_has_no_weight_and_no_gradient() {
        let device = Device::flex().autodiff();
        let mut p = plain(5, false);
        // A network may say anything about an illegal action, even with great conviction.
        for i in 0..ROWS * ACTIONS {
            if !p.legal[i] {
                p.logits[i] = 500.0;
            }
        }
        let (mut answers, shard) = tensors(&p, 0, ROWS, &device);
        answers.logits = answers.logits.require_grad();
        let logits = answers.logits.clone();
        let terms = terms(answers, shard, ROWS, &objectives()[1]);
        let grads = terms.total.backward();
        assert_eq!(terms.sums().not_finite(), None);
        let grad = logits.grad(&grads).expect("a gradient").into_data();
        for (i, g) in grad.try_into_vec::<f32>().expect("floats").into_iter().enumerate() {
            assert!(p.legal[i] || g == 0.0, "illegal {i} has gradient {g}");
        }
    }

    /// Hidden cards in some of the places, others known or not in the pack; two to eight seats.
    #[test]
    fn auxiliary_losses_equal_the_definitions() {
        let device = Device::flex().autodiff();
        let wide = PLACES * 52;
        let said = noise(1, ROWS * wide).into_iter().map(|x| 3.0 * x).collect::<Vec<_>>();
        let (gains, paid) = (noise(2, ROWS * 8), noise(3, ROWS * 8));
        let holder = |row: usize, card: usize| {
            let places = [0, 3, 7];
            (row > 0 && !(row + card).is_multiple_of(4))
                .then(|| places[(row * card + card / 7) % 3])
        };
        let seats = |row: usize| 2 + row % 7;
        let (mut planes, mut shares) = (vec![0.0; ROWS * wide], vec![0.0; ROWS * 8]);
        let (mut cards, mut values) = (0.0, 0.0);
        for row in 0..ROWS {
            let hidden: Vec<(usize, usize)> =
                (0..52).filter_map(|card| Some((card, holder(row, card)?))).collect();
            for &(card, place) in &hidden {
                let at = |place: usize| row * wide + 52 * place + card;
                planes[at(place)] = 1.0;
                // Only these three places hold any card.
                let total: f64 = [0, 3, 7].map(|place| said[at(place)].exp()).iter().sum();
                let nats = total.ln() - said[at(place)];
                cards += nats / hidden.len() as f64 / ROWS as f64;
            }
            for seat in 0..seats(row) {
                shares[8 * row + seat] = 1.0 / seats(row) as f64;
                let error = (gains[8 * row + seat] - paid[8 * row + seat]).powi(2);
                values += 0.5 * error / seats(row) as f64 / ROWS as f64;
            }
        }
        let (p, objective) = (plain(3, true), objectives()[2]);
        let (mut answers, mut shard) = tensors(&p, 0, ROWS, &device);
        let said = tensor(&said, [ROWS, wide], &device).require_grad();
        answers.cards = Some(said.clone());
        answers.gains = Some(tensor(&gains, [ROWS, 8], &device));
        shard.unseen = Some(Unseen {
            planes: tensor(&planes, [ROWS, wide], &device),
            gains: tensor(&paid, [ROWS, 8], &device),
            seats: tensor(&shares, [ROWS, 8], &device),
        });
        let terms = terms(answers, shard, ROWS, &objective);
        let grads = terms.total.backward();
        let sums = terms.sums().0;
        assert!((sums[7] - cards).abs() < 1e-5, "{} and {cards}", sums[7]);
        assert!((sums[8] - values).abs() < 1e-5, "{} and {values}", sums[8]);
        let rest = by_hand(&p, &objective)[0];
        assert!((sums[0] - rest - 0.3 * (cards + values)).abs() < 1e-5);
        let grad = said.grad(&grads).expect("a gradient").into_data();
        let grad = grad.try_into_vec::<f32>().expect("floats");
        for (i, g) in grad.into_iter().enumerate() {
            let (row, place, card) = (i / wide, i % wide / 52, i % 52);
            let concerned = [0, 3, 7].contains(&place) && holder(row, card).is_some();
            assert_eq!(g != 0.0, concerned, "row {row}, place {place}, card {card}: {g}");
        }
    }

    #[test]
    fn nan_is_found_and_named() {
        let mut sums = Sums::default();
        assert_eq!(sums.not_finite(), None);
        sums.0[2] = f64::NAN;
        assert_eq!(sums.not_finite(), Some("value"));
    }
}
