//! Arrays as bytes, and their hash.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use newmarket_net::NamedArray;

/// Values as little-endian bytes.
pub(crate) fn bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// Values from little-endian bytes.
pub(crate) fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

/// BLAKE3 of arrays in their order; for each its name, a zero byte, the number of dimensions and
/// each of them as `u64`, and the values as `f32`, little-endian.
pub(crate) fn hash(arrays: &[NamedArray]) -> String {
    let mut hasher = blake3::Hasher::new();
    for array in arrays {
        hasher.update(array.name.as_bytes()).update(&[0]);
        hasher.update(&(array.shape.len() as u64).to_le_bytes());
        for &dim in &array.shape {
            hasher.update(&(dim as u64).to_le_bytes());
        }
        hasher.update(&bytes(&array.data));
    }
    hasher.finalize().to_hex().to_string()
}
