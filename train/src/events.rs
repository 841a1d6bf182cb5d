//! The events that `TensorBoard` reads.
//!
//! A file for each call of the program, in the order of their names. The published crate's own
//! writer works on a thread and panics when the disk is full, so only its records are used.

use crate::TrainError;
use crate::metrics::Row;
use protobuf::Message as _;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tensorboard_proto::event::{Event, SessionLog, SessionLog_SessionStatus};
use tensorboard_rs::record_writer::RecordWriter;
use tensorboard_rs::summary::scalar;

/// A file of events that is being written.
pub(crate) struct Events {
    path: PathBuf,
    records: RecordWriter<BufWriter<File>>,
}

impl Events {
    /// A new file in a run folder, for the steps from `step` on: what `TensorBoard` knows of them
    /// from earlier files is stale.
    pub(crate) fn begin(folder: &Path, step: u64) -> Result<Self, TrainError> {
        let now = now();
        let (seconds, rest) = (now.as_secs(), now.subsec_nanos());
        let path = folder.join(format!("events.out.tfevents.{seconds:010}.{rest:09}"));
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

    /// The values of a row, through to the file.
    pub(crate) fn write(&mut self, row: &Row) -> Result<(), TrainError> {
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

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
