//! One update against its definition, and what many updates learn.

use super::*;
use crate::objective::Clipped;
use crate::policy_net::PolicyNet;
use crate::schedule::Schedule;
use crate::trajectory::PolicyDecision;
use burn::tensor::Device;
use newmarket_env::Seed;
use newmarket_net::NetConfig;

/// Three numbers to look at; two to four legal actions.
#[derive(Clone)]
struct Toy([f32; 3]);
impl Packed for Toy {
    const WIDTH: usize = 3;

    fn for_each_nonzero(&self, mut see: impl FnMut(usize, f32)) {
        self.0.iter().enumerate().for_each(|(place, &number)| see(place, number));
    }
}

fn learner() -> Learner {
    let shape = NetConfig { inputs: 3, hidden: vec![8], actions: 4 };
    Learner::new(&PolicyNet::init(&shape, 2, &Device::flex()))
}

const CLIPPED: Clipped =
    Clipped { clip: Schedule::Constant(0.2), entropy: Schedule::Constant(0.01) };

fn settings() -> UpdateSettings<'static> {
    let loss = LossSettings { objective: &CLIPPED, progress: 0.0, value_weight: 0.5 };
    UpdateSettings {
        epochs: 1,
        minibatch: 64,
        shards: 3,
        learning_rate: 0.01,
        max_grad_norm: 0.5,
        loss,
    }
}

/// Rows in which the best choice is the one whose number the first input says.
fn rows(n: usize) -> RolloutRows<Toy> {
    let mut rows = RolloutRows::default();
    for i in 0..n {
        let choices = 2 + i % 3;
        let best = i / 3 % choices;
        let decision = PolicyDecision {
            observation: Toy([best as f32, choices as f32 / 4.0, 1.0]),
            legal: (1 << choices) - 1,
            log_probs: vec![-(choices as f32).ln(); choices],
            value: 0.0,
            kind: 0,
            unit: 1.0,
        };
        let gains: Vec<f32> = (0..choices).map(|c| if c == best { 3.0 } else { 0.0 }).collect();
        rows.push_all_actions(decision, &gains);
    }
    rows
}

fn update(
    learner: &mut Learner,
    rows: &RolloutRows<Toy>,
    settings: &UpdateSettings<'_>,
) -> UpdateStats {
    let workers = Workers::new(2).expect("threads");
    let mut rng = Seed::new(6).rng();
    learner.update(1, rows, settings, &mut rng, &workers).expect("finite")
}

/// The gradient of one shard, as if it were all of a minibatch of `batch` rows.
fn gradient(
    learner: &Learner,
    rows: &RolloutRows<Toy>,
    columns: &Columns,
    shard: &[u32],
    batch: usize,
    settings: &LossSettings<'_>,
) -> (Vec<f32>, Losses) {
    let layers = learner.layers::<Toy>();
    let shard = learner.shard(&layers, rows, columns, shard, batch, settings);
    let losses = shard.losses;
    (learner.gradient(vec![shard], &Workers::new(2).expect("threads")), losses)
}

/// The whole minibatch as one shard, clipped and stepped by the definition: Adam's first step
/// is g / (|g| + ε) times the rate.
#[test]
fn one_update_is_one_clipped_step_of_adam() {
    let (rows, settings) = (rows(40), UpdateSettings { max_grad_norm: 0.2, ..settings() });
    let mut learner = learner();
    let mut expected = learner.parameters().to_vec();
    let mut scaled = learner.clone();
    scaled.scale.push(&rows.targets);
    let columns = Columns::new(&rows, &settings.loss, &scaled.scale);
    let all: Vec<u32> = (0..40).collect();
    let (mut gradient, _) = gradient(&scaled, &rows, &columns, &all, 40, &settings.loss);
    let norm = global_norm(&gradient);
    assert!(norm > 0.2, "the test must clip: {norm}");
    clip_norm(&mut gradient, norm, 0.2);
    for (weight, g) in expected.iter_mut().zip(gradient) {
        *weight -= 0.01 * g / (g.abs() + 1e-5);
    }
    let stats = update(&mut learner, &rows, &settings);
    assert!((stats.grad_norm - norm).abs() < 1e-4);
    for (got, expected) in learner.parameters().iter().zip(expected) {
        // Where a gradient is all but 0, its last digits decide the direction.
        assert!((got - expected).abs() < 1e-4, "{got} and {expected}");
    }
}

