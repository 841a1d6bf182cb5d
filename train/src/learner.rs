//! From rows to better weights: epochs of minibatches, each cut into shards.
//!
//! A minibatch is about a thousand rows, which suits the cache; its shards are worked on by the
//! workers side by side, and their gradients are added in the order of the shards. Neither the
//! cut nor the order depends on how many workers there are, so neither do the weights.

mod shard;

use crate::TrainError;
use crate::adam::{Adam, Moments, clip_norm, global_norm};
use crate::advantage::explained_variance;
use crate::device::Backend;
use crate::loss::{Answers, Objective, Sums, terms};
use crate::normalise::ReturnScale;
use crate::params::{flatten, gradients, with_parameters};
use crate::policy_net::PolicyNet;
use crate::ties::Ties;
use crate::trajectory::{Packed, Rows};
use crate::workers::Workers;
use burn::module::Module;
use burn::tensor::{Device, Tensor};
use newmarket_env::seed::{Rng, below};
use shard::{Columns, gather, observations};
use std::ops::Range;

/// A network with a policy head and a value head, and perhaps more that is learnt with them.
pub trait ActorCritic: Module + Sync {
    /// What it says of observations `[rows, inputs]`; `planes` `[rows, places · 52]`, where the rows
    /// have them, are for a critic alone.
    fn evaluate(&self, observations: Tensor<2>, planes: Option<Tensor<2>>) -> Answers;
}

impl ActorCritic for PolicyNet {
    fn evaluate(&self, observations: Tensor<2>, _: Option<Tensor<2>>) -> Answers {
        let (logits, values) = self.forward(observations);
        let values = values.squeeze_dim(1);
        Answers { logits, values, critic: None, cards: None, gains: None }
    }
}

/// What one update does; see [`crate::config::Learner`] for the meaning of each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// Passes over the rows.
    pub epochs: usize,
    /// Rows of a minibatch, about.
    pub minibatch: usize,
    /// Pieces of a minibatch that are worked on side by side.
    pub shards: usize,
    /// Adam's step size.
    pub learning_rate: f64,
    /// The global gradient norm above which gradients are scaled down; 0: never.
    pub max_grad_norm: f64,
    /// The divergence from the policy of the rollout at which epochs stop early, in nats; 0: never.
    pub target_kl: f64,
    /// The loss.
    pub objective: Objective,
}

/// What one update came to; means over its minibatches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stats {
    /// The policy loss.
    pub policy_loss: f64,
    /// Half the squared error of the normalised value.
    pub value_loss: f64,
    /// The same of the critic; 0 without.
    pub critic_loss: f64,
    /// Cross-entropy of the places of hidden cards, in nats; 0 where they are not learnt.
    pub cards_loss: f64,
    /// Half the squared error of what all seats gain, normalised; 0 where that is not learnt.
    pub values_loss: f64,
    /// Entropy of the policy, in nats.
    pub entropy: f64,
    /// KL(old ‖ new), in nats, over the last epoch.
    pub kl: f64,
    /// Share of rows whose ratio lay outside the clip range.
    pub clip_fraction: f64,
    /// Share of the variance of the returns that the values of the rollout explained.
    pub explained_variance: f64,
    /// Global norm of the gradient before clipping.
    pub grad_norm: f64,
    /// Epochs that were run.
    pub epochs: usize,
    /// Rows that were learnt from.
    pub rows: usize,
}

/// The weights and all that changes while they are learnt.
#[derive(Clone)]
pub struct Learner<N> {
    /// The shape of the network; its own parameters are never used.
    template: N,
    parameters: Vec<f32>,
    adam: Adam,
    scale: ReturnScale,
    ties: Ties,
    backend: Backend,
}

impl<N: ActorCritic> Learner<N> {
    /// Begins with the parameters of `net`.
    pub fn new(net: N) -> Self {
        let parameters = flatten(&net);
        Self::resume(net, parameters, Moments::default(), ReturnScale::default())
    }

    /// Goes on from a saved state; `net` gives the shape only.
    pub fn resume(net: N, parameters: Vec<f32>, moments: Moments, scale: ReturnScale) -> Self {
        let (ties, backend) = (Ties::default(), Backend::default());
        Self { template: net, parameters, adam: Adam::new(moments), scale, ties, backend }
    }

