//! The event files of `TensorBoard`.
//!
//! Each call of the program writes one file. `TensorBoard` reads them in the order of their names, so a name counts on
//! from those in the folder: a clock may have been set back since. The writer of the published crate works on a
//! thread and panics when the disk is full, so only its records are used.

use super::row::MetricsRow;
use crate::TrainError;
use protobuf::Message as _;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tensorboard_proto::event::{Event, SessionLog, SessionLog_SessionStatus};
use tensorboard_rs::record_writer::RecordWriter;
use tensorboard_rs::summary::scalar;

/// The beginning of a name. Then come ten digits, by which the files are in order, and the first step.
const PREFIX: &str = "events.out.tfevents.";

/// An open event file.
pub(super) struct Events {
    path: PathBuf,
    records: RecordWriter<BufWriter<File>>,
}

impl Events {
    /// Creates a file in a run folder for the steps from `step` on. It tells `TensorBoard` to drop these
    /// steps of earlier files.
    pub(super) fn begin(folder: &Path, step: u64) -> Result<Self, TrainError> {
        let nth = next(folder).map_err(TrainError::io("read", folder))?;
        let path = folder.join(format!("{PREFIX}{nth:010}.{step:09}"));
        let file = File::create_new(&path).map_err(TrainError::io("create", &path))?;
        let mut events = Self { path, records: RecordWriter::new(BufWriter::new(file)) };
        let mut version = Event::new();
        version.set_file_version("brain.Event:2".into());
        let mut log = SessionLog::new();
        log.set_status(SessionLog_SessionStatus::START);
        let mut start = Event::new();
        start.set_session_log(log);
        start.set_step(step as i64);
        events.all([version, start])?;
        Ok(events)
    }

    /// Writes the values of a row, and flushes.
    pub(super) fn write(&mut self, row: &MetricsRow) -> Result<(), TrainError> {
        self.all(row.values.iter().map(|(name, value)| {
            let mut event = Event::new();
            event.set_summary(scalar(name, *value as f32));
            event.set_step(row.update as i64);
            event
        }))
    }

    fn all(&mut self, events: impl IntoIterator<Item = Event>) -> Result<(), TrainError> {
        let time = now().as_secs_f64();
        let write = || -> io::Result<()> {
            for mut event in events {
                event.set_wall_time(time);
                self.records.write(&event.write_to_bytes()?)?;
            }
            self.records.flush()
        };
        write().map_err(TrainError::io("write", &self.path))
    }
}

/// The number of the next file of a folder: one more than the greatest. Names of other versions have seconds there.
fn next(folder: &Path) -> io::Result<u64> {
    let mut last = 0;
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        let rest = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        let number = rest.and_then(|rest| rest.split('.').next()?.parse::<u64>().ok());
        last = last.max(number.unwrap_or(0));
    }
    Ok(last.saturating_add(1))
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tensorboard_rs::masked_crc32c::masked_crc32c;

    /// Length, its checksum, that many bytes, their checksum; again and again.
    fn read(mut bytes: &[u8]) -> Vec<Event> {
        let mut take = |count: usize| {
            let (taken, rest) = bytes.split_at_checked(count)?;
            bytes = rest;
            Some(taken)
        };
        let mut events = Vec::new();
        while let Some(length) = take(8) {
            assert_eq!(take(4), Some(&masked_crc32c(length).to_le_bytes()[..]));
            let length = u64::from_le_bytes(length.try_into().expect("eight")) as usize;
            let event = take(length).expect("whole");
            assert_eq!(take(4), Some(&masked_crc32c(event).to_le_bytes()[..]));
            events.push(Event::parse_from_bytes(event).expect("an event"));
        }
        events
    }

    #[test]
    fn files_are_in_the_order_of_the_run_whatever_the_clock_says() {
        let dir = tempfile::tempdir().expect("a folder");
        // As another version named it, by a clock that was far ahead.
        let by_the_clock = dir.path().join(format!("{PREFIX}4102444800.000000001"));
        std::fs::write(&by_the_clock, "").expect("written");
        let mut begun = vec![by_the_clock];
        for step in [1, 40, 12, 12] {
            begun.push(Events::begin(dir.path(), step).expect("writable").path);
        }
        let mut sorted = begun.clone();
        sorted.sort();
        assert_eq!(sorted, begun);
    }

    #[test]
    fn a_file_says_where_it_begins_and_holds_the_rows() {
        let dir = tempfile::tempdir().expect("a folder");
        for (step, value) in [(1, 0.5), (7, 0.25)] {
            let mut events = Events::begin(dir.path(), step).expect("writable");
            let mut row = MetricsRow::new(step);
            row.push("loss/policy", value);
            events.write(&row).expect("written");
        }
        let entries = std::fs::read_dir(dir.path()).expect("a folder").flatten();
        let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
        files.sort();
        for (file, (step, value)) in files.iter().zip([(1, 0.5), (7, 0.25)]) {
            let events = read(&std::fs::read(file).expect("readable"));
            let [version, start, row] = &events[..] else { panic!("{events:?}") };
            assert_eq!(version.get_file_version(), "brain.Event:2");
            assert_eq!(start.get_session_log().get_status(), SessionLog_SessionStatus::START);
            assert_eq!((start.get_step(), row.get_step()), (step, step));
            let [scalar] = row.get_summary().get_value() else { panic!("{row:?}") };
            assert_eq!((scalar.get_tag(), scalar.get_simple_value()), ("loss/policy", value));
            assert!(row.get_wall_time() > 1.7e9);
        }
        assert_eq!(files.len(), 2);
    }
}
