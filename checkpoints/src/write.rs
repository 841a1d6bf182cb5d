//! Writes the bytes of a checkpoint.

use std::collections::HashMap;

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec;
use alloc::vec::Vec;

use safetensors::tensor::{Dtype, TensorView};

use crate::format_error::FormatError;
use crate::golden::Golden;
use crate::hash::{bytes, hash};
use crate::header::length_of_header;
use crate::manifest::{
    Checkpoint, KEY, Manifest, OPTIMIZER, OptimizerEntry, SCHEMA, SEAL, SEAL_LEN, WEIGHTS,
    version_of,
};

impl Checkpoint {
    /// The bytes of the file. The same content gives the same bytes.
    ///
    /// # Errors
    ///
    /// If the manifest is longer than a reader takes (8 MiB).
    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        let file = self.pack().map_err(|e| FormatError::manifest(e.to_string()))?;
        length_of_header(&file)?;
        Ok(file)
    }

    fn pack(&self) -> Result<Vec<u8>, safetensors::SafeTensorError> {
        let manifest = Manifest {
            schema: SCHEMA.into(),
            version: version_of(&self.plays),
            run: self.run.clone(),
            net: self.weights.config().clone(),
            plays: self.plays,
            weights_blake3: hash(self.weights.arrays()),
            optimizer: self.optimizer.as_ref().map(|state| OptimizerEntry {
                blake3: hash(&state.tensors),
                scalars: state.scalars.clone(),
                paths: state.paths.clone(),
            }),
            golden: Golden::of(&self.weights),
        };
        let manifest = serde_json::to_string(&manifest)?;

        let weights = self.weights.arrays().iter().map(|a| (WEIGHTS, a));
        let moments = self.optimizer.iter().flat_map(|s| &s.tensors).map(|a| (OPTIMIZER, a));
        let data: Vec<(String, Dtype, &[usize], Vec<u8>)> = weights
            .chain(moments)
            .map(|(prefix, a)| {
                (format!("{prefix}{}", a.name), Dtype::F32, &a.shape[..], bytes(&a.data))
            })
            .chain([(SEAL.to_string(), Dtype::U8, &[SEAL_LEN][..], vec![0; SEAL_LEN])])
            .collect();
        let views = data
            .iter()
            .map(|(name, dtype, shape, bytes)| {
                Ok((name, TensorView::new(*dtype, shape.to_vec(), bytes)?))
            })
            .collect::<Result<Vec<_>, safetensors::SafeTensorError>>()?;

        let metadata = HashMap::from([(KEY.to_string(), manifest)]);
        let mut file = safetensors::serialize(views, Some(metadata))?;
        // The crate sorts by the size of the type, then by name, so the one `u8` tensor is the last.
        let body = file.len() - SEAL_LEN;
        let seal = blake3::hash(&file[..body]);
        file[body..].copy_from_slice(seal.as_bytes());
        Ok(file)
    }
}
