//! Small checkpoints. An input is the bytes of a checkpoint without its seal, or the text of its manifest.

use newmarket_env::{Action, Observation};
use serde_json::{Value, json};

use crate::sealed::{Sealed, Tensor};

/// The bytes with the right seal.
pub fn resealed(input: &[u8]) -> Vec<u8> {
    let body = &input[..input.len().saturating_sub(32)];
    [body, blake3::hash(body).as_bytes()].concat()
}

/// A valid checkpoint with this manifest, if it is JSON, and the right hashes. Its network has one hidden unit, and all
/// its weights are zero.
pub fn described(manifest: &[u8]) -> Option<Vec<u8>> {
    let mut manifest: Value = serde_json::from_slice(manifest).ok()?;
    let (inputs, actions) = (Observation::LEN, Action::COUNT);
    let shapes = [
        ("trunk.0.weight", vec![inputs, 1]),
        ("trunk.0.bias", vec![1]),
        ("policy.weight", vec![1, actions]),
        ("policy.bias", vec![actions]),
        ("value.weight", vec![1, 1]),
        ("value.bias", vec![1]),
    ];
    let zeros = |name: String, shape: &[usize]| {
        Tensor::new(name, shape, &vec![0.0; shape.iter().product()])
    };
    let mut tensors = Vec::new();
    for (place, (name, shape)) in shapes.iter().enumerate() {
        tensors.push(zeros(format!("net.{name}"), shape));
        for field in ["momentum.moment_1", "momentum.moment_2", "iterate", "average"] {
            tensors.push(zeros(format!("optim.{}.{field}", place + 1), shape));
        }
    }
    tensors.sort_by(|a, b| a.name.cmp(&b.name));
    let golden = manifest.get_mut("golden").and_then(Value::as_object_mut)?;
    golden.insert("logits".into(), json!(vec![0.0; actions]));
    golden.insert("value".into(), json!(0.0));
    let mut sealed = Sealed { manifest, tensors };
    sealed.manifest.get("net").filter(|net| net.is_object())?;
    sealed.manifest["net"]["hidden"] = json!([1]);
    sealed.hash();
    Some(sealed.seal())
}
