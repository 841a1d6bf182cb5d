//! A player as arrays of numpy: an uncompressed zip of `.npy` files, one an array, and the metadata as
//! the bytes of a JSON text in `metadata`.
//!
//! <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::safetensors::halves;
use super::{Export, zip};
use crate::format_error::FormatError;
use crate::hash::bytes as singles;

pub(super) fn bytes(export: &Export) -> Result<Vec<u8>, FormatError> {
    let manifest = export.manifest()?;
    let mut entries = Vec::new();
    for array in export.weights.arrays() {
        let (kind, bytes) = if export.is_half() {
            ("<f2", halves(&array.data))
        } else {
            ("<f4", singles(&array.data))
        };
        entries.push((format!("{}.npy", array.name), npy(kind, &array.shape, &bytes)));
    }
    entries.push(("metadata.npy".into(), npy("|u1", &[manifest.len()], manifest.as_bytes())));
    Ok(zip::stored(&entries))
}

/// Version 1.0 of the format: the header ends at a multiple of 64.
fn npy(kind: &str, shape: &[usize], bytes: &[u8]) -> Vec<u8> {
    let dims: Vec<String> = shape.iter().map(|dim| format!("{dim},")).collect();
    let dict =
        format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({}), }}", dims.join(" "));
    let start = (10 + dict.len() + 1).next_multiple_of(64);
    let header = format!("{dict:<0$}\n", start - 11);
    let length = (header.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), bytes].concat()
}
