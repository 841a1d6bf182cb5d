//! The tree of a strategy file before it is understood: TOML with lines, or JSON without.

use alloc::string::String;
use alloc::vec::Vec;

#[cfg(feature = "std")]
use serde_json::{Map, Number};

/// A value of a file, and the line where it stands, from 1; JSON has no lines.
#[derive(Clone, Debug)]
pub struct FileNode {
    /// The line, from 1; `None` without lines.
    pub line: Option<usize>,
    /// The value.
    pub value: NodeValue,
}

/// The kinds of values.
#[derive(Clone, Debug)]
pub enum NodeValue {
    /// A text.
    Text(String),
    /// A number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// A list.
    List(Vec<FileNode>),
    /// A table. No key is there twice.
    Table(Vec<(String, FileNode)>),
    /// A value that no strategy has, as a date.
    Other,
}

impl FileNode {
    /// The value of a key of a table.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        let entries = self.entries().unwrap_or_default();
        entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The entries of a table.
    pub(super) fn entries(&self) -> Option<&[(String, Self)]> {
        if let NodeValue::Table(entries) = &self.value { Some(entries) } else { None }
    }

    /// A whole number.
    pub(super) fn whole(&self) -> Option<i64> {
        match self.value {
            NodeValue::Number(number)
                if number % 1.0 == 0.0 && (-1e15..=1e15).contains(&number) =>
            {
                Some(number as i64)
            }
            _ => None,
        }
    }

    /// A text.
    pub(super) fn text(&self) -> Option<&str> {
        if let NodeValue::Text(text) = &self.value { Some(text) } else { None }
    }

    /// A list.
    pub(super) fn list(&self) -> Option<&[Self]> {
        if let NodeValue::List(items) = &self.value { Some(items) } else { None }
    }

    /// The same as JSON.
    #[cfg(feature = "std")]
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::Value;

        match &self.value {
            NodeValue::Text(text) => Value::String(text.clone()),
            NodeValue::Flag(flag) => Value::Bool(*flag),
            NodeValue::Number(number) => match self.whole() {
                Some(whole) => Value::Number(whole.into()),
                None => Number::from_f64(*number).map_or(Value::Null, Value::Number),
            },
            NodeValue::List(items) => Value::Array(items.iter().map(Self::to_json).collect()),
            NodeValue::Table(entries) => {
                let entries = entries.iter().map(|(key, node)| (key.clone(), node.to_json()));
                Value::Object(entries.collect::<Map<_, _>>())
            }
            NodeValue::Other => Value::Null,
        }
    }
}

impl From<&serde_json::Value> for FileNode {
    fn from(json: &serde_json::Value) -> Self {
        use serde_json::Value;

        let value = match json {
            Value::Null => NodeValue::Other,
            Value::Bool(flag) => NodeValue::Flag(*flag),
            Value::Number(number) => NodeValue::Number(number.as_f64().unwrap_or(f64::NAN)),
            Value::String(text) => NodeValue::Text(text.clone()),
            Value::Array(items) => NodeValue::List(items.iter().map(Self::from).collect()),
            Value::Object(entries) => {
                let entries = entries.iter().map(|(key, value)| (key.clone(), Self::from(value)));
                NodeValue::Table(entries.collect())
            }
        };
        Self { line: None, value }
    }
}
