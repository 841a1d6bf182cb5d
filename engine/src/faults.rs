//! What is wrong with rules, key by key.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use newmarket_env::text::{QUOTED, brief};
use newmarket_env::{Game, Rules};
use serde::Serialize;
use serde_json::{Map, Value};

/// One fault, as a host is told it.
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

/// All faults of a rules file as JSON, for so many players if a number is given.
pub(crate) fn faults(rules: &Map<String, Value>, players: Option<usize>) -> Vec<Fault> {
    let Some(Value::String(base)) = rules.get("base") else {
        return vec![Fault::new("base", "it is missing", "the name of a game")];
    };
    let read = match Rules::from_overrides(base, rules) {
        Ok(read) => read,
        Err(faults) => {
            let fault =
                |it: &newmarket_env::rules::Fault| Fault::new(&it.key, &it.problem, &it.expected);
            return faults.0.iter().map(fault).collect();
        }
    };
    let game = players.map(|players| Game::new(read, players));
    match game {
        Some(Err(error)) => vec![Fault::new("players", &error.to_string(), "")],
        _ => Vec::new(),
    }
}
