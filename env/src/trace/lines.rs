//! The records of a trace file.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use std::io::{BufRead, Read};

use super::record::{Record, TraceFault};

/// Most bytes of a line of a trace: far more than the longest deal needs.
const LONGEST_LINE: u64 = 4 << 20;

/// The records of a trace file with their line numbers, read one at a time; the first fault ends the
/// iterator.
pub fn lines(mut from: impl BufRead) -> impl Iterator<Item = Result<(usize, Record), TraceFault>> {
    let mut line = 0;
    let mut over = false;
    core::iter::from_fn(move || {
        if over {
            return None;
        }
        line += 1;
        let record = read_line(&mut from, line).transpose()?.and_then(|text| {
            let record = Record::parse(&text, line)?;
            Ok((line, record))
        });
        over = record.is_err();
        Some(record)
    })
}

/// A line without its end; `None` at the end of the file.
fn read_line(from: &mut impl BufRead, line: usize) -> Result<Option<String>, TraceFault> {
    let fault = |problem: String| TraceFault { line, event: None, problem };
    let mut bytes = Vec::new();
    from.by_ref()
        .take(LONGEST_LINE)
        .read_until(b'\n', &mut bytes)
        .map_err(|error| fault(format!("cannot be read: {error}")))?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() as u64 == LONGEST_LINE {
        return Err(fault("longer than 4 MiB: expected one deal a line".into()));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let column = error.utf8_error().valid_up_to() + 1;
        fault(format!("not UTF-8 (column {column})"))
    })?;
    if text.trim().is_empty() {
        return Err(fault("an empty line: expected one deal a line".into()));
    }
    Ok(Some(text))
}
