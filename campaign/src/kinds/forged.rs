//! Checkpoints with changed contents, sealed again.

use newmarket_env::Rng;
use serde_json::{Value, json};

use super::checkpoints::read;
use crate::attempt::Attempt;
use crate::common::{anything, draw, number, one_in, one_of};
use crate::sealed::{Sealed, Tensor};
use crate::verdict::Failure;

/// A change, and whether every reader must refuse the result.
struct Forgery {
    change: fn(&mut Sealed, &mut Rng),
    refuse: bool,
}

const FORGERIES: [Forgery; 15] = [
    // Widths of inputs and actions that do not fit the encoding.
    Forgery { change: other_widths, refuse: true },
    Forgery { change: other_actions, refuse: true },
    // Other hidden layers.
    Forgery { change: other_layers, refuse: false },
    Forgery { change: unknown_tensor, refuse: true },
    Forgery { change: unknown_field, refuse: true },
    Forgery { change: moment_not_finite, refuse: true },
    Forgery { change: moment_of_another_shape, refuse: false },
    Forgery { change: weight_not_finite, refuse: false },
    Forgery { change: tensor_dropped, refuse: false },
    Forgery { change: tensor_renamed, refuse: false },
    Forgery { change: shape_changed, refuse: false },
    Forgery { change: value_changed, refuse: false },
    Forgery { change: value_changed, refuse: false },
    Forgery { change: value_dropped, refuse: false },
    Forgery { change: text_changed, refuse: false },
];

pub(crate) fn law(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let mut sealed = Sealed::open(&attempt.materials.checkpoint);
    let rng = &mut attempt.rng;
    let forgery = &FORGERIES[draw(rng, FORGERIES.len())];
    (forgery.change)(&mut sealed, rng);
    let bytes = sealed.seal();
    // `resume` may use an older file, so only other readers must refuse this one.
    attempt.write("file.ckpt", &bytes);
    read(attempt, &bytes, forgery.refuse)
}

/// The inputs and actions of a network.
fn widths(sealed: &Sealed) -> (usize, usize) {
    let of = |name: &str| sealed.manifest["net"][name].as_u64().expect("a width") as usize;
    (of("inputs"), of("actions"))
}

fn other_widths(sealed: &mut Sealed, rng: &mut Rng) {
    let (inputs, actions) = widths(sealed);
    let other = one_of(rng, &[1, 8, inputs - 1, inputs + 1, 2 * inputs]);
    let actions = if one_in(rng, 2) { actions } else { 1 + draw(rng, 100) };
    sealed.network(&[other, 4], actions, rng);
}

fn other_actions(sealed: &mut Sealed, rng: &mut Rng) {
    let (inputs, actions) = widths(sealed);
    let other = one_of(rng, &[1, 4, 40, actions - 1, actions + 1, 200]);
    sealed.network(&[inputs, 4], other, rng);
}

fn other_layers(sealed: &mut Sealed, rng: &mut Rng) {
    let (inputs, actions) = widths(sealed);
    let layers = (0..=draw(rng, 3)).map(|_| one_of(rng, &[1, 3, 7, 8, 33, 64]));
    let widths: Vec<usize> = [inputs].into_iter().chain(layers).collect();
    sealed.network(&widths, actions, rng);
}

fn unknown_tensor(sealed: &mut Sealed, rng: &mut Rng) {
    let name =
        one_of(rng, &["net.extra", "net.trunk.7.weight", "extra", "net.", "net.policy.weights"]);
    sealed.tensors.push(Tensor::new(name, &[3], &[0.5; 3]));
}

fn unknown_field(sealed: &mut Sealed, rng: &mut Rng) {
    let place = one_of(rng, &["", "/run", "/run/encoding", "/net", "/golden", "/optimizer"]);
    let fields = sealed.manifest.pointer_mut(place).and_then(Value::as_object_mut);
    fields.expect("an object").insert("extra\u{1b}[31m".into(), json!(1));
}

/// A random tensor whose name has this prefix.
fn tensor<'s>(sealed: &'s mut Sealed, prefix: &str, rng: &mut Rng) -> &'s mut Tensor {
    let found = sealed.tensors.iter_mut().filter(|it| it.name.starts_with(prefix));
    let mut found: Vec<&mut Tensor> = found.collect();
    let at = draw(rng, found.len());
    found.swap_remove(at)
}

