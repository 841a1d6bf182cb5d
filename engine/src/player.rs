//! Players that messages name: by a name, or by what a strategy says.

use alloc::format;
use alloc::string::{String, ToString as _};

use newmarket_agents::strategy::Content;
use newmarket_env::rules::Faults;
use newmarket_env::text::{QUOTED, brief};
use serde_json::Value;

use crate::values::Held;

/// The key of a strategy in a message.
const KEY: &str = "strategy";
/// What the names of players begin with that are strategies told in a message: no host gives such a name.
const TOLD: char = '\u{1}';

/// A player of a message.
#[derive(PartialEq, Eq)]
pub(crate) struct Player {
    /// Its name; or the content of a strategy, with a mark.
    pub(crate) name: String,
    /// What the strategy says, if it is one.
    pub(crate) content: Option<Value>,
}

impl Held for Player {
    fn of(value: Value) -> Result<Self, String> {
        match value {
            Value::String(name) if !name.starts_with(TOLD) => Ok(Self { name, content: None }),
            Value::Object(map) if map.len() == 1 && map.contains_key(KEY) => {
                let content = map.into_iter().next().map_or(Value::Null, |entry| entry.1);
                let text = serde_json::to_string(&content).expect("a value is JSON");
                Ok(Self { name: format!("{TOLD}{text}"), content: Some(content) })
            }
            _ => {
                Err("expected the name of a player, or {\"strategy\": …} with what a strategy says"
                    .into())
            }
        }
    }

    fn blank() -> Self {
        Self { name: String::new(), content: None }
    }
}

/// What a strategy in a message is called: as it says, or `strategy`.
pub(crate) fn name_of(content: &Content) -> &str {
    content.name.as_deref().unwrap_or(KEY)
}

/// The faults of a strategy in one line.
pub(crate) fn told(faults: &Faults) -> String {
    brief(&format!("{faults}"), 10 * QUOTED).to_string()
}
