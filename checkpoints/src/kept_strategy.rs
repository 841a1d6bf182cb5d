//! What a strategy says, kept where it is used: the file of a strategy may change.

use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::{format, vec};

use newmarket_agents::strategy::Content;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a strategy says, with the strategies that it builds on, and its hash.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptStrategy {
    /// BLAKE3 of the content, in hexadecimal.
    pub hash: String,
    /// The content: a strategy file as JSON.
    pub content: Value,
}

impl KeptStrategy {
    /// What a strategy says.
    pub fn of(content: &Content) -> Self {
        Self { hash: hash(content.json()), content: content.json().clone() }
    }

    /// The strategy.
    ///
    /// # Errors
    /// If the hash is that of another content, or the content has faults.
    pub fn content(&self) -> Result<Arc<Content>, String> {
        let due = hash(&self.content);
        if due != self.hash {
            return Err(format!("its content has the hash {due}, expected {:.64}", self.hash));
        }
        Content::from_json(&self.content).map(Arc::new).map_err(|faults| faults.to_string())
    }
}

/// BLAKE3 of the shortest JSON with sorted keys, in hexadecimal: the same strategy has the same hash, whatever the order
/// of the keys in its file.
fn hash(content: &Value) -> String {
    blake3::hash(sorted(content).to_string().as_bytes()).to_hex().to_string()
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(entries) => {
            let mut keys: vec::Vec<_> = entries.iter().collect();
            keys.sort_unstable_by_key(|entry| entry.0);
            keys.into_iter().map(|(key, value)| (key.clone(), sorted(value))).collect()
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        plain => plain.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn kept(file: &Value) -> KeptStrategy {
        KeptStrategy::of(&Content::from_json(file).expect("a strategy"))
    }

    #[test]
    fn the_hash_is_of_what_the_strategy_says() {
        let file = json!({ "base": "stopper", "lead": ["most cards"], "claimed": { "AS": 0.5 } });
        let turned = json!({ "claimed": { "AS": 0.5 }, "lead": ["most cards"], "base": "stopper" });
        assert_eq!(kept(&file).hash, kept(&turned).hash);
        let other =
            json!({ "base": "stopper", "lead": ["fewest cards"], "claimed": { "AS": 0.5 } });
        assert_ne!(kept(&file).hash, kept(&other).hash);
        assert_eq!(*kept(&file).content().expect("whole").json(), file);
    }

    #[test]
    fn a_content_with_another_hash_is_refused() {
        let mut changed = kept(&json!({ "base": "stopper" }));
        changed.content["base"] = "basic".into();
        let error = changed.content().expect_err("changed");
        assert!(error.contains("expected") && !error.contains('\n'), "{error}");
    }
}
