//! What a program elsewhere needs to know of the inputs, the outputs and the choice.

use alloc::string::ToString as _;
use alloc::vec::Vec;

use newmarket_env::Action;
use newmarket_env::encode::{Axis, SPANS};
use serde_json::{Value, json};

/// Where the network is not asked.
pub(super) const BY_RULE: &str = "In the phase `card to set apart` (Three in One) the network is not asked: the \
     five cards for poker are set apart by rule, those five of the hand that are the best poker hand.";
/// Where everything is explained.
pub(super) const DOCUMENT: &str = "docs/ENCODING.md";

/// The spans of the observation, in order of where they stand.
pub(super) fn inputs() -> Value {
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
pub(super) fn actions() -> Value {
    Action::ALL.iter().map(|action| action.to_string()).collect::<Vec<_>>().into()
}

/// All of it.
pub(super) fn about() -> Value {
    json!({
        "document": DOCUMENT, "by_rule": BY_RULE, "observation": inputs(), "actions": actions(),
    })
}
