//! `newmarket checkpoint`.

use std::path::PathBuf;

use newmarket_checkpoints::{
    Checkpoint, Encoding, Error, TrainedOn, TrainedTable, resolve, roster, verify,
};
use newmarket_env::Rules;
use newmarket_net::Weights;

use crate::failure::Result;
use crate::terminal;

/// Show what a checkpoint is, verify that it is whole, or make a player of one or several.
#[derive(clap::Subcommand)]
#[command(after_help = "Example:\n  newmarket checkpoint show runs/quick\n  \
                        newmarket checkpoint verify runs/quick/checkpoints/best.ckpt\n  \
                        newmarket checkpoint join runs/quick runs/quick-2 --out two.ckpt")]
pub(crate) enum CheckpointCommand {
    /// Say what a checkpoint is: network, tables or parents, seed, progress, configuration.
    Show(CheckpointArgs),
    /// Write the player alone: the network and how it came about, without what its training needs.
    Release(ReleaseArgs),
    /// Write several networks as one player, whose opinion is the mean of theirs.
    Join(JoinArgs),
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

#[derive(clap::Args)]
pub(crate) struct JoinArgs {
    /// Two or more checkpoints, or run folders: then the best of each, else its newest.
    #[arg(num_args = 2.., required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl CheckpointCommand {
    pub(crate) fn run(self) -> Result {
        match self {
            Self::Show(args) => show(&resolve(&args.path)?),
            Self::Release(args) => release(&resolve(&args.path)?, &args.out),
            Self::Join(args) => join(&args.paths, &args.out),
            Self::Verify(args) => check(&resolve(&args.path)?),
        }
    }
}

fn show(path: &std::path::Path) -> Result {
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
    terminal::print("\n# trained on")?;
    print_trained_on(&run.trained_on, "")?;
    terminal::print(format!("\n# training\n{}", run.training.trim_end()))
}

/// The tables of a network, and of those that it was joined from, each line after an indent.
fn print_trained_on(trained_on: &TrainedOn, indent: &str) -> Result {
    match trained_on {
        TrainedOn::Tables(tables) => {
            for TrainedTable { rules, players: [least, most], share, episode } in tables {
                let title = title(rules);
                let players =
                    if least == most { least.to_string() } else { format!("{least} to {most}") };
                let share = 100.0 * share;
                terminal::print(format!(
                    "{indent}{title:<26} {players} players, {episode}, {share:.1} % of the deals"
                ))?;
            }
            Ok(())
        }
        TrainedOn::Joined(parents) => {
            for parent in parents {
                terminal::print(format!(
                    "{indent}joined: weights {}, update {}, {} decisions, trained on",
                    parent.weights_blake3, parent.update, parent.decisions
                ))?;
                print_trained_on(&parent.trained_on, &format!("{indent}  "))?;
            }
            Ok(())
        }
        TrainedOn::FirstRules(rules) => {
            terminal::print(format!("{indent}{}, and perhaps others (format 1)", title(rules)))
        }
    }
}

/// The title of rules that are given in full; the text itself if it cannot be played.
fn title(rules: &str) -> String {
    match Rules::from_toml(rules, "rules") {
        Ok(rules) => rules.title().into(),
        Err(_) => rules.trim_end().into(),
    }
}

fn release(path: &std::path::Path, out: &std::path::Path) -> Result {
    Checkpoint::read(path)?.release().write(out)?;
    terminal::print(format!("{}: the player of {}", out.display(), path.display()))
}

/// How each part came about is kept, one after the other.
fn join(paths: &[PathBuf], out: &std::path::Path) -> Result {
    let parts: Vec<_> =
        paths.iter().map(|path| roster::net_checkpoint(path)).collect::<Result<_, Error>>()?;
    let weights: Vec<_> = parts.iter().map(|part| part.weights.clone()).collect();
    let weights = Weights::joined(&weights)?;
    let texts = (1..).zip(&parts).map(|(nth, part)| {
        format!("# part {nth} of {}\n{}", parts.len(), part.run.training.trim_end())
    });
    let mut joined = parts[0].clone().release();
    joined.run.training = texts.collect::<Vec<_>>().join("\n\n");
    joined.run.trained_on = TrainedOn::Joined(parts.iter().map(Checkpoint::as_parent).collect());
    joined.run.update = parts.iter().map(|part| part.run.update).sum();
    joined.run.decisions = parts.iter().map(|part| part.run.decisions).sum();
    for part in &parts[1..] {
        for (name, count) in &part.run.counters {
            *joined.run.counters.entry(name.clone()).or_default() += count;
        }
    }
    joined.weights = weights;
    joined.write(out)?;
    terminal::print(format!("{}: {} networks as one", out.display(), parts.len()))
}

fn check(path: &std::path::Path) -> Result {
    let summary = verify(path)?;
    terminal::print(format!(
        "{}: whole; update {}, {} parameters, weights {}",
        path.display(),
        summary.update,
        summary.net.parameters(),
        &summary.weights_blake3[..16]
    ))
}
