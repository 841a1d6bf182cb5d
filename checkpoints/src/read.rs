//! Reads checkpoints from bytes, and checks them completely.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use newmarket_env::Observation;
use newmarket_net::{NamedArray, NetConfig, Weights, WeightsError};
use safetensors::SafeTensors;
use safetensors::tensor::Dtype;

use crate::format_error::FormatError;
use crate::hash::{floats, hash};
use crate::header::{Kind, Whole};
use crate::manifest::{
    Checkpoint, Encoding, LIKELIEST, Manifest, OPTIMIZER, SCHEMA, SEAL, SEAL_LEN, VERSION, WEIGHTS,
    version_of,
};
use crate::optimizer::{OptimizerError, OptimizerState};
use crate::player::PLAYER;

/// A summary of a file whose hashes and golden pass are right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckpointSummary {
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
    /// BLAKE3 of its weights: the identity of a player.
    pub weights_blake3: String,
    /// Whether its training can be resumed: it has the optimizer's state.
    pub resumable: bool,
}

impl CheckpointSummary {
    /// Checks all hashes in these bytes and the golden pass.
    ///
    /// # Errors
    ///
    /// The errors of [`Checkpoint::from_bytes`], or a golden pass with another result.
    pub fn verify(bytes: &[u8]) -> Result<Self, FormatError> {
        let (checkpoint, manifest) = parse(&Whole::read(bytes)?)?;
        manifest.golden.check(&checkpoint.weights)?;
        Ok(Self {
            bytes: bytes.len() as u64,
            update: checkpoint.run.update,
            decisions: checkpoint.run.decisions,
            net: manifest.net,
            encoding: checkpoint.run.encoding,
            weights_blake3: manifest.weights_blake3,
            resumable: checkpoint.optimizer.is_some(),
        })
    }
}

impl Checkpoint {
    /// Reads a checkpoint from the bytes of its file.
    ///
    /// # Errors
    ///
    /// If the bytes are no checkpoint, truncated, damaged, or of another version of the format.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        parse(&Whole::read(bytes)?).map(|(checkpoint, _)| checkpoint)
    }

    /// Checks the encoding.
    ///
    /// # Errors
    ///
    /// If the network has another encoding.
    pub fn check_encoding(&self, expected: Encoding) -> Result<(), FormatError> {
        self.run.encoding.check(expected)
    }
}

/// The contents of a checkpoint, and its manifest.
pub(crate) fn parse(file: &Whole) -> Result<(Checkpoint, Manifest), FormatError> {
    if file.sealed {
        let (body, seal) = file.bytes.split_at(file.bytes.len() - SEAL_LEN);
        if blake3::hash(body).as_bytes() != seal {
            return Err(FormatError::corrupt("some part of it (its seal does not match)"));
        }
    }
    let kind = Kind::parse(&file.manifest)?;
    match &*kind.schema {
        SCHEMA => {}
        PLAYER => return Err(FormatError::Exported),
        other => return Err(FormatError::foreign(format!("its schema is `{other}`"))),
    }
    if ![LIKELIEST, VERSION].map(u64::from).contains(&kind.version) {
        return Err(FormatError::Version { got: kind.version });
    }
    // Checked after the version: a later format may have another seal.
    if !file.sealed {
        return Err(FormatError::corrupt("its seal"));
    }
    let manifest: Manifest =
        serde_json::from_str(&file.manifest).map_err(|e| FormatError::manifest(e.to_string()))?;
    if manifest.version < version_of(&manifest.plays) {
        return Err(FormatError::manifest(format!("`plays` needs version {VERSION}")));
    }
    let checkpoint = contents(file.bytes, &manifest)?;
    Ok((checkpoint, manifest))
}

/// Whether the network has the widths of its encoding. Only the widths of this program's encoding are
/// known.
fn check_widths(manifest: &Manifest) -> Result<(), FormatError> {
    if manifest.run.encoding != Encoding::current() {
        return Ok(());
    }
    let NetConfig { inputs, actions, .. } = manifest.net;
    let widths =
        [("inputs", inputs, Observation::LEN), ("actions", actions, newmarket_env::Action::COUNT)];
    match widths.into_iter().find(|(_, got, expected)| got != expected) {
        Some((what, got, expected)) => Err(FormatError::Widths { what, got, expected }),
        None => Ok(()),
    }
}

/// The tensors of a file whose seal and manifest are right.
fn contents(bytes: &[u8], manifest: &Manifest) -> Result<Checkpoint, FormatError> {
    let file = SafeTensors::deserialize(bytes).map_err(|e| FormatError::manifest(e.to_string()))?;

    manifest.net.validate().map_err(WeightsError::from)?;
    let mut arrays = Vec::new();
    check_widths(manifest)?;
    for (name, _) in Weights::layout(&manifest.net) {
        let full = format!("{WEIGHTS}{name}");
        let tensor = file.tensor(&full).map_err(|e| FormatError::manifest(e.to_string()))?;
        if tensor.dtype() != Dtype::F32 {
            let reason = format!("tensor `{full}` is {}, must be F32", tensor.dtype());
            return Err(FormatError::manifest(reason));
        }
        let (shape, data) = (tensor.shape().to_vec(), floats(tensor.data()));
        arrays.push(NamedArray { name, shape, data });
    }
    let weights = Weights::from_arrays(&manifest.net, arrays)?;
    if hash(weights.arrays()) != manifest.weights_blake3 {
        return Err(FormatError::corrupt("the weights' hash"));
    }
    if manifest.golden.logits.len() != manifest.net.actions {
        let (got, expected) = (manifest.golden.logits.len(), manifest.net.actions);
        let reason = format!("the golden pass has {got} logits, must have {expected}");
        return Err(FormatError::manifest(reason));
    }

    let layout = Weights::layout(&manifest.net);
    let is_weight = |full: &str| {
        let name = full.strip_prefix(WEIGHTS);
        name.is_some_and(|name| layout.iter().any(|(known, _)| known == name))
    };
    let mut moments = Vec::new();
    for (full, tensor) in file.iter() {
        if let Some(name) = full.strip_prefix(OPTIMIZER) {
            let (name, dtype) = (name.to_string(), tensor.dtype());
            if dtype != Dtype::F32 {
                let got = dtype.to_string();
                return Err(OptimizerError::Type { name, got }.into());
            }
            let (shape, data) = (tensor.shape().to_vec(), floats(tensor.data()));
            moments.push(NamedArray { name, shape, data });
        } else if full != SEAL && !is_weight(full) {
            return Err(FormatError::manifest(format!("unknown tensor `{full}`")));
        }
    }
    moments.sort_by(|a, b| a.name.cmp(&b.name));
    let optimizer = match &manifest.optimizer {
        Some(entry) if hash(&moments) != entry.blake3 => {
            return Err(FormatError::corrupt("the optimizer's hash"));
        }
        Some(entry) => {
            let (scalars, paths) = (entry.scalars.clone(), entry.paths.clone());
            let state = OptimizerState { tensors: moments, scalars, paths };
            state.check(&manifest.net)?;
            Some(state)
        }
        None if moments.is_empty() => None,
        None => return Err(FormatError::manifest("optimizer tensors without their entry")),
    };
    Ok(Checkpoint { run: manifest.run.clone(), weights, plays: manifest.plays, optimizer })
}
