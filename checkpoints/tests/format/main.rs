//! The file format: what goes in comes out, and nothing else gets in.

mod refuses;
mod round_trip;
mod store;

use std::collections::BTreeMap;
use std::path::Path;

use burn::optim::{AdamConfig, GradientsParams, ModuleOptimizer};
use burn::tensor::{Device, Tensor, TensorData};
use newmarket_agents::net::{NetConfig, PolicyNet, Weights};
use newmarket_checkpoints::{Checkpoint, Encoding, OptimizerState, Run, TrainedOn, TrainedTable, golden_input};

fn net() -> NetConfig {
    NetConfig { inputs: 12, hidden: vec![9, 5], actions: 7 }
}

fn adam() -> ModuleOptimizer {
    AdamConfig::new().with_epsilon(1e-5).init()
}

/// A few steps of Adam towards outputs of 1.
fn train(
    mut net: PolicyNet,
    mut optimizer: ModuleOptimizer,
    steps: std::ops::Range<u64>,
) -> (PolicyNet, ModuleOptimizer) {
    let device = Device::flex().autodiff();
    for step in steps {
        let obs: Vec<f32> = (0..16).flat_map(|r| golden_input(12, 100 * step + r)).collect();
        let obs = Tensor::<2>::from_data(TensorData::new(obs, [16, 12]), &device);
        let (logits, value) = net.forward(obs);
        let loss = (logits - 1.0).powi_scalar(2).mean() + (value - 1.0).powi_scalar(2).mean();
        let grads = GradientsParams::from_grads(loss.backward(), &net);
        net = optimizer.step(0.01, net, grads);
    }
    (net, optimizer)
}

fn checkpoint(update: u64) -> Checkpoint {
    let fresh = PolicyNet::init(&net(), 3, &Device::flex().autodiff());
    let (trained, optimizer) = train(fresh, adam(), 0..3);
    Checkpoint {
        run: Run {
            trained_on: TrainedOn::Tables(vec![TrainedTable {
                rules: "name = \"newmarket\"\n# ♠ \"quoted\"\n".into(),
                players: [3, 8],
                share: 0.1,
                episode: "deal".into(),
            }]),
            encoding: Encoding { version: 1, fingerprint: 0x0123_4567_89ab_cdef },
            training: "minibatch = 1024\n".into(),
            seed: u64::MAX,
            update,
            decisions: 3 * 4096,
            counters: BTreeMap::from([("deals".into(), 17), ("episodes".into(), 4)]),
            rng: (0..=255).collect(),
            trainer_state: "{\"mean\":0.1}".into(),
        },
        weights: trained.weights(),
        optimizer: Some(OptimizerState::of(&optimizer).expect("Adam's state is f32")),
    }
}

fn weights_only() -> Checkpoint {
    Checkpoint { run: Run::default(), weights: Weights::init(&net(), 1), optimizer: None }
}

fn bytes(checkpoint: &Checkpoint) -> Vec<u8> {
    checkpoint.to_bytes(Path::new("x.ckpt")).expect("a sound checkpoint")
}

fn parse(bytes: &[u8]) -> Result<Checkpoint, newmarket_checkpoints::Error> {
    Checkpoint::from_bytes(Path::new("x.ckpt"), bytes)
}
