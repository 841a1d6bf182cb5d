//! What is written comes back, and the same content is the same file.

use burn::optim::SgdConfig;
use burn::tensor::Device;
use newmarket_agents::net::{NetConfig, PolicyNet, Weights};
use newmarket_checkpoints::{Checkpoint, OptimizerError, OptimizerState, verify};
use safetensors::SafeTensors;

use super::{adam, bytes, checkpoint, parse, train, weights_only};

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

/// Stopping and resuming gives the same weights, bit for bit, as not stopping.
#[test]
fn training_goes_on_exactly() {
    let device = Device::flex().autodiff();
    let fresh = || PolicyNet::init(&super::net(), 3, &device);
    let (through, _) = train(fresh(), adam(), 0..8);

    let file = bytes(&checkpoint(3)); // three steps, as `train(.., 0..3)`
    let back = parse(&file).unwrap();
    let net = PolicyNet::from_weights(&back.weights, &device);
    let optimizer = back.optimizer.as_ref().unwrap().restore(adam()).unwrap();
    let (resumed, optimizer) = train(net, optimizer, 3..8);
    assert_eq!(resumed.weights(), through.weights());

    // And the test can tell: moments that start from zero lead elsewhere.
    let net = PolicyNet::from_weights(&back.weights, &device);
    let (forgetful, _) = train(net, adam(), 3..8);
    assert_ne!(forgetful.weights(), through.weights());

    let state = OptimizerState::of(&optimizer).unwrap();
    assert_eq!(state.tensors().len(), 16, "two moments for each of eight parameters");
    let steps = state.scalars()["1.momentum.time"];
    assert_eq!(steps, newmarket_checkpoints::Scalar::Uint(8));
}

#[test]
fn an_optimizer_of_another_kind_is_refused() {
    let state = checkpoint(3).optimizer.unwrap();
    let error = state.restore(SgdConfig::new().init()).err();
    assert_eq!(error, Some(OptimizerError::Other));
}

#[test]
fn a_fresh_optimizer_has_an_empty_state_that_survives() {
    let state = OptimizerState::of(&adam()).unwrap();
    let whole = Checkpoint { optimizer: Some(state.clone()), ..weights_only() };
    assert_eq!(parse(&bytes(&whole)).unwrap().optimizer, Some(state.clone()));
    assert!(state.restore(adam()).is_ok());
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
