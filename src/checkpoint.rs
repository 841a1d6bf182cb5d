//! `newmarket checkpoint`.

use std::path::PathBuf;

use newmarket_checkpoints::{Checkpoint, Encoding, resolve, verify};

use crate::terminal;

/// Show what a checkpoint is, or verify that it is whole.
#[derive(clap::Subcommand)]
#[command(after_help = "Example:\n  newmarket checkpoint show runs/quick\n  \
                        newmarket checkpoint verify runs/quick/checkpoints/best.ckpt")]
pub(crate) enum CheckpointCommand {
    /// Say what a checkpoint is: network, rules, seed, progress, configuration.
    Show(CheckpointArgs),
    /// Write the player alone: the network and how it came about, without what its training needs.
    Release(ReleaseArgs),
    /// Check every hash in a checkpoint, and that its network computes here what it did there.
    Verify(CheckpointArgs),
}

#[derive(clap::Args)]
pub(crate) struct CheckpointArgs {
    /// A checkpoint, or a run folder: then its best, else its newest.
    path: PathBuf,
}

#[derive(clap::Args)]
pub(crate) struct ReleaseArgs {
    /// A checkpoint, or a run folder: then its best, else its newest.
    path: PathBuf,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl CheckpointCommand {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Show(args) => show(&resolve(&args.path)?),
            Self::Release(args) => release(&resolve(&args.path)?, &args.out),
            Self::Verify(args) => check(&resolve(&args.path)?),
        }
    }
}

fn show(path: &std::path::Path) -> anyhow::Result<()> {
    let summary = verify(path)?;
    let run = Checkpoint::read(path)?.run;
    let readable = summary.encoding == Encoding::current();
    let facts = [
        ("file", format!("{}, {} bytes", path.display(), summary.bytes)),
        ("network", format!("{:?}, {} parameters", summary.net.hidden, summary.net.parameters())),
        ("weights", summary.weights_blake3),
        (
            "encoding",
            format!(
                "version {}, {:016x}{}",
                summary.encoding.version,
                summary.encoding.fingerprint,
                if readable { "" } else { " (not this program's)" }
            ),
        ),
        ("progress", format!("update {}, {} decisions", summary.update, summary.decisions)),
        ("seed", run.seed.to_string()),
        ("resumable", if summary.resumable { "yes" } else { "no (weights alone)" }.into()),
    ];
    for (name, value) in facts {
        terminal::print(format!("{name:<10} {value}"))?;
    }
    terminal::print(format!("\n# rules\n{}", run.rules.trim_end()))?;
    terminal::print(format!("\n# training\n{}", run.training.trim_end()))
}

fn release(path: &std::path::Path, out: &std::path::Path) -> anyhow::Result<()> {
    Checkpoint::read(path)?.release().write(out)?;
    terminal::print(format!("{}: the player of {}", out.display(), path.display()))
}

fn check(path: &std::path::Path) -> anyhow::Result<()> {
    let summary = verify(path)?;
    terminal::print(format!(
        "{}: whole; update {}, {} parameters, weights {}",
        path.display(),
        summary.update,
        summary.net.parameters(),
        &summary.weights_blake3[..16]
    ))
}
