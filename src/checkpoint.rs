//! `newmarket checkpoint`.

mod export;

use std::fmt;
use std::path::{Path, PathBuf};

use newmarket_agents::net::{ActionSelection, PlayKind, Plays};
use newmarket_checkpoints::released::{self, Released};
use newmarket_checkpoints::{
    Checkpoint, CheckpointSummary, Encoding, TrainedOn, TrainedTable, resolve, roster, verify,
};
use newmarket_env::Rules;
use newmarket_net::Weights;
use newmarket_train::Config;

use crate::failure::{At, Failure, Result};
use crate::report::{counted, grouped};
use crate::terminal;

/// Show, verify, release, join, export and import networks.
#[derive(clap::Subcommand)]
#[command(after_help = "Example:\n  newmarket checkpoint show runs/quick\n  \
                        newmarket checkpoint show net:champion --config > champion.toml\n  \
                        newmarket checkpoint verify runs/quick/checkpoints/best.ckpt\n  \
                        newmarket checkpoint join runs/quick runs/quick-2 --out two.ckpt\n  \
                        newmarket checkpoint export net:champion --format onnx --out champion.onnx\n  \
                        newmarket checkpoint import trained.safetensors --out trained.ckpt")]
pub(crate) enum CheckpointCommand {
    /// Show a checkpoint: network, tables or parents, seed, progress, configuration.
    Show(ShowArgs),
    /// Write the player alone: the network and its provenance, without the state of its training.
    Release(ReleaseArgs),
    /// Write several networks as one player, whose logits and value are the means of theirs.
    Join(JoinArgs),
    /// Export a player to a file for other programs.
    Export(export::ExportArgs),
    /// Make a checkpoint from an exported player, or from weights trained elsewhere.
    Import(export::ImportArgs),
    /// Check all hashes of a checkpoint, and that its network gives the recorded output on this machine.
    Verify(CheckpointArgs),
}

#[derive(clap::Args)]
pub(crate) struct CheckpointArgs {
    /// A checkpoint, a run folder (its best checkpoint, else its newest), or net:NAME, as net:champion.
    path: PathBuf,
}

#[derive(clap::Args)]
pub(crate) struct ShowArgs {
    /// A checkpoint, a run folder (its best checkpoint, else its newest), or net:NAME, as net:champion.
    path: PathBuf,
    /// Print only the configuration of its training. `newmarket train --config` repeats the run from it, if all
    /// files that it names exist.
    #[arg(long)]
    config: bool,
}

#[derive(clap::Args)]
pub(crate) struct ReleaseArgs {
    /// A checkpoint, a run folder (its best checkpoint, else its newest), or net:NAME, as net:champion.
    path: PathBuf,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(clap::Args)]
pub(crate) struct JoinArgs {
    /// Two or more checkpoints, run folders (the best checkpoint of each, else its newest), or net:NAME.
    #[arg(num_args = 2.., required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl CheckpointCommand {
    pub(crate) fn run(self) -> Result {
        match self {
            Self::Show(ShowArgs { path, config: true }) => show_config(&Named::find(&path)?),
            Self::Show(ShowArgs { path, config: false }) => show(&Named::find(&path)?),
            Self::Release(args) => release(&Named::find(&args.path)?, &args.out),
            Self::Join(args) => join(&args.paths, &args.out),
            Self::Export(args) => export::export(&args),
            Self::Import(args) => export::import(&args),
            Self::Verify(args) => check(&Named::find(&args.path)?),
        }
    }
}

/// A checkpoint by its name.
enum Named {
    File(PathBuf),
    Released(Released),
}

/// The path in a name `net:PATH`, or the name itself.
fn path_of(name: &Path) -> &Path {
    let network = name.to_str().and_then(roster::network);
    network.map_or(name, |network| network.path)
}

impl Named {
    /// The file, the best or the newest checkpoint of the run folder, or a released player.
    fn find(name: &Path) -> Result<Self> {
        let path = path_of(name);
        let known = path.to_str().and_then(released::named);
        match known {
            // `net:champion` is always the released player; `champion` only if there is no such file.
            Some(released) if path != name || !path.exists() => Ok(Self::Released(released)),
            _ => Ok(Self::File(resolve(path)?)),
        }
    }

    /// Refuses a player with mistakes: a checkpoint is a network that takes its likeliest action.
    fn must_not_err(&self) -> Result {
        match self {
            Self::Released(released) if released.choice != ActionSelection::Greedy => {
                Err(Failure::user(format!(
                    "{self}: makes mistakes on purpose, which a checkpoint cannot hold: expected net:champion, or \
                 `newmarket checkpoint export net:{} --format safetensors`",
                    released.name
                )))
            }
            _ => Ok(()),
        }
    }

    fn read(&self) -> Result<Checkpoint> {
        match self {
            Self::File(path) => Ok(Checkpoint::read(path)?),
            Self::Released(released) => Checkpoint::from_bytes(released.file).at(self),
        }
    }

