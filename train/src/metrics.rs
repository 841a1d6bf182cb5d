//! The record of a run: rows of metrics as lines of JSON, and the same rows as `TensorBoard` events.
//!
//! `metrics.jsonl` has one object a line, in the order of the updates. Values under `time/` come from the
//! clock and differ between runs. All other values are the same for the same configuration. When a run is
//! resumed from a checkpoint, later rows are dropped, and `TensorBoard` is told to drop the same steps.

mod events;
mod quality;
mod row;

pub(crate) use quality::add_quality;
pub use row::MetricsRow;

use crate::TrainError;
use crate::line_log::{LONGEST_LOG, LineLog};
use events::Events;
use newmarket_env::files::read_text;
use std::path::Path;

/// The file of rows in a run folder.
pub const FILE: &str = "metrics.jsonl";

/// The rows of a run folder up to the first line that is not a row: the last line may be half written.
///
/// # Errors
///
/// If the file cannot be read.
pub fn read(folder: &Path) -> Result<Vec<MetricsRow>, TrainError> {
    let path = folder.join(FILE);
    let text = read_text(&path, LONGEST_LOG).map_err(TrainError::io("read", &path))?;
    Ok(text.lines().map_while(MetricsRow::parse).collect())
}

/// Writes rows to both places.
pub struct Metrics {
    lines: LineLog,
    events: Events,
}

impl Metrics {
    /// Continues after `update` (0: from the beginning) and drops later rows.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read or written.
    pub fn resume(folder: &Path, update: u64) -> Result<Self, TrainError> {
        let lines = LineLog::resume(&folder.join(FILE), |line| {
            MetricsRow::parse(line).is_some_and(|row| row.update <= update)
        })?;
        Ok(Self { lines, events: Events::begin(folder, update + 1)? })
    }

    /// Writes a row to both files, and flushes.
    ///
    /// # Errors
    ///
    /// If either cannot be written.
    pub fn write(&mut self, row: &MetricsRow) -> Result<(), TrainError> {
        self.lines.push(&row.line())?;
        self.events.write(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(update: u64) -> MetricsRow {
        let mut row = MetricsRow::new(update);
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
