//! Reads files that a user names, up to a limit for each kind of file.

use crate::text::BYTE_ORDER_MARK;
use alloc::format;
use alloc::string::String;
use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Most bytes of a rules file or configuration: a thousand times as long as the longest so far.
pub const LONGEST_SETTINGS: u64 = 1 << 20;

/// The text of a file, pipe or device of at most `most` bytes. Of a longer one it reads no more than
/// that, and nothing if the length is known in advance. A byte order mark at the beginning is left out.
///
/// # Errors
/// If it cannot be read, is longer, or is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> Result<String> {
    let too_long = |found: &str| {
        let problem = format!("{found}: expected at most {most} bytes of text");
        Err(Error::new(ErrorKind::InvalidData, problem))
    };
    let file = File::open(path)?;
    let about = file.metadata()?;
    if about.is_file() && about.len() > most {
        return too_long(&format!("{} bytes", about.len()));
    }
    let mut bytes = alloc::vec::Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return too_long("it does not end");
    }
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    String::from_utf8(bytes).map_err(|error| {
        let end = error.utf8_error().valid_up_to();
        Error::new(ErrorKind::InvalidData, format!("not UTF-8 text (byte {end})"))
    })
}
