//! Checkpoints are read back as written, and the same content gives the same file.

use std::collections::BTreeMap;

use newmarket_agents::net::{PlayKind, Plays};
use newmarket_checkpoints::{
    Checkpoint, OptimizerError, OptimizerState, Provenance, TrainedOn, verify,
};
use newmarket_net::{NamedArray, NetConfig, Weights};
use safetensors::SafeTensors;

use super::{bytes, checkpoint, parse, weights_only};

#[test]
fn what_is_written_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    for (k, whole) in [checkpoint(120), weights_only(), checkpoint(1).release()].iter().enumerate()
    {
        let path = folder.path().join(format!("{k}.ckpt"));
        whole.write(&path).unwrap();
        assert_eq!(&Checkpoint::read(&path).unwrap(), whole);
        let summary = verify(&path).unwrap();
        assert_eq!(summary.update, whole.run.update);
        assert_eq!(summary.resumable, whole.optimizer.is_some());
        assert_eq!(summary.bytes, std::fs::metadata(&path).unwrap().len());
    }
}

/// A network that draws decisions of some kind says so, and is of a version that others refuse.
#[test]
fn what_a_network_draws_comes_back() {
    let plays = Plays::LIKELIEST.with(PlayKind::Lead, Some(0.1));
    for whole in [checkpoint(3), weights_only()] {
        let mixed = Checkpoint { plays, ..whole.clone() };
        let file = bytes(&mixed);
        assert_eq!(parse(&file).unwrap(), mixed);
        assert_eq!(parse(&file).unwrap().release().plays, plays);
        let text = String::from_utf8_lossy(&file);
        assert!(text.contains(r#"\"version\":3"#));
        assert!(text.contains(r#"\"bet\":\"likeliest\",\"lead\":0.1}"#));
        let text = bytes(&whole);
        let text = String::from_utf8_lossy(&text);
        assert!(text.contains(r#"\"version\":2"#) && !text.contains("plays"));
    }
}

#[test]
fn the_same_content_is_the_same_bytes() {
    let first = bytes(&checkpoint(120));
    for _ in 0..5 {
        assert_eq!(bytes(&checkpoint(120)), first, "made again");
    }
    assert_eq!(bytes(&parse(&first).unwrap()), first, "read and written");
    assert_ne!(bytes(&checkpoint(121)), first);
}

#[test]
fn the_file_is_safetensors_that_anybody_can_read() {
    let file = bytes(&checkpoint(120));
    let tensors = SafeTensors::deserialize(&file).unwrap();
    assert_eq!(tensors.tensor("net.trunk.0.weight").unwrap().shape(), [12, 9]);
    assert_eq!(tensors.tensor("optim.1.momentum.moment_1").unwrap().shape(), [12, 9]);
    assert_eq!(tensors.len(), 8 + 16 + 1);
}

#[test]
fn a_state_is_sorted_by_name_and_names_parameters() {
    let array = |name: &str| NamedArray { name: name.into(), shape: vec![1], data: vec![0.5] };
    let from = |names: [&str; 2]| {
        let tensors = names.map(array).to_vec();
        OptimizerState::from_parts(tensors, BTreeMap::new(), BTreeMap::new())
    };
    let state = from(["2.average", "1.average"]).expect("both name a parameter");
    assert_eq!(
        state.tensors().iter().map(|t| &*t.name).collect::<Vec<_>>(),
        ["1.average", "2.average"]
    );
    let name = "average".to_string();
    assert_eq!(from(["1.average", "average"]), Err(OptimizerError::Name { name }));
}

#[test]
fn an_empty_state_survives() {
    let state = OptimizerState::from_parts(vec![], BTreeMap::new(), BTreeMap::new()).unwrap();
    let whole = Checkpoint { optimizer: Some(state), ..weights_only() };
    assert_eq!(parse(&bytes(&whole)).unwrap(), whole);
}

#[test]
fn a_release_has_only_what_it_takes_to_play() {
    let whole = checkpoint(9);
    let released = whole.clone().release();
    assert_eq!(released.weights, whole.weights);
    assert_eq!(released.run.trained_on, whole.run.trained_on);
    assert!(released.optimizer.is_none() && released.run.rng.is_empty());
    assert!(bytes(&released).len() < bytes(&whole).len());
}

#[test]
fn a_network_of_the_usual_size_takes_three_megabytes() {
    let net = NetConfig { inputs: 512, hidden: vec![256, 256], actions: 74 };
    let whole = Checkpoint { weights: Weights::init(&net, 1), ..weights_only() };
    let length = bytes(&whole).len();
    assert!((4 * net.parameters()..4 * net.parameters() + 4096).contains(&length), "{length}");
}

#[test]
fn what_a_network_was_trained_on_comes_back() {
    let tables = checkpoint(1).run.trained_on;
    let nothing = TrainedOn::default();
    let parents = [tables.clone(), nothing.clone()].map(|trained_on| {
        let mut parent = weights_only();
        parent.run =
            Provenance { trained_on, update: 3, decisions: u64::MAX, ..Provenance::default() };
        parent.as_parent()
    });
    let joined = TrainedOn::Joined(parents.to_vec());
    for trained_on in [tables, nothing, joined.clone(), TrainedOn::Joined(vec![])] {
        let run = Provenance { trained_on, ..Provenance::default() };
        let checkpoint = Checkpoint { run, ..weights_only() };
        assert_eq!(parse(&bytes(&checkpoint)).expect("sound"), checkpoint);
    }
    let TrainedOn::Joined(parents) = joined else { unreachable!("made above") };
    assert_eq!(parents[0].weights_blake3, weights_only().weights_hash());
}
