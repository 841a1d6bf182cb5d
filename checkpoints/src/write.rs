//! Writing: the bytes of a checkpoint, and a file that is whole or not there.

use std::collections::HashMap;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use newmarket_net::NamedArray;
use safetensors::tensor::{Dtype, TensorView};

use crate::error::Error;
use crate::golden::Golden;
use crate::manifest::{
    Checkpoint, KEY, Manifest, OPTIMIZER, OptimizerEntry, SCHEMA, SEAL, SEAL_LEN, VERSION, WEIGHTS,
};
use crate::optimizer::bytes;

/// What the name of a file ends with while it is being written.
pub(crate) const UNFINISHED: &str = ".unfinished";

impl Checkpoint {
    /// The bytes of its file, the same for the same content; `path` is only for the message.
    ///
    /// # Errors
    ///
    /// If the manifest is larger than safetensors allows (100 MB).
    pub fn to_bytes(&self, path: &Path) -> Result<Vec<u8>, Error> {
        self.pack().map_err(|e| Error::manifest(path, e.to_string()))
    }

    fn pack(&self) -> Result<Vec<u8>, safetensors::SafeTensorError> {
        let manifest = Manifest {
            schema: SCHEMA.into(),
            version: VERSION,
            run: self.run.clone(),
            net: self.weights.config().clone(),
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
        // The crate sorts by the size of the type, then by name: the one `u8` tensor is the last.
        let body = file.len() - SEAL_LEN;
        let seal = blake3::hash(&file[..body]);
        file[body..].copy_from_slice(seal.as_bytes());
        Ok(file)
    }

    /// Writes it to a file, in place of one that may be there.
    ///
    /// # Errors
    ///
    /// If it cannot be a checkpoint (see [`Checkpoint::to_bytes`]) or the file system refuses; what was at `path` is then as it was.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        write_whole(path, &self.to_bytes(path)?)
    }
}

/// Writes a sibling, waits until the disk has it, and renames it: at every moment, and after a
/// loss of power, `path` is the old file or the new one.
///
/// # Errors
///
/// If the file system refuses; what was at `path` is then as it was.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let fail = || Error::io(path, "write");
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // Made by hand: what the crate makes by itself other users may not read, and its errors speak
    // of the sibling.
    let mut file = tempfile::Builder::new()
        .prefix(".")
        .suffix(UNFINISHED)
        .make_in(folder, |path| File::create_new(path))
        .map_err(fail())?;
    file.as_file_mut().write_all(bytes).map_err(fail())?;
    file.as_file().sync_all().map_err(fail())?;
    file.persist(path).map_err(|e| fail()(e.error))?;
    // A folder can be opened as a file, and so be waited for, on Unix only.
    if cfg!(unix) {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(fail())?;
    }
    Ok(())
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
