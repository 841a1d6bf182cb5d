//! Reading: what is not wholly a checkpoint is refused, and it is said why.

use std::fs;
use std::path::Path;

use newmarket_net::{NamedArray, NetConfig, Weights};
use safetensors::SafeTensors;
use safetensors::tensor::Dtype;
use serde::Deserialize;

use crate::error::Error;
use crate::manifest::{
    Checkpoint, Encoding, KEY, Manifest, OPTIMIZER, SCHEMA, SEAL, SEAL_LEN, VERSION, WEIGHTS,
};
use crate::optimizer::{OptimizerError, OptimizerState, floats};
use crate::write::hash;

/// Largest file that is read at all; the largest network has a fraction of it.
const MAX_BYTES: u64 = 1 << 34;

/// What [`verify`] found to be in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Length of the file.
    pub bytes: u64,
    /// Updates done.
    pub update: u64,
    /// Decisions played.
    pub decisions: u64,
    /// The network.
    pub net: NetConfig,
    /// The encoding it reads.
    pub encoding: Encoding,
    /// BLAKE3 of its weights: their identity.
    pub weights_blake3: String,
    /// Whether its training could go on (the optimizer's state is there).
    pub resumable: bool,
}

/// Reads a file, checks every hash in it and the golden pass.
///
/// # Errors
///
/// Whatever [`Checkpoint::read`] refuses, and a golden pass that does not come out.
pub fn verify(path: &Path) -> Result<Summary, Error> {
    let bytes = load(path)?;
    let (checkpoint, manifest) = parse(path, &bytes)?;
    manifest.golden.check(&checkpoint.weights, path)?;
    Ok(Summary {
        bytes: bytes.len() as u64,
        update: checkpoint.run.update,
        decisions: checkpoint.run.decisions,
        net: manifest.net,
        encoding: checkpoint.run.encoding,
        weights_blake3: manifest.weights_blake3,
        resumable: checkpoint.optimizer.is_some(),
    })
}

impl Checkpoint {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it is not there, not a checkpoint, not whole, not what was written, or of another
    /// version of the format.
    pub fn read(path: &Path) -> Result<Self, Error> {
        Self::from_bytes(path, &load(path)?)
    }

    /// A checkpoint from the bytes of its file; `path` is only for the message.
    ///
    /// # Errors
    ///
    /// As [`Checkpoint::read`].
    pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        parse(path, bytes).map(|(checkpoint, _)| checkpoint)
    }

    /// Whether it was made for this encoding; `path` is only for the message.
    ///
    /// # Errors
    ///
    /// If it was made for another.
    pub fn check_encoding(&self, path: &Path, expected: Encoding) -> Result<(), Error> {
        let got = self.run.encoding;
        if got == expected {
            return Ok(());
        }
        Err(Error::Encoding { path: path.to_path_buf(), got, expected })
    }
}

fn load(path: &Path) -> Result<Vec<u8>, Error> {
    let about = fs::metadata(path).map_err(Error::io(path, "read"))?;
    if !about.is_file() {
        return Err(Error::foreign(path, if about.is_dir() { "a folder" } else { "not a file" }));
    }
    if about.len() > MAX_BYTES {
        return Err(Error::foreign(path, format!("{} bytes, far too many", about.len())));
    }
    fs::read(path).map_err(Error::io(path, "read"))
}

fn parse(path: &Path, bytes: &[u8]) -> Result<(Checkpoint, Manifest), Error> {
    let header = header(path, bytes)?;
    if bytes.len() != header.end {
        let (got, expected) = (bytes.len() as u64, header.end as u64);
        return Err(if got < expected {
            Error::Truncated { path: path.to_path_buf(), got, expected }
        } else {
            Error::corrupt(path, "its length")
        });
    }
    let Some(text) = header.manifest else {
        return Err(Error::foreign(path, "a safetensors file of something else"));
    };
    if header.sealed {
        let (body, seal) = bytes.split_at(bytes.len() - SEAL_LEN);
        if blake3::hash(body).as_bytes() != seal {
            return Err(Error::corrupt(path, "some part of it (its seal does not match)"));
        }
    }
    let kind: Kind =
        serde_json::from_str(&text).map_err(|e| Error::manifest(path, e.to_string()))?;
    if kind.schema != SCHEMA {
        return Err(Error::foreign(path, format!("its schema is `{}`", kind.schema)));
    }
    if !(1..=u64::from(VERSION)).contains(&kind.version) {
        let path = path.to_path_buf();
        return Err(Error::Version { path, got: kind.version, expected: VERSION });
    }
    // After the version: a later format may be sealed in another way.
    if !header.sealed {
        return Err(Error::corrupt(path, "its seal"));
    }
    let manifest =
        Manifest::parse(&text, kind.version).map_err(|e| Error::manifest(path, e.to_string()))?;
    let checkpoint = contents(path, bytes, &manifest)?;
    Ok((checkpoint, manifest))
}

