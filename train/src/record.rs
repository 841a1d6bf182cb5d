//! Files of a run folder that grow by lines, and are cut back when the run goes on from earlier.

use crate::TrainError;
use newmarket_checkpoints::write_whole;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Such a file, open at its end.
pub(crate) struct Record {
    path: PathBuf,
    lines: File,
}

impl Record {
    /// Goes on after the lines up to the first that is not to be kept; a file that is not there is
    /// begun.
    pub(crate) fn resume(path: &Path, keep: impl Fn(&str) -> bool) -> Result<Self, TrainError> {
        let text = match std::fs::read_to_string(path) {
            // Killed before the first line.
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.map_err(TrainError::io("read", path))?,
        };
        // The lines themselves: a number that is read and written again may end in another digit.
        let kept: String =
            text.lines().take_while(|line| keep(line)).flat_map(|line| [line, "\n"]).collect();
        write_whole(path, kept.as_bytes())?;
        let open = OpenOptions::new().append(true).open(path);
        let lines = open.map_err(TrainError::io("write", path))?;
        Ok(Self { path: path.into(), lines })
    }

    /// Adds a line, through to the file.
    pub(crate) fn push(&mut self, line: &str) -> Result<(), TrainError> {
        let line = format!("{line}\n");
        self.lines.write_all(line.as_bytes()).map_err(TrainError::io("write", &self.path))
    }
}