/// The first layer as a product with all inputs, zeros included, and its gradient as burn has it.
#[test]
fn the_gradient_is_that_of_the_whole_network() {
    let (rows, loss_of) = (rows(40), settings().loss);
    for hidden in [vec![8], vec![70, 9, 8]] {
        let shape = NetConfig { inputs: 3, hidden, actions: 4 };
        let net = PolicyNet::init(&shape, 2, &Device::flex());
        let learner = Learner::new(&net);
        let columns = Columns::new(&rows, &loss_of, &ReturnScale::default());
        let shard: Vec<u32> = (0..40).step_by(3).rev().collect();
        let (gradient, losses) = gradient(&learner, &rows, &columns, &shard, 40, &loss_of);

        let device = learner.backend.tensors();
        let net = with_parameters(net.clone(), &flatten(&net), device);
        let seen = shard.iter().flat_map(|&row| rows.observations[row as usize].0);
        let seen = TensorData::new(seen.collect::<Vec<f32>>(), [shard.len(), 3]);
        let (logits, values) = net.forward(Tensor::from_data(seen, device));
        let output = NetworkOutput { logits, values: values.squeeze_dim(1) };
        let expected = loss(output, gather(&rows, &columns, &shard, device), 40, &loss_of);
        let all = gradients(&net, &mut expected.total.backward());
        assert_eq!(gradient.len(), all.len());
        let norm = global_norm(&all) as f32;
        assert!(norm > 0.1, "{norm}");
        for (got, expected) in gradient.iter().zip(&all) {
            assert!((got - expected).abs() < 1e-5 * norm, "{got} and {expected}, norm {norm}");
        }
        assert!((losses.total - expected.read().total).abs() < 1e-5);
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
    let regression = crate::objective::Regression::new(0.5);
    for objective in [settings().loss.objective, &regression] {
        let loss = LossSettings { objective, ..settings().loss };
        let settings = UpdateSettings { loss, ..settings() };
        let mut learners = [learner(), learner()];
        learners[1].compute_on(&backend);
        let columns = Columns::new(&rows, &loss, &ReturnScale::default());
        let all: Vec<u32> = (0..200).collect();
        let [cpu, gpu] = learners
            .each_ref()
            .map(|learner| gradient(learner, &rows, &columns, &all, all.len(), &loss));
        let norm = global_norm(&cpu.0) as f32;
        assert!(norm > 0.1 && cpu.0.len() == gpu.0.len());
        for (a, b) in cpu.0.iter().zip(&gpu.0) {
            assert!((a - b).abs() < 1e-5 * norm, "{a} and {b}, norm {norm}");
        }
        assert!((cpu.1.total - gpu.1.total).abs() < 1e-5, "{:?} and {:?}", cpu.1, gpu.1);
        let stats = learners.each_mut().map(|learner| update(learner, &rows, &settings));
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
    let first = update(&mut learner, &rows, &settings());
    let many = UpdateSettings { epochs: 60, ..settings() };
    update(&mut learner, &rows, &many);
    let (rows_learnt, first) = (first.rows, first.losses);
    let last = update(&mut learner, &rows, &settings()).losses;
    assert!(last.policy < first.policy - 0.1, "{first:?} {last:?}");
    assert!(last.value < 0.8 * first.value, "{first:?} {last:?}");
    assert!(last.clipped > Some(0.5) && last.entropy < first.entropy);
    assert_eq!(rows_learnt, 300);
}

#[test]
fn shards_change_the_last_digits_only() {
    let rows = rows(200);
    let mut learners = [1, 2, 7].map(|shards| {
        let mut learner = learner();
        update(&mut learner, &rows, &UpdateSettings { shards, ..settings() });
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
    assert_eq!(update(&mut learner, &RolloutRows::default(), &settings()).rows, 0);
    assert_eq!(learner.parameters(), before);
}

#[test]
fn ranges_cover_everything_once() {
    for (n, count) in [(10, 3), (7, 7), (1024, 4), (5, 1)] {
        let all: Vec<usize> = ranges(n, count).flatten().collect();
        assert_eq!(all, (0..n).collect::<Vec<_>>());
        let lengths: Vec<usize> = ranges(n, count).map(|p| p.len()).collect();
        assert!(lengths.iter().max().zip(lengths.iter().min()).is_some_and(|(a, b)| a - b <= 1));
    }
}
