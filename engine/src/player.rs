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

/// A player of a message.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Player {
    /// A player by name.
    Named(String),
    /// What a strategy says.
    Strategy(Value),
}

impl Held for Player {
    fn of(value: Value) -> Result<Self, String> {
        match value {
            Value::String(name) => Ok(Self::Named(name)),
            Value::Object(map) if map.len() == 1 && map.contains_key(KEY) => {
                Ok(Self::Strategy(map.into_iter().next().map_or(Value::Null, |entry| entry.1)))
            }
            _ => {
                Err("expected the name of a player, or {\"strategy\": …} with what a strategy says"
                    .into())
            }
        }
    }

    fn blank() -> Self {
        Self::Named(String::new())
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
