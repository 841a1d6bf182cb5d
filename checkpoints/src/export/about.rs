//! What a program elsewhere needs to know of the inputs, the outputs and the choice.

use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use newmarket_env::Action;
use newmarket_env::encode::{Axis, SPANS};
use newmarket_net::{FastNet, Weights, argmax, masked_softmax};
use serde_json::{Value, json};

use crate::golden::{Golden, golden_input};

/// Where the network is not asked.
pub(super) const BY_RULE: &str = "In the phase `card to set apart` (Three in One) the network is not asked: the \
     five cards for poker are set apart by rule, those five of the hand that are the best poker hand.";
/// Where everything is explained.
const DOCUMENT: &str = "docs/ENCODING.md";

/// The spans of the observation, in order of where they stand.
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

/// A decision for whoever wants to know whether a program elsewhere computes the same: the golden
/// input, with every other action legal.
fn example(weights: &Weights, temperature: Option<f32>) -> Value {
    let observation = golden_input(weights.config().inputs, Golden::SEED);
    let net = FastNet::new(weights);
    let mut scratch = net.scratch();
    let (logits, value) = net.forward(&observation[..], &mut scratch);
    let legal: Vec<bool> = (0..logits.len()).map(|action| action % 2 == 0).collect();
    let bits = legal.iter().rev().fold(0, |bits, &legal| bits << 1 | u128::from(legal));
    let by = temperature.unwrap_or(1.0);
    let weighed: Vec<f32> = logits.iter().map(|logit| logit / by).collect();
    let mut policy = vec![0.0; logits.len()];
    masked_softmax(&weighed, bits, &mut policy);
    json!({
        "observation": observation, "legal": legal, "logits": logits, "value": value,
        "policy": policy, "action": argmax(logits, bits),
    })
}

/// All of it.
pub(super) fn about(weights: &Weights, temperature: Option<f32>) -> Value {
    json!({
        "document": DOCUMENT, "by_rule": BY_RULE, "observation": inputs(), "actions": actions(),
        "example": example(weights, temperature),
    })
}