    /// Keeps weights equal that are tied so; they are already.
    #[must_use]
    pub fn tied(self, ties: Ties) -> Self {
        debug_assert!(ties.hold(&self.parameters));
        Self { ties, ..self }
    }

    /// Computes gradients there from now on.
    pub fn compute_on(&mut self, backend: &Backend) {
        self.backend = backend.clone();
    }

    /// The weights, in module order. `[count]`
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    /// The network with the weights of now, for inference.
    pub fn net(&self) -> N {
        with_parameters(self.template.clone(), &self.parameters, &Device::flex())
    }

    /// The scale of the value head.
    pub fn scale(&self) -> &ReturnScale {
        &self.scale
    }

    /// What the optimiser remembers.
    pub fn moments(&self) -> Moments {
        self.adam.moments()
    }

    /// Learns from `rows`, which `rng` puts into a new order each epoch. `update` is only for the
    /// error.
    ///
    /// # Errors
    ///
    /// [`TrainError::NotFinite`] if the loss or the gradient is; the weights are then those before
    /// the minibatch in which it happened.
    pub fn update<O: Packed>(
        &mut self,
        update: u64,
        rows: &Rows<O>,
        recipe: &Recipe,
        rng: &mut Rng,
        workers: &Workers,
    ) -> Result<Stats, TrainError> {
        let mut stats = Stats {
            rows: rows.len(),
            explained_variance: explained_variance(&rows.values, &rows.targets),
            ..Stats::default()
        };
        if rows.is_empty() {
            return Ok(stats);
        }
        self.scale.push(&rows.targets);
        let columns = Columns {
            advantages: match recipe.objective.temperature {
                None => rows.standard_advantages(),
                Some(chips) => rows.advantages.iter().map(|a| a / chips).collect(),
            },
            balance: rows.balance(),
            targets: rows.targets.iter().map(|r| self.scale.normalise(*r)).collect(),
            values: rows.values.iter().map(|v| self.scale.normalise(*v)).collect(),
            gains: rows
                .hidden
                .iter()
                .map(|hidden| hidden.gains().map(|gain| self.scale.normalise(gain)).collect())
                .collect(),
        };
        let mut order: Vec<u32> = (0..rows.len() as u32).collect();
        let minibatches = (rows.len() as f64 / recipe.minibatch as f64).round().max(1.0) as usize;
        let (mut total, mut norms) = (Sums::default(), 0.0);
        for _ in 0..recipe.epochs {
            shuffle(&mut order, rng);
            let mut epoch = Sums::default();
            for minibatch in pieces(rows.len(), minibatches) {
                let chosen = &order[minibatch];
                let weight = chosen.len() as f64 / rows.len() as f64;
                let (sums, norm) = self.step(update, rows, &columns, chosen, recipe, workers)?;
                epoch.add(&sums, weight);
                norms += norm * weight;
            }
            total.add(&epoch, 1.0);
            stats.epochs += 1;
            stats.kl = epoch.0[4];
            if recipe.target_kl > 0.0 && stats.kl > recipe.target_kl {
                break;
            }
        }
        let epochs = stats.epochs.max(1) as f64;
        let [_, policy, value, entropy, _, clipped, critic, cards, gains] =
            total.0.map(|x| x / epochs);
        Ok(Stats {
            policy_loss: policy,
            value_loss: value,
            critic_loss: critic,
            cards_loss: cards,
            values_loss: gains,
            entropy,
            clip_fraction: clipped,
            grad_norm: norms / epochs,
            ..stats
        })
    }

