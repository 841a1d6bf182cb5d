//! An exported player as a safetensors file: what [`NetPlayer::from_bytes`](crate::NetPlayer::from_bytes)
//! reads.

use std::collections::HashMap;

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use half::f16;
use newmarket_net::NamedArray;
use safetensors::SafeTensorError;
use safetensors::tensor::{Dtype, TensorView};

use super::Export;
use crate::format_error::FormatError;
use crate::hash;
use crate::header::length_of_header;
use crate::manifest::KEY;

pub(super) fn bytes(export: &Export) -> Result<Vec<u8>, FormatError> {
    let manifest = export.manifest()?;
    let file = pack(export, manifest).map_err(|e| FormatError::manifest(e.to_string()))?;
    // As long a header as a reader takes.
    length_of_header(&file)?;
    Ok(file)
}

fn pack(export: &Export, manifest: String) -> Result<Vec<u8>, SafeTensorError> {
    let dtype = if export.is_half() { Dtype::F16 } else { Dtype::F32 };
    let values = |array: &NamedArray| match dtype {
        Dtype::F16 => halves(&array.data),
        _ => hash::bytes(&array.data),
    };
    let data: Vec<_> = export.weights.arrays().iter().map(|it| (it, values(it))).collect();
    let views = data.iter().map(|(array, bytes)| {
        Ok((&array.name, TensorView::new(dtype, array.shape.clone(), bytes)?))
    });
    let views = views.collect::<Result<Vec<_>, SafeTensorError>>()?;
    let metadata = HashMap::from([(KEY.to_string(), manifest)]);
    safetensors::serialize(views, Some(metadata))
}

/// Values that 16 bits hold, as little-endian bytes.
pub(super) fn halves(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|&value| f16::from_f32(value).to_le_bytes()).collect()
}
