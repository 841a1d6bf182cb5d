//! The faults of rules and strategies, key by key.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use newmarket_env::rules::Faults;
use newmarket_env::text::{QUOTED, brief};
use newmarket_env::{Game, Rules};
use serde::Serialize;
use serde_json::{Map, Value};

/// One fault, as it is sent to the host.
#[derive(Serialize)]
pub(crate) struct Fault {
    key: String,
    problem: String,
    expected: String,
}

impl Fault {
    fn new(key: &str, problem: &str, expected: &str) -> Self {
        let [key, problem] = [key, problem].map(|text| brief(text, 2 * QUOTED).to_string());
        Self { key, problem, expected: expected.into() }
    }
}

/// All faults that were kept.
pub(crate) fn told(faults: &Faults) -> Vec<Fault> {
    faults.0.iter().map(|it| Fault::new(&it.key, &it.problem, &it.expected)).collect()
}

/// The rules that a host describes, for so many players if a number is given.
///
/// # Errors
/// All faults.
pub(crate) fn read(
    rules: &Map<String, Value>,
    players: Option<usize>,
) -> Result<Rules, Vec<Fault>> {
    let Some(Value::String(base)) = rules.get("base") else {
        return Err(vec![Fault::new("base", "it is missing", "the name of a game")]);
    };
    let read = Rules::from_overrides(base, rules).map_err(|faults| told(&faults))?;
    match players.map(|players| Game::new(read.clone(), players)) {
        Some(Err(error)) => Err(vec![Fault::new("players", &error.to_string(), "")]),
        _ => Ok(read),
    }
}