    /// One gradient step on the rows `chosen`: the parts of the loss and the gradient norm.
    fn step<O: Packed>(
        &mut self,
        update: u64,
        rows: &Rows<O>,
        columns: &Columns,
        chosen: &[u32],
        recipe: &Recipe,
        workers: &Workers,
    ) -> Result<(Sums, f64), TrainError> {
        let shards = self.backend.shards(recipe.shards).min(chosen.len());
        let parts: Vec<_> = pieces(chosen.len(), shards).collect();
        let results = workers.map(parts.len(), |i| {
            let shard = &chosen[parts[i].clone()];
            self.gradient(rows, columns, shard, chosen.len(), &recipe.objective)
        });
        let mut results = results.into_iter();
        let (mut gradient, mut sums) = results.next().unwrap_or_default();
        for (more, part) in results {
            sums.add(&part, 1.0);
            for (g, m) in gradient.iter_mut().zip(more) {
                *g += m;
            }
        }
        if let Some(part) = sums.not_finite() {
            return Err(TrainError::NotFinite { update, what: format!("the {part} loss") });
        }
        self.ties.average(&mut gradient);
        let norm = global_norm(&gradient);
        if !norm.is_finite() {
            return Err(TrainError::NotFinite { update, what: "the gradient norm".into() });
        }
        clip_norm(&mut gradient, norm, recipe.max_grad_norm);
        self.adam.step(recipe.learning_rate, &mut self.parameters, gradient);
        Ok((sums, norm))
    }

    /// The gradient of one shard's share of the loss of a minibatch of `batch` rows.
    fn gradient<O: Packed>(
        &self,
        rows: &Rows<O>,
        columns: &Columns,
        shard: &[u32],
        batch: usize,
        objective: &Objective,
    ) -> (Vec<f32>, Sums) {
        let device = self.backend.tensors();
        let net = with_parameters(self.template.clone(), &self.parameters, device);
        let batch_rows = gather(rows, columns, shard, device);
        let planes = batch_rows.unseen.as_ref().map(|unseen| unseen.planes.clone());
        let answers = net.evaluate(observations(rows, shard, device), planes);
        let terms = terms(answers, batch_rows, batch, objective);
        let mut grads = terms.total.backward();
        (gradients(&net, &mut grads), terms.sums())
    }
}

/// `0 … n` cut into so many pieces of equal length, up to one.
fn pieces(n: usize, count: usize) -> impl Iterator<Item = Range<usize>> {
    (0..count).map(move |i| n * i / count..n * (i + 1) / count)
}

