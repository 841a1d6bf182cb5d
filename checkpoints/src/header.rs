//! The header of a safetensors file.

use alloc::format;
use alloc::string::{String, ToString as _};

use serde::Deserialize;

use crate::format_error::FormatError;
use crate::manifest::{KEY, MAX_HEADER, SEAL, SEAL_LEN};

/// The fields of a manifest that every version has.
#[derive(Deserialize)]
pub(crate) struct Kind {
    pub(crate) schema: String,
    pub(crate) version: u64,
}

impl Kind {
    pub(crate) fn parse(manifest: &str) -> Result<Self, FormatError> {
        serde_json::from_str(manifest).map_err(|e| FormatError::manifest(e.to_string()))
    }
}

/// A file of the right length.
pub(crate) struct Whole<'b> {
    pub(crate) bytes: &'b [u8],
    pub(crate) manifest: String,
    /// Whether the seal is in its place.
    pub(crate) sealed: bool,
}

impl<'b> Whole<'b> {
    pub(crate) fn read(bytes: &'b [u8]) -> Result<Self, FormatError> {
        let header = header(bytes)?;
        let (got, expected) = (bytes.len() as u64, header.end as u64);
        if got < expected {
            return Err(FormatError::Truncated { got, expected });
        }
        if got > expected {
            return Err(FormatError::corrupt("its length"));
        }
        let manifest = header.manifest.ok_or_else(|| FormatError::foreign(OTHER))?;
        Ok(Self { bytes, manifest, sealed: header.sealed })
    }
}

/// The contents of a header.
struct Header {
    /// The length that the file should have.
    end: usize,
    manifest: Option<String>,
    /// Whether the seal is in its place.
    sealed: bool,
}

/// The length of the header, or `None` if there are too few bytes.
fn opening(bytes: &[u8]) -> Result<Option<u64>, FormatError> {
    if bytes.is_empty() {
        return Err(FormatError::foreign("an empty file"));
    }
    let length = bytes.first_chunk::<8>().map(|b| u64::from_le_bytes(*b));
    // Safetensors: eight bytes of length, then JSON.
    let json = bytes.get(8).is_none_or(|&b| b == b'{');
    match length {
        Some(n) if n > MAX_HEADER as u64 && n <= 100_000_000 && json => Err(FormatError::manifest(
            format!("a header of {n} bytes, at most {MAX_HEADER} are read"),
        )),
        Some(n) if n > MAX_HEADER as u64 => Err(FormatError::foreign(OTHER_KIND)),
        _ if !json => Err(FormatError::foreign(OTHER_KIND)),
        length => Ok(length),
    }
}

/// An error for a file that is no safetensors file.
const OTHER_KIND: &str = "it is another kind of file";

/// Reads the header by hand: the crate does not distinguish truncated files from others.
fn header(bytes: &[u8]) -> Result<Header, FormatError> {
    let length = opening(bytes)?;
    let truncated = |expected: u64| FormatError::Truncated { got: bytes.len() as u64, expected };
    let length = length.ok_or_else(|| truncated(8))?;
    let start = 8 + length as usize;
    let text = bytes.get(8..start).ok_or_else(|| truncated(8 + length))?;
    let json: serde_json::Value = serde_json::from_slice(text)
        .map_err(|_| FormatError::foreign("its header is not JSON, or is corrupt"))?;
    let fields = json.as_object().ok_or_else(|| FormatError::foreign("its header is no object"))?;
    let span = |entry: &serde_json::Value| {
        let offsets = entry.get("data_offsets")?;
        Some((offsets.get(0)?.as_u64()? as usize, offsets.get(1)?.as_u64()? as usize))
    };
    let data = fields.values().filter_map(span).map(|(_, end)| end).max().unwrap_or(0);
    let seal = fields.get(SEAL).and_then(span);
    Ok(Header {
        end: start.saturating_add(data),
        manifest: json["__metadata__"][KEY].as_str().map(Into::into),
        sealed: seal.is_some_and(|(from, to)| to == data && from.checked_add(SEAL_LEN) == Some(to)),
    })
}

/// The length of the whole file. Needs all bytes up to the end of the header.
///
/// # Errors
///
/// If this is not the header of a checkpoint.
#[cfg(feature = "std")]
pub(crate) fn length_of(beginning: &[u8]) -> Result<u64, FormatError> {
    let header = header(beginning)?;
    if header.manifest.is_none() {
        return Err(FormatError::foreign(OTHER));
    }
    Ok(header.end as u64)
}

/// The length of the header with the bytes before it, by the first bytes of a file.
#[cfg(feature = "std")]
pub(crate) fn length_of_header(beginning: &[u8]) -> Result<u64, FormatError> {
    opening(beginning).map(|length| length.map_or(0, |length| 8 + length))
}

/// An error for a safetensors file of another program.
const OTHER: &str = "a safetensors file whose metadata has no `newmarket` (FORMAT.md says what an imported one needs)";
