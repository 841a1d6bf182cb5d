//! `newmarket checkpoint export` and `import`.

use std::path::{Path, PathBuf};

use newmarket_checkpoints::export::{Format, Precision};
use newmarket_checkpoints::{NetPlayer, resolve, roster};

use crate::failure::{At, Failure, Result};
use crate::output::{self, Output};
use crate::terminal;

#[derive(clap::Args)]
#[command(
    after_help = "docs/EXPORT.md describes the files, docs/ENCODING.md the inputs of a network. In Three in \
                        One the\nreleased players set their five poker cards apart by a fixed rule; a \
                        program that uses the file must do so, too."
)]
pub(crate) struct ExportArgs {
    /// A checkpoint, a run folder (its best checkpoint, else its newest), an exported player, or net:NAME.
    ///
    /// A player with a temperature, as net:easy, keeps it. A player with search is refused.
    path: PathBuf,
    /// The format of the file.
    #[arg(long)]
    format: FileFormat,
    /// Write weights of 16 bits, for half the size.
    #[arg(long)]
    f16: bool,
    /// Write whole numbers, as this program plays with them: the same logits to the bit. ONNX alone; slower.
    #[arg(long, conflicts_with = "f16")]
    exact: bool,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(clap::Args)]
#[command(after_help = "docs/EXPORT.md describes the file.")]
pub(crate) struct ImportArgs {
    /// A safetensors file: an exported player, or weights of another program with the same names and
    /// shapes.
    file: PathBuf,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum FileFormat {
    /// Weights by name; this program reads this format, too.
    Safetensors,
    /// Arrays for numpy.
    Npz,
    /// A model for onnxruntime and others.
    Onnx,
}

pub(super) fn export(args: &ExportArgs) -> Result {
    let path = match args.path.to_str().and_then(roster::network) {
        Some(network) if network.calculates.is_some() => {
            let (whole, alone) = (args.path.display(), network.path.display());
            return Err(Failure::user(format!(
                "{whole}: a player that calculates its leads cannot be exported; expected net:{alone}"
            )));
        }
        Some(network) => network.path,
        None => &args.path,
    };
    let player = roster::net_player(path)?;
    check_is_no_input(path, &args.out)?;
    let format = match args.format {
        FileFormat::Safetensors => Format::Safetensors,
        FileFormat::Npz => Format::Npz,
        FileFormat::Onnx => Format::Onnx,
    };
    let precision = match (args.exact, args.f16) {
        (true, _) => Precision::Exact,
        (false, true) => Precision::Half,
        (false, false) => Precision::Single,
    };
    let bytes = player.export(format, precision).at(args.path.display())?;
    write(&bytes, &args.out)?;
    let (out, from) = (args.out.display(), args.path.display());
    terminal::print(format!("{out}: {from}, {} bytes", bytes.len()))
}

pub(super) fn import(args: &ImportArgs) -> Result {
    check_is_no_input(&args.file, &args.out)?;
    let checkpoint = NetPlayer::read(&args.file)?.into_checkpoint().at(args.file.display())?;
    let bytes = checkpoint.to_bytes().at(args.out.display())?;
    write(&bytes, &args.out)?;
    let (out, weights) = (args.out.display(), checkpoint.weights_hash());
    terminal::print(format!("{out}: a player, net:{out}; weights {}", &weights[..16]))
}

/// Refuses to overwrite the file that is read.
pub(super) fn check_is_no_input(path: &Path, out: &Path) -> Result {
    let read = resolve(path);
    let read = read.as_deref().unwrap_or(path);
    output::check_is_no_input("--out", out, read, "the input file")
}

pub(super) fn write(bytes: &[u8], path: &Path) -> Result {
    let mut out = Output::open(Some(path))?;
    out.write_bytes(bytes)?;
    out.finish()
}
