//! Reading files that a user names: never more than the longest of their kind can have.

use alloc::format;
use alloc::string::String;
use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Bytes of the longest rules file or configuration: a thousand times those that there are.
pub const LONGEST_SETTINGS: u64 = 1 << 20;

/// The text of a file of at most so many bytes, of a pipe or a device, too. Of what is longer no
/// more than that is read, and nothing if its length is known before.
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
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::new(ErrorKind::InvalidData, format!("not UTF-8 text (byte {at})"))
    })
}