/// The part of a manifest that every version has.
#[derive(Deserialize)]
struct Kind {
    schema: String,
    version: u64,
}

/// What the beginning of a file says.
struct Header {
    /// The length that the file should have.
    end: usize,
    manifest: Option<String>,
    /// Whether the seal is in its place.
    sealed: bool,
}

/// Reads the beginning by hand, since the crate does not tell truncated from foreign.
fn header(path: &Path, bytes: &[u8]) -> Result<Header, Error> {
    if bytes.is_empty() {
        return Err(Error::foreign(path, "an empty file"));
    }
    let length = bytes.first_chunk::<8>().map(|b| u64::from_le_bytes(*b));
    let opening = bytes.get(8);
    // Safetensors: eight bytes of length, which is below 100 million, then JSON.
    if length.is_some_and(|n| n > 100_000_000) || opening.is_some_and(|&b| b != b'{') {
        return Err(Error::foreign(path, "its beginning is that of another kind of file"));
    }
    let truncated = |expected: u64| Error::Truncated {
        path: path.to_path_buf(),
        got: bytes.len() as u64,
        expected,
    };
    let length = length.ok_or_else(|| truncated(8))?;
    let start = 8 + length as usize;
    let text = bytes.get(8..start).ok_or_else(|| truncated(8 + length))?;
    let json: serde_json::Value = serde_json::from_slice(text)
        .map_err(|_| Error::foreign(path, "its header is not JSON, or is corrupt"))?;
    let fields = json.as_object().ok_or_else(|| Error::foreign(path, "its header is no object"))?;
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

/// The tensors of a file whose seal and manifest are in order.
fn contents(path: &Path, bytes: &[u8], manifest: &Manifest) -> Result<Checkpoint, Error> {
    let file = SafeTensors::deserialize(bytes).map_err(|e| Error::manifest(path, e.to_string()))?;
    let weights_error = |source| Error::Weights { path: path.to_path_buf(), source };
    let optimizer_error = |source| Error::Optimizer { path: path.to_path_buf(), source };

    manifest.net.validate().map_err(|e| weights_error(e.into()))?;
    let mut arrays = Vec::new();
    for (name, _) in Weights::layout(&manifest.net) {
        let full = format!("{WEIGHTS}{name}");
        let tensor = file.tensor(&full).map_err(|e| Error::manifest(path, e.to_string()))?;
        if tensor.dtype() != Dtype::F32 {
            let reason = format!("tensor `{full}` is {}, must be F32", tensor.dtype());
            return Err(Error::manifest(path, reason));
        }
        let (shape, data) = (tensor.shape().to_vec(), floats(tensor.data()));
        arrays.push(NamedArray { name, shape, data });
    }
    let weights = Weights::from_arrays(&manifest.net, arrays).map_err(weights_error)?;
    if hash(weights.arrays()) != manifest.weights_blake3 {
        return Err(Error::corrupt(path, "the weights' hash"));
    }
    if manifest.golden.logits.len() != manifest.net.actions {
        let (got, expected) = (manifest.golden.logits.len(), manifest.net.actions);
        let reason = format!("the golden pass has {got} logits, must have {expected}");
        return Err(Error::manifest(path, reason));
    }

    let mut moments = Vec::new();
    for (full, tensor) in file.iter() {
        if let Some(name) = full.strip_prefix(OPTIMIZER) {
            let (name, dtype) = (name.to_string(), tensor.dtype());
            if dtype != Dtype::F32 {
                return Err(optimizer_error(OptimizerError::Type { name, got: dtype.to_string() }));
            }
            let (shape, data) = (tensor.shape().to_vec(), floats(tensor.data()));
            moments.push(NamedArray { name, shape, data });
        } else if full != SEAL && !full.starts_with(WEIGHTS) {
            return Err(Error::manifest(path, format!("unknown tensor `{full}`")));
        }
    }
    moments.sort_by(|a, b| a.name.cmp(&b.name));
    let optimizer = match &manifest.optimizer {
        Some(entry) if hash(&moments) != entry.blake3 => {
            return Err(Error::corrupt(path, "the optimizer's hash"));
        }
        Some(entry) => Some(OptimizerState {
            tensors: moments,
            scalars: entry.scalars.clone(),
            paths: entry.paths.clone(),
        }),
        None if moments.is_empty() => None,
        None => return Err(Error::manifest(path, "optimizer tensors without their entry")),
    };
    Ok(Checkpoint { run: manifest.run.clone(), weights, optimizer })
}
