//! The faults of the bytes of a checkpoint.

use alloc::string::String;

use newmarket_net::WeightsError;

use crate::manifest::{self, Encoding};
use crate::optimizer::OptimizerError;

/// Why bytes are not a checkpoint that can be used here, and what would be right, in one line.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FormatError {
    /// Some other kind of file.
    #[error(
        "not a network: {found}; expected a checkpoint, as update-000120.ckpt, or a player exported as \
         safetensors"
    )]
    Foreign {
        /// What it is instead.
        found: String,
    },
    /// The beginning of a checkpoint.
    #[error(
        "truncated: {got} bytes, must be {expected}; copy it again or use an earlier checkpoint"
    )]
    Truncated {
        /// Its length.
        got: u64,
        /// The least length it must have, or exactly that where its header still says so.
        expected: u64,
    },
    /// A checkpoint whose bytes have changed since it was written.
    #[error("corrupt: {part} is not what was written; copy it again or use an earlier checkpoint")]
    Corrupt {
        /// Which part does not match.
        part: &'static str,
    },
    /// A checkpoint of another version of the format.
    #[error(
        "checkpoint format version {got}, this program reads versions {} and {}; use the program that \
         wrote it, or train anew",
        manifest::LIKELIEST,
        manifest::VERSION
    )]
    Version {
        /// The file's version.
        got: u64,
    },
    /// A player that was written for other programs.
    #[error(
        "an exported player, which is no checkpoint: use it as net:FILE, or make a checkpoint of it \
         with `newmarket checkpoint import`"
    )]
    Exported,
    /// An exported player of another version of its format.
    #[error(
        "exported player of version {got}, this program reads versions {} and {}",
        manifest::PLAYER_LIKELIEST,
        manifest::PLAYER_VERSION
    )]
    PlayerVersion {
        /// The file's version.
        got: u64,
    },
    /// An exported player that errs on purpose, where a checkpoint is asked for.
    #[error(
        "a player with temperature {by}, which a checkpoint cannot say: play it as net:FILE, or \
         export it without, as net:champion"
    )]
    Tempered {
        /// What its logits are divided by.
        by: f32,
    },
    /// Weights from elsewhere whose sums are no numbers of 32 bits for some input.
    #[error("the weights are so large that outputs can be infinite; train them anew")]
    Overflow,
    /// A weight that 16 bits do not hold.
    #[error("`{name}` holds {value}, which is too large for f16; export it without --f16")]
    TooLarge {
        /// The name of the array.
        name: String,
        /// The weight.
        value: f32,
    },
    /// A network for which the formats of other programs are not made.
    #[error("a network of {got} parameters, at most {most} are exported")]
    TooMany {
        /// How many it has.
        got: usize,
        /// How many it may have.
        most: usize,
    },
    /// A file without room for whole numbers.
    #[error("only onnx can be exact: expected --format onnx")]
    NotExact,
    /// Sealed bytes whose manifest does not say what a manifest must.
    #[error("manifest: {reason}; see FORMAT.md")]
    Manifest {
        /// The fault.
        reason: String,
    },
    /// Tensors that are not the weights of the network that the manifest names.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// Optimizer tensors that are not an optimizer's state.
    #[error(transparent)]
    Optimizer(#[from] OptimizerError),
    /// The network was trained on another encoding of the table.
    #[error(
        "made for encoding version {} ({:016x}), this program has version {} ({:016x}); use the program that made it, or train anew",
        got.version, got.fingerprint, expected.version, expected.fingerprint
    )]
    Encoding {
        /// The file's.
        got: Encoding,
        /// The program's.
        expected: Encoding,
    },
    /// A network for the encoding of this program that has other widths than that.
    #[error(
        "network: `{what}` is {got}, must be {expected} with encoding version {}",
        newmarket_env::encode::VERSION
    )]
    Widths {
        /// `inputs` or `actions`.
        what: &'static str,
        /// The network's.
        got: usize,
        /// The encoding's.
        expected: usize,
    },
    /// Inference here does not give what it gave where the file was written.
    #[error(
        "golden pass: {output} is {got}, must be {expected}; inference differs from the writer's"
    )]
    Golden {
        /// Which output, as in `logit 3` or `value`.
        output: String,
        /// What this program computes.
        got: f32,
        /// What the file says.
        expected: f32,
    },
}

impl FormatError {
    pub(crate) fn foreign(found: impl Into<String>) -> Self {
        Self::Foreign { found: found.into() }
    }

    pub(crate) fn manifest(reason: impl Into<String>) -> Self {
        Self::Manifest { reason: reason.into() }
    }

    pub(crate) fn corrupt(part: &'static str) -> Self {
        Self::Corrupt { part }
    }
}