/// Every order equally likely (Fisher–Yates).
fn shuffle(order: &mut [u32], rng: &mut Rng) {
    for last in (1..order.len()).rev() {
        order.swap(last, below(rng, last as u32 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Auxiliary;
    use crate::heads::Heads;
    use crate::hidden::{Hidden, PLACES, PLANES};
    use crate::trajectory::Decision;
    use newmarket_env::{Card, CardSet, Seed};
    use newmarket_net::NetConfig;

    /// Three numbers to look at; two to four choices.
    #[derive(Clone)]
    struct Toy([f32; 3]);
    impl Packed for Toy {
        const WIDTH: usize = 3;
        fn expand_into(&self, out: &mut [f32]) {
            out.copy_from_slice(&self.0);
        }
    }

    fn learner() -> Learner<PolicyNet> {
        let shape = NetConfig { inputs: 3, hidden: vec![8], actions: 4 };
        Learner::new(PolicyNet::init(&shape, 2, &Device::flex()))
    }

    fn recipe() -> Recipe {
        let objective = Objective {
            temperature: None,
            clip: 0.2,
            value_clip: None,
            value_weight: 0.5,
            auxiliary_weight: 0.1,
            entropy_weight: 0.01,
            kl_weight: 0.0,
        };
        Recipe {
            epochs: 1,
            minibatch: 64,
            shards: 3,
            learning_rate: 0.01,
            max_grad_norm: 0.5,
            target_kl: 0.0,
            objective,
        }
    }

    /// Rows in which the best choice is the one whose number the first input says.
    fn rows(n: usize) -> Rows<Toy> {
        let mut rows = Rows::default();
        for i in 0..n {
            let choices = 2 + i % 3;
            let best = i / 3 % choices;
            let decision = Decision {
                observation: Toy([best as f32, choices as f32 / 4.0, 1.0]),
                legal: (1 << choices) - 1,
                log_probs: vec![-(choices as f32).ln(); choices],
                value: 0.0,
                kind: 0,
                hidden: None,
            };
            let gains: Vec<f32> = (0..choices).map(|c| if c == best { 3.0 } else { 0.0 }).collect();
            rows.push_tried(decision, &gains);
        }
        rows
    }

    fn update(learner: &mut Learner<PolicyNet>, rows: &Rows<Toy>, recipe: &Recipe) -> Stats {
        let workers = Workers::new(2).expect("threads");
        let mut rng = Seed::new(6).rng();
        learner.update(1, rows, recipe, &mut rng, &workers).expect("finite")
    }

    /// The whole minibatch as one shard, clipped and stepped by the definition: Adam's first step
    /// is g / (|g| + ε) times the rate.
    #[test]
    fn one_update_is_one_clipped_step_of_adam() {
        let (rows, recipe) = (rows(40), Recipe { max_grad_norm: 0.2, ..recipe() });
        let mut learner = learner();
        let mut expected = learner.parameters().to_vec();
        let mut scaled = learner.clone();
        scaled.scale.push(&rows.targets);
        let columns = Columns {
            advantages: rows.standard_advantages(),
            balance: rows.balance(),
            targets: rows.targets.iter().map(|t| scaled.scale.normalise(*t)).collect(),
            values: rows.values.iter().map(|v| scaled.scale.normalise(*v)).collect(),
            gains: vec![],
        };
        let all: Vec<u32> = (0..40).collect();
        let (mut gradient, _) = scaled.gradient(&rows, &columns, &all, 40, &recipe.objective);
        let norm = global_norm(&gradient);
        assert!(norm > 0.2, "the test must clip: {norm}");
        clip_norm(&mut gradient, norm, 0.2);
        for (weight, g) in expected.iter_mut().zip(gradient) {
            *weight -= 0.01 * g / (g.abs() + 1e-5);
        }
        let stats = update(&mut learner, &rows, &recipe);
        assert!((stats.grad_norm - norm).abs() < 1e-4);
        for (got, expected) in learner.parameters().iter().zip(expected) {
            // Where a gradient is all but 0, its last digits decide the direction.
            assert!((got - expected).abs() < 1e-4, "{got} and {expected}");
        }
    }

    /// The gradient to 1e-5 of its norm, and the weights after an update to 1e-4: where a gradient is
    /// all but 0, its last digits decide in which direction Adam goes.
    #[cfg(feature = "wgpu")]
    #[test]
    #[expect(clippy::print_stderr, reason = "a test that is skipped says why")]
    fn a_gpu_learns_the_same_up_to_rounding() {
        let backend = match crate::device::Device::Wgpu.open() {
            Ok(backend) => backend,
            Err(error) => return eprintln!("skipped: {error}"),
        };
        let rows = rows(200);
        for temperature in [None, Some(0.5)] {
            let objective = Objective { temperature, value_clip: Some(0.1), ..recipe().objective };
            let recipe = Recipe { objective, ..recipe() };
            let mut learners = [learner(), learner()];
            learners[1].compute_on(&backend);
            let columns = Columns {
                advantages: rows.standard_advantages(),
                balance: rows.balance(),
                targets: rows.targets.clone(),
                values: rows.values.clone(),
                gains: vec![],
            };
            let all: Vec<u32> = (0..200).collect();
            let [cpu, gpu] = learners.each_ref().map(|learner| {
                learner.gradient(&rows, &columns, &all, all.len(), &recipe.objective)
            });
            let norm = global_norm(&cpu.0) as f32;
            assert!(norm > 0.1 && cpu.0.len() == gpu.0.len());
            for (a, b) in cpu.0.iter().zip(&gpu.0) {
                assert!((a - b).abs() < 1e-5 * norm, "{a} and {b}, norm {norm}");
            }
            for (a, b) in cpu.1.0.iter().zip(gpu.1.0) {
                assert!((a - b).abs() < 1e-5, "{:?} and {:?}", cpu.1, gpu.1);
            }
            let stats = learners.each_mut().map(|learner| update(learner, &rows, &recipe));
            assert!((stats[0].grad_norm - stats[1].grad_norm).abs() < 1e-4, "{stats:?}");
            let [cpu, gpu] = learners.each_ref().map(Learner::parameters);
            assert_ne!(cpu, learner().parameters());
            for (a, b) in cpu.iter().zip(gpu) {
                assert!((a - b).abs() < 1e-4, "{a} and {b}");
            }
        }
    }

    #[test]
    fn it_learns_what_the_rows_say() {
        let (rows, mut learner) = (rows(300), learner());
        let first = update(&mut learner, &rows, &recipe());
        let many = Recipe { epochs: 60, ..recipe() };
        update(&mut learner, &rows, &many);
        let last = update(&mut learner, &rows, &recipe());
        assert!(last.policy_loss < first.policy_loss - 0.1, "{first:?} {last:?}");
        assert!(last.value_loss < 0.8 * first.value_loss, "{first:?} {last:?}");
        assert!(last.clip_fraction > 0.5 && last.entropy < first.entropy);
        assert_eq!((first.rows, first.epochs), (300, 1));
    }

    /// Where four cards are and who gains can be seen; what the deal is worth goes by a fifth card,
    /// which only a critic sees.
    #[test]
    fn heads_learn_what_can_be_seen_and_a_critic_what_cannot() {
        let mut rows = Rows::default();
        for i in 0..300 {
            let (seen, luck) = (i % 4, i / 4 % 2);
            let mut cards = [CardSet::EMPTY; PLACES];
            for card in 0..4 {
                cards[(card + seen) % 4].insert(Card::from_index(card).expect("a card"));
            }
            cards[luck].insert(Card::from_index(40).expect("a card"));
            let mut gains = [-1.0; 4];
            gains[seen] = 3.0;
            let decision = Decision {
                observation: Toy([1, 2, 3].map(|n| f32::from(u8::from(seen == n)))),
                legal: 3,
                log_probs: vec![-(2.0_f32.ln()); 2],
                value: 0.0,
                kind: 0,
                hidden: Some(Hidden::made_up(cards, &gains)),
            };
            rows.push_taken(decision, 0, [2.0, -2.0][luck]);
        }
        let device = Device::flex();
        let policy = NetConfig { inputs: 3, hidden: vec![16], actions: 4 };
        let critic = NetConfig { inputs: 3 + PLANES, hidden: vec![8], actions: 1 };
        let critic = PolicyNet::init(&critic, 5, &device);
        let policy = PolicyNet::init(&policy, 2, &device);
        let mut learner = Learner::new(Heads::with(policy, &Auxiliary::ALL, Some(critic)));
        let mut learn = |epochs: usize| {
            let recipe = Recipe { epochs, ..recipe() };
            let (workers, mut rng) = (Workers::new(2).expect("threads"), Seed::new(6).rng());
            learner.update(1, &rows, &recipe, &mut rng, &workers).expect("finite")
        };
        let (first, _, last) = (learn(1), learn(80), learn(1));
        assert!(first.cards_loss > 1.0 && last.cards_loss < 0.3, "{first:?} {last:?}");
        assert!(last.values_loss < 0.3 * first.values_loss, "{first:?} {last:?}");
        assert!(last.value_loss > 0.4 && last.critic_loss < 0.1, "{first:?} {last:?}");
    }

    #[test]
    fn epochs_stop_when_the_policy_has_moved_far_enough() {
        let rows = rows(300);
        let far = Recipe { epochs: 50, target_kl: 0.01, ..recipe() };
        let stats = update(&mut learner(), &rows, &far);
        assert!((2..50).contains(&stats.epochs) && stats.kl > 0.01, "{stats:?}");
    }

    #[test]
    fn shards_change_the_last_digits_only() {
        let rows = rows(200);
        let mut learners = [1, 2, 7].map(|shards| {
            let mut learner = learner();
            update(&mut learner, &rows, &Recipe { shards, ..recipe() });
            learner
        });
        let first = learners[0].parameters().to_vec();
        for other in &mut learners[1..] {
            for (a, b) in first.iter().zip(other.parameters()) {
                assert!((a - b).abs() < 1e-3, "{a} and {b}");
            }
        }
    }

    #[test]
    fn no_rows_no_change() {
        let mut learner = learner();
        let before = learner.parameters().to_vec();
        assert_eq!(update(&mut learner, &Rows::default(), &recipe()).rows, 0);
        assert_eq!(learner.parameters(), before);
    }

    #[test]
    fn pieces_cover_everything_once() {
        for (n, count) in [(10, 3), (7, 7), (1024, 4), (5, 1)] {
            let all: Vec<usize> = pieces(n, count).flatten().collect();
            assert_eq!(all, (0..n).collect::<Vec<_>>());
            let lengths: Vec<usize> = pieces(n, count).map(|p| p.len()).collect();
            assert!(
                lengths.iter().max().zip(lengths.iter().min()).is_some_and(|(a, b)| a - b <= 1)
            );
        }
    }
}