    fn verify(&self) -> Result<CheckpointSummary> {
        match self {
            Self::File(path) => Ok(verify(path)?),
            Self::Released(released) => CheckpointSummary::verify(released.file).at(self),
        }
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Released(released) => write!(f, "net:{} ({})", released.name, released.about),
        }
    }
}

fn show(named: &Named) -> Result {
    let summary = named.verify()?;
    let Checkpoint { run, plays, .. } = named.read()?;
    let Encoding { version, fingerprint } = summary.encoding;
    let whose = if summary.encoding == Encoding::current() { "" } else { " (not this program's)" };
    let facts = [
        ("file", format!("{named}, {} bytes", summary.bytes)),
        ("network", format!("{:?}, {} parameters", summary.net.hidden, summary.net.parameters())),
        ("weights", summary.weights_blake3),
        ("encoding", format!("version {version}, {fingerprint:016x}{whose}")),
        ("progress", progress(summary.update, summary.decisions)),
        ("seed", run.seed.to_string()),
        ("plays", in_words(&plays)),
        ("resumable", if summary.resumable { "yes" } else { "no (weights alone)" }.into()),
    ];
    for (name, value) in facts {
        terminal::print(format!("{name:<10} {value}"))?;
    }
    terminal::print("\n# trained on")?;
    print_trained_on(&run.trained_on, "")?;
    terminal::print("\n# training")?;
    terminal::print_toml(&run.training)
}

/// How a network chooses: `likeliest action; auction drawn at 0.1`.
fn in_words(plays: &Plays) -> String {
    let drawn = PlayKind::ALL.into_iter().filter_map(|kind| {
        let name = PlayKind::NAMES[kind as usize];
        plays.temperature(kind).map(|by| format!("; {name} drawn at temperature {by}"))
    });
    std::iter::once("likeliest action".to_owned()).chain(drawn).collect()
}

fn progress(update: u64, decisions: u64) -> String {
    format!("update {}, {}", grouped(update), counted(decisions, "decision"))
}

fn show_config(named: &Named) -> Result {
    named.verify()?;
    let training = named.read()?.run.training;
    // Networks that were joined or imported have a comment instead of a configuration.
    Config::from_toml(&training, "its configuration").map_err(|error| {
        Failure::user(format!("{named}: expected the network of a single run: {error}"))
    })?;
    terminal::print_toml(&training)
}

/// Prints the tables of a network, and of the networks that it was joined from, each line indented.
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
                    "{indent}joined: weights {}, {}, trained on",
                    parent.weights_blake3,
                    progress(parent.update, parent.decisions)
                ))?;
                print_trained_on(&parent.trained_on, &format!("{indent}  "))?;
            }
            Ok(())
        }
    }
}

/// The title of rules; their text if they cannot be parsed.
fn title(rules: &str) -> String {
    match Rules::from_toml(rules, "rules") {
        Ok(rules) => rules.title().into(),
        Err(_) => rules.trim_end().into(),
    }
}

fn release(named: &Named, out: &Path) -> Result {
    named.must_not_err()?;
    if let Named::File(path) = named {
        export::check_is_no_input(path, out)?;
    }
    let checkpoint = named.read()?;
    checkpoint.check_encoding(Encoding::current()).at(named)?;
    write(&checkpoint.release(), out)?;
    terminal::print(format!("{}: the player of {named}", out.display()))
}

fn write(checkpoint: &Checkpoint, path: &Path) -> Result {
    export::write(&checkpoint.to_bytes().at(path.display())?, path)
}

/// Writes the joined network. Its logits are means, so all parts must draw at the same temperatures. Its configuration holds those of all parts.
fn join(paths: &[PathBuf], out: &Path) -> Result {
    let part = |path: &PathBuf| {
        Named::find(path)?.must_not_err()?;
        export::check_is_no_input(path_of(path), out)?;
        Ok(roster::net_checkpoint(path_of(path))?)
    };
    let parts: Vec<_> = paths.iter().map(part).collect::<Result<_, Failure>>()?;
    if let Some(nth) = parts.iter().position(|part| part.plays != parts[0].plays) {
        let (one, other) = (paths[0].display(), paths[nth].display());
        return Err(Failure::user(format!(
            "{one} and {other} draw other kinds of decisions, or at other temperatures: expected networks that \
             choose alike (`newmarket checkpoint show`)"
        )));
    }
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
    write(&joined, out)?;
    terminal::print(format!("{}: {} networks as one", out.display(), parts.len()))
}

fn check(named: &Named) -> Result {
    let summary = named.verify()?;
    terminal::print(format!(
        "{named}: whole; update {}, {} parameters, weights {}",
        grouped(summary.update),
        grouped(summary.net.parameters() as u64),
        &summary.weights_blake3[..16]
    ))
}
