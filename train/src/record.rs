//! Files of a run folder that grow by lines, and are cut back when the run goes on from earlier.

use crate::TrainError;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Such a file, open at its end.
pub(crate) struct Record {
    path: PathBuf,
    lines: BufWriter<File>,
}

impl Record {
    /// Begins an empty one.
    pub(crate) fn create(path: &Path) -> Result<Self, TrainError> {
        let file = File::create(path).map_err(TrainError::io("create", path))?;
        Ok(Self { path: path.into(), lines: BufWriter::new(file) })
    }

    /// Goes on after the lines up to the first that is not to be kept.
    pub(crate) fn resume(path: &Path, keep: impl Fn(&str) -> bool) -> Result<Self, TrainError> {
        let text = std::fs::read_to_string(path).map_err(TrainError::io("read", path))?;
        // The lines themselves: a number that is read and written again may end in another digit.
        let kept: String =
            text.lines().take_while(|line| keep(line)).flat_map(|line| [line, "\n"]).collect();
        // A crash between these lines must not lose the record: write beside it, then rename.
        let mut beside = path.as_os_str().to_owned();
        beside.push(".new");
        let beside = PathBuf::from(beside);
        std::fs::write(&beside, kept).map_err(TrainError::io("write", &beside))?;
        std::fs::rename(&beside, path).map_err(TrainError::io("replace", path))?;
        let open = OpenOptions::new().append(true).open(path);
        let file = open.map_err(TrainError::io("write", path))?;
        Ok(Self { path: path.into(), lines: BufWriter::new(file) })
    }

    /// Adds a line, through to the file.
    pub(crate) fn push(&mut self, line: &str) -> Result<(), TrainError> {
        writeln!(self.lines, "{line}")
            .and_then(|()| self.lines.flush())
            .map_err(TrainError::io("write", &self.path))
    }
}
