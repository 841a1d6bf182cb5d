//! The file format: what goes in comes out, and nothing else gets in.

mod exports;
mod player;
mod refuses;
mod round_trip;
mod store;

use std::collections::BTreeMap;

use newmarket_agents::net::Plays;
use newmarket_checkpoints::{
    Checkpoint, Encoding, FormatError, OptimizerState, Provenance, Scalar, TrainedOn, TrainedTable,
};
use newmarket_net::{NamedArray, NetConfig, Weights};

fn net() -> NetConfig {
    NetConfig { inputs: 12, hidden: vec![9, 5], actions: 7 }
}

/// The state of Adam after three steps: two moments of every array, and a step counter.
fn adam(weights: &Weights) -> OptimizerState {
    let (mut tensors, mut scalars, mut paths) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
    for (id, array) in (1..).zip(weights.arrays()) {
        for (field, by) in [("momentum.moment_1", 0.1), ("momentum.moment_2", 0.01)] {
            let data = array.data.iter().map(|x| x.abs() * by + 1e-3).collect();
            let name = format!("{id}.{field}");
            tensors.push(NamedArray { name, shape: array.shape.clone(), data });
        }
        scalars.insert(format!("{id}.momentum.time"), Scalar::Uint(3));
        paths.insert(id.to_string(), array.name.clone());
    }
    OptimizerState::from_parts(tensors, scalars, paths).expect("names that begin with an id")
}

fn checkpoint(update: u64) -> Checkpoint {
    let weights = Weights::init(&net(), 3);
    Checkpoint {
        run: Provenance {
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
        optimizer: Some(adam(&weights)),
        weights,
        plays: Plays::LIKELIEST,
    }
}

fn weights_only() -> Checkpoint {
    Checkpoint::new(Provenance::default(), Weights::init(&net(), 1))
}

fn bytes(checkpoint: &Checkpoint) -> Vec<u8> {
    checkpoint.to_bytes().expect("a sound checkpoint")
}

fn parse(bytes: &[u8]) -> Result<Checkpoint, FormatError> {
    Checkpoint::from_bytes(bytes)
}