fn set(tensor: &mut Tensor, value: f32, rng: &mut Rng) {
    let at = 4 * draw(rng, tensor.bytes.len() / 4);
    tensor.bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

fn moment_not_finite(sealed: &mut Sealed, rng: &mut Rng) {
    let value = one_of(rng, &[f32::NAN, f32::INFINITY, f32::NEG_INFINITY]);
    set(tensor(sealed, "optim.", rng), value, rng);
    sealed.hash();
}

fn moment_of_another_shape(sealed: &mut Sealed, rng: &mut Rng) {
    let moment = tensor(sealed, "optim.", rng);
    *moment = Tensor::new(moment.name.clone(), &[2], &[0.0, 1.0]);
    sealed.hash();
}

fn weight_not_finite(sealed: &mut Sealed, rng: &mut Rng) {
    let value = one_of(rng, &[f32::NAN, f32::INFINITY, 3e38, -3e38, 1e-45]);
    set(tensor(sealed, "net.", rng), value, rng);
    sealed.hash();
}

fn tensor_dropped(sealed: &mut Sealed, rng: &mut Rng) {
    let at = draw(rng, sealed.tensors.len());
    sealed.tensors.remove(at);
    sealed.hash();
}

fn tensor_renamed(sealed: &mut Sealed, rng: &mut Rng) {
    let to = one_of(rng, &["optim.x.momentum", "optim.", "optim.99.iterate", "\u{1b}[2J", "seal2"]);
    tensor(sealed, "", rng).name = to.into();
    sealed.hash();
}

fn shape_changed(sealed: &mut Sealed, rng: &mut Rng) {
    let shape = &mut tensor(sealed, "", rng).shape;
    match draw(rng, 4) {
        0 => shape.reverse(),
        1 => shape.push(1),
        2 => shape.clear(),
        _ => shape[0] = one_of(rng, &[0, 1, 1 << 31, u64::MAX, 1 << 62]),
    }
    sealed.hash();
}

/// Adds the places of all values of a JSON value to `found`.
fn places(value: &Value, place: &str, found: &mut Vec<String>) {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(key, it)| (key.clone(), it)).collect(),
        Value::Array(items) => {
            items.iter().take(9).enumerate().map(|(i, it)| (i.to_string(), it)).collect()
        }
        _ => Vec::new(),
    };
    for (key, value) in inner {
        let key = key.replace('~', "~0").replace('/', "~1");
        let place = format!("{place}/{key}");
        places(value, &place, found);
        found.push(place);
    }
}

fn value_changed(sealed: &mut Sealed, rng: &mut Rng) {
    let mut found = Vec::new();
    places(&sealed.manifest, "", &mut found);
    let value = sealed.manifest.pointer_mut(&found[draw(rng, found.len())]).expect("it was found");
    *value = match draw(rng, 6) {
        0 => Value::Null,
        1 => json!([]),
        2 => json!({}),
        3 => serde_json::from_str(number(rng)).unwrap_or(Value::Null),
        4 => json!(number(rng)),
        _ => json!(anything(rng)),
    };
}

fn value_dropped(sealed: &mut Sealed, rng: &mut Rng) {
    let mut found = Vec::new();
    places(&sealed.manifest, "", &mut found);
    let (inside, key) = found[draw(rng, found.len())].rsplit_once('/').expect("a place");
    match sealed.manifest.pointer_mut(inside) {
        Some(Value::Object(fields)) => drop(fields.shift_remove(key)),
        Some(Value::Array(items)) => drop(items.pop()),
        _ => {}
    }
}

/// Changes a number or a line of a text that only the trainer reads.
fn text_changed(sealed: &mut Sealed, rng: &mut Rng) {
    let field = one_of(rng, &["training", "trainer_state", "rng", "rules", "seed"]);
    let Some(text) = sealed.manifest["run"][field].as_str() else { return };
    let mut lines: Vec<String> = text.lines().map(Into::into).collect();
    if lines.is_empty() {
        lines.push(String::new());
    }
    let at = draw(rng, lines.len());
    lines[at] = match (lines[at].split_once('='), draw(rng, 3)) {
        (Some((key, _)), 0 | 1) => format!("{key}= {}", number(rng)),
        (_, 2) => String::new(),
        _ => anything(rng),
    };
    sealed.manifest["run"][field] = json!(lines.join("\n"));
}
