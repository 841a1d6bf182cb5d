//! The record of a run: `TensorBoard` events, and the same rows as lines of JSON.
//!
//! `metrics.jsonl` is the record that counts: one object a line, in the order of the updates.
//! Names that begin with `time/` hold what the clock said and differ from run to run; all others
//! are the same for the same configuration. When a run goes on from a checkpoint, rows that were
//! written after it are dropped, and `TensorBoard` is told to forget the same steps.

use crate::TrainError;
use crate::events::Events;
use crate::record::Record;
use serde_json::{Map, Value};
use std::path::Path;

/// The file of rows in a run folder.
pub const FILE: &str = "metrics.jsonl";

/// What one update measured: names as `TensorBoard` groups them (`group/name`), and numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// The update, counted from 1.
    pub update: u64,
    /// Names and values in the order in which they are written.
    pub values: Vec<(String, f64)>,
}

impl Row {
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

    /// As one line of JSON, without its end.
    fn line(&self) -> String {
        let mut object = Map::new();
        object.insert("update".into(), self.update.into());
        for (name, value) in &self.values {
            object.insert(name.clone(), (*value).into());
        }
        Value::Object(object).to_string()
    }

    /// From one line of JSON; values that are not numbers are left out.
    fn parse(line: &str) -> Option<Self> {
        let object: Map<String, Value> = serde_json::from_str(line).ok()?;
        let update = object.get("update")?.as_u64()?;
        let values = object
            .into_iter()
            .filter(|(name, _)| name != "update")
            .filter_map(|(name, value)| value.as_f64().map(|v| (name, v)))
            .collect();
        Some(Self { update, values })
    }
}

/// The rows of a run folder, as far as they are readable: the last line may be half written.
///
/// # Errors
///
/// If the file cannot be read.
pub fn read(folder: &Path) -> Result<Vec<Row>, TrainError> {
    let path = folder.join(FILE);
    let text = std::fs::read_to_string(&path).map_err(TrainError::io("read", &path))?;
    Ok(text.lines().map_while(Row::parse).collect())
}

/// Writes rows to both places.
pub struct Metrics {
    lines: Record,
    events: Events,
}

impl Metrics {
    /// Goes on after `update`, with 0 from the beginning: what was recorded later is dropped.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read or written.
    pub fn resume(folder: &Path, update: u64) -> Result<Self, TrainError> {
        let lines = Record::resume(&folder.join(FILE), |line| {
            Row::parse(line).is_some_and(|row| row.update <= update)
        })?;
        Ok(Self { lines, events: Events::begin(folder, update + 1)? })
    }

    /// Writes a row to both places, through to the files.
    ///
    /// # Errors
    ///
    /// If either cannot be written.
    pub fn write(&mut self, row: &Row) -> Result<(), TrainError> {
        self.lines.push(&row.line())?;
        self.events.write(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(update: u64) -> Row {
        let mut row = Row::new(update);
        row.push("loss/policy", -0.25 * update as f64);
        row.push("time/seconds", 1.5);
        row
    }

    fn lines(folder: &Path) -> Vec<u64> {
        read(folder).expect("readable").iter().map(|row| row.update).collect()
    }

    #[test]
    fn rows_are_read_back_as_they_were_written() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut metrics = Metrics::resume(dir.path(), 0).expect("writable");
        let mut odd = row(2);
        odd.push("loss/value", f64::NAN);
        metrics.write(&row(1)).expect("written");
        metrics.write(&odd).expect("written");
        let rows = read(dir.path()).expect("readable");
        assert_eq!(rows[0], row(1));
        assert_eq!(rows[0].get("loss/policy"), Some(-0.25));
        assert_eq!(rows[1], row(2), "what is not a number is null, and is left out");
        let events = std::fs::read_dir(dir.path()).expect("a folder").flatten();
        let named = |e: &std::fs::DirEntry| e.file_name().to_string_lossy().contains("tfevents");
        assert_eq!(events.filter(named).count(), 1);
    }

    #[test]
    fn going_on_drops_what_came_after_the_checkpoint() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut metrics = Metrics::resume(dir.path(), 0).expect("writable");
        for update in 1..=5 {
            let mut row = row(update);
            row.push("policy/kl", 2.846_134_439_238_313e-8); // not what serde_json reads it as
            metrics.write(&row).expect("written");
        }
        drop(metrics);
        // A crash in the middle of a line.
        let path = dir.path().join(FILE);
        let text = std::fs::read_to_string(&path).expect("readable");
        let kept: Vec<&str> = text.lines().take(3).collect();
        std::fs::write(&path, format!("{text}{{\"update\":6,\"lo")).expect("written");
        assert_eq!(lines(dir.path()), [1, 2, 3, 4, 5]);
        let mut metrics = Metrics::resume(dir.path(), 3).expect("goes on");
        metrics.write(&row(4)).expect("written");
        assert_eq!(lines(dir.path()), [1, 2, 3, 4]);
        let text = std::fs::read_to_string(&path).expect("readable");
        assert_eq!(text.lines().take(3).collect::<Vec<_>>(), kept, "digit by digit");
        let unfinished = std::fs::read_dir(dir.path()).expect("a folder").flatten();
        assert_eq!(unfinished.filter(|e| e.file_name().as_encoded_bytes()[0] == b'.').count(), 0);
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        let message = Metrics::resume(Path::new("/nonexistent/run"), 0).err().expect("no folder");
        assert!(message.to_string().contains("/nonexistent/run/metrics.jsonl"), "{message}");
    }
}
