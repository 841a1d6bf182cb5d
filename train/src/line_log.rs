//! Files of a run folder that grow line by line. They are cut back when a run is resumed from an earlier
//! update.

use crate::TrainError;
use newmarket_checkpoints::write_whole;
use newmarket_env::files::read_text;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Bytes of the longest record of a run that is read.
pub(crate) const LONGEST_LOG: u64 = 1 << 30;

/// A file of lines, open at its end.
pub(crate) struct LineLog {
    path: PathBuf,
    lines: File,
}

impl LineLog {
    /// Keeps the lines before the first line that `keep` refuses, and appends after them. Creates a
    /// missing file.
    pub(crate) fn resume(path: &Path, keep: impl Fn(&str) -> bool) -> Result<Self, TrainError> {
        let text = match read_text(path, LONGEST_LOG) {
            // The run was killed before its first line.
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.map_err(TrainError::io("read", path))?,
        };
        // Copies the text: a number that is parsed and written again may end in another digit.
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
