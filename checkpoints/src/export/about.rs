//! A description of inputs, outputs and the choice of an action, for other programs.

use alloc::string::ToString;
use alloc::vec::Vec;

use newmarket_env::Action;
use newmarket_env::encode::{Axis, SPANS};
use newmarket_net::{FastNet, QuantisedNet, Weights, argmax};
use serde_json::{Value, json};

use super::Export;
use super::policy::policy;
use crate::golden::{Golden, golden_input};

/// The decisions that the network does not take.
pub(super) const BY_RULE: &str = "In the phase `card to set apart` (Three in One) the network is not asked: the \
     five cards for poker are set apart by rule, those five of the hand that are the best poker hand.";
/// The documentation of the description.
const DOCUMENT: &str = "docs/ENCODING.md";

/// The spans of the observation, in their order.
fn inputs() -> Value {
    let spans = SPANS.iter().map(|span| {
        let axis = match span.axis {
            Axis::Other => "other",
            Axis::Suit => "suit",
            Axis::Card => "card",
        };
        json!({
            "name": span.name, "start": span.start, "len": span.len, "scale": span.scale,
            "axis": axis, "about": span.about,
        })
    });
    spans.collect()
}

/// The names of the actions, by index.
fn actions() -> Value {
    Action::ALL.iter().map(ToString::to_string).collect::<Vec<_>>().into()
}

/// A decision by which another program can check its inference: the golden input, with every other
/// action legal.
fn example(export: &Export, exact: bool) -> Value {
    let weights = &export.weights;
    let observation = golden_input(weights.config().inputs, Golden::SEED);
    let (logits, value) =
        if exact { in_whole_numbers(weights, &observation) } else { in_f32(weights, &observation) };
    let legal: Vec<bool> = (0..logits.len()).map(|action| action % 2 == 0).collect();
    let bits = legal.iter().rev().fold(0, |bits, &legal| bits << 1 | u128::from(legal));
    let action = argmax(&logits, bits);
    let policy = policy(export, &observation, &logits, bits, action);
    json!({
        "observation": observation, "legal": legal, "logits": logits, "value": value,
        "policy": policy, "action": action,
    })
}

fn in_f32(weights: &Weights, observation: &[f32]) -> (Vec<f32>, f32) {
    let net = FastNet::new(weights);
    let mut scratch = net.scratch();
    let (logits, value) = net.forward(observation, &mut scratch);
    (logits.to_vec(), value)
}

fn in_whole_numbers(weights: &Weights, observation: &[f32]) -> (Vec<f32>, f32) {
    let net = QuantisedNet::new(weights);
    let mut found = (Vec::new(), 0.0);
    net.forward_each(
        observation,
        |_| u128::MAX >> (128 - net.config().actions),
        &mut net.scratch(),
        |_, logits, value| {
            found = (logits.to_vec(), value);
        },
    );
    found
}

/// The whole description.
pub(super) fn about(export: &Export, exact: bool) -> Value {
    json!({
        "document": DOCUMENT, "by_rule": BY_RULE, "observation": inputs(), "actions": actions(),
        "example": example(export, exact),
    })
}
