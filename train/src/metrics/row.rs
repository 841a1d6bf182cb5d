//! One row of the record of a run.

use newmarket_env::text::without_mark;
use serde_json::{Map, Value};

/// The metrics of one update. Names are `group/name`, as `TensorBoard` groups them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetricsRow {
    /// The update, counted from 1.
    pub update: u64,
    /// Names and values in the order in which they are written.
    pub values: Vec<(String, f64)>,
}

impl MetricsRow {
    /// A row without values.
    pub fn new(update: u64) -> Self {
        Self { update, values: Vec::new() }
    }

    /// Adds a value.
    pub fn push(&mut self, name: impl Into<String>, value: f64) {
        self.values.push((name.into(), value));
    }

    /// The value of this name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.values.iter().find(|(n, _)| n == name).map(|(_, value)| *value)
    }

    /// The row as one line of JSON, without a line end.
    pub(super) fn line(&self) -> String {
        let mut object = Map::new();
        object.insert("update".into(), self.update.into());
        for (name, value) in &self.values {
            object.insert(name.clone(), (*value).into());
        }
        Value::Object(object).to_string()
    }

    /// Parses one line of JSON. Values that are not numbers are left out.
    pub fn parse(line: &str) -> Option<Self> {
        let object: Map<String, Value> =
            serde_json::from_slice(without_mark(line.as_bytes())).ok()?;
        let update = object.get("update")?.as_u64()?;
        let values = object
            .into_iter()
            .filter(|(name, _)| name != "update")
            .filter_map(|(name, value)| Some((name, value.as_f64()?)))
            .collect();
        Some(Self { update, values })
    }
}
