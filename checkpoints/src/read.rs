//! Reading bytes: what is not wholly a checkpoint is refused, and the error says why.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use newmarket_env::Observation;
use newmarket_net::{NamedArray, NetConfig, Weights, WeightsError};
use safetensors::SafeTensors;
use safetensors::tensor::Dtype;
use serde::Deserialize;

use crate::format_error::FormatError;
use crate::hash::{floats, hash};
use crate::manifest::{
    Checkpoint, Encoding, KEY, MAX_HEADER, Manifest, OPTIMIZER, SCHEMA, SEAL, SEAL_LEN, VERSION,
    WEIGHTS,
};
use crate::optimizer::{OptimizerError, OptimizerState};

/// What a file holds, where every hash in it and the golden pass are in order.
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
    /// BLAKE3 of its weights: their identity.
    pub weights_blake3: String,
    /// Whether its training could go on (the optimizer's state is there).
    pub resumable: bool,
}

impl CheckpointSummary {
    /// Checks every hash in these bytes and the golden pass.
    ///
    /// # Errors
    ///
    /// Whatever [`Checkpoint::from_bytes`] refuses, and a golden pass that does not come out.
    pub fn verify(bytes: &[u8]) -> Result<Self, FormatError> {
        let (checkpoint, manifest) = parse(bytes)?;
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
    /// A checkpoint from the bytes of its file.
    ///
    /// # Errors
    ///
    /// If they are not a checkpoint, not whole, not what was written, or of another version of the
    /// format.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        parse(bytes).map(|(checkpoint, _)| checkpoint)
    }

    /// Whether it was made for this encoding.
    ///
    /// # Errors
    ///
    /// If it was made for another.
    pub fn check_encoding(&self, expected: Encoding) -> Result<(), FormatError> {
        let got = self.run.encoding;
        if got == expected { Ok(()) } else { Err(FormatError::Encoding { got, expected }) }
    }
}

fn parse(bytes: &[u8]) -> Result<(Checkpoint, Manifest), FormatError> {
    let header = header(bytes)?;
    if bytes.len() != header.end {
        let (got, expected) = (bytes.len() as u64, header.end as u64);
        return Err(if got < expected {
            FormatError::Truncated { got, expected }
        } else {
            FormatError::corrupt("its length")
        });
    }
    let Some(text) = header.manifest else {
        return Err(FormatError::foreign(OTHER));
    };
    if header.sealed {
        let (body, seal) = bytes.split_at(bytes.len() - SEAL_LEN);
        if blake3::hash(body).as_bytes() != seal {
            return Err(FormatError::corrupt("some part of it (its seal does not match)"));
        }
    }
    let kind: Kind =
        serde_json::from_str(&text).map_err(|e| FormatError::manifest(e.to_string()))?;
    if kind.schema != SCHEMA {
        return Err(FormatError::foreign(format!("its schema is `{}`", kind.schema)));
    }
    if !(1..=u64::from(VERSION)).contains(&kind.version) {
        return Err(FormatError::Version { got: kind.version, expected: VERSION });
    }
    // After the version: a later format may be sealed in another way.
    if !header.sealed {
        return Err(FormatError::corrupt("its seal"));
    }
    let manifest =
        Manifest::parse(&text, kind.version).map_err(|e| FormatError::manifest(e.to_string()))?;
    let checkpoint = contents(bytes, &manifest)?;
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

/// The length of the header, if these bytes say so much.
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

/// What does not begin as a safetensors file does.
const OTHER_KIND: &str = "its beginning is that of another kind of file";

/// Reads the beginning by hand, since the crate does not tell truncated from foreign.
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

/// Whether the network has the widths of its encoding, which is known of this program's only.
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

/// The length of a whole file that begins like this. All bytes up to the end of the header are
/// needed, and no more.
///
/// # Errors
///
/// If the beginning is not that of a checkpoint.
#[cfg(feature = "std")]
pub(crate) fn length_of(beginning: &[u8]) -> Result<u64, FormatError> {
    let header = header(beginning)?;
    if header.manifest.is_none() {
        return Err(FormatError::foreign(OTHER));
    }
    Ok(header.end as u64)
}

/// The length of the header that these first bytes announce, and of what stands before it.
#[cfg(feature = "std")]
pub(crate) fn length_of_header(beginning: &[u8]) -> Result<u64, FormatError> {
    opening(beginning).map(|length| length.map_or(0, |length| 8 + length))
}

/// A file that another program wrote.
const OTHER: &str = "a safetensors file of something else";

/// The tensors of a file whose seal and manifest are in order.
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
    Ok(Checkpoint { run: manifest.run.clone(), weights, optimizer })
}
