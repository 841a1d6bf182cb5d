//! The command line and the report.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use crate::campaign::{Campaign, stop};
use crate::hostile::dictionary;
use crate::kinds::{KINDS, Kind, WORKERS};
use crate::materials::Materials;
use crate::program::Program;
use crate::report::{failures, json, table};

/// The user `nobody`, as which the program runs if the campaign runs as root.
const NOBODY: u32 = 65_534;

/// Give the program hostile input and bad luck, and report its faults.
#[derive(Parser)]
#[command(name = "campaign")]
struct Cli {
    /// Total minutes, shared among the kinds.
    #[arg(long, value_name = "M", default_value_t = 1.5)]
    minutes: f64,
    /// Number of tries of each kind, without a time limit.
    #[arg(long, value_name = "N")]
    tries: Option<u64>,
    /// Seed of all tries.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Kinds of tries [default: all].
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kind: Vec<String>,
    /// The number of the first try of each kind.
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: u64,
    /// The program to test.
    #[arg(long, value_name = "F", default_value = "target/release/newmarket")]
    program: PathBuf,
    /// Python with Ray and this build of the package, for the kind `workers`, which is left out otherwise.
    #[arg(long, value_name = "F")]
    python: Option<PathBuf>,
    /// The folder for failing inputs.
    #[arg(long, value_name = "DIR", default_value = "campaign/failures")]
    keep: PathBuf,
    /// Also write the report to this file, as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Only print the list of hostile words, as a dictionary of libFuzzer.
    #[arg(long)]
    dictionary: bool,
}

/// Runs the campaign that the command line asks for. The exit code is 1 after a failure.
#[expect(clippy::print_stdout, reason = "this is a program")]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    if cli.dictionary {
        print!("{}", dictionary());
        return ExitCode::SUCCESS;
    }
    let kinds: Vec<&Kind> = KINDS
        .iter()
        .filter(|kind| cli.kind.is_empty() || cli.kind.iter().any(|it| it == kind.name))
        .filter(|kind| cli.python.is_some() || kind.name != WORKERS)
        .collect();
    let names = KINDS.map(|kind| kind.name);
    assert!(!kinds.is_empty(), "kinds are {names:?}; {WORKERS} needs --python");
    // The program inherits ignored signals, but not handlers. A shell ignores interrupts for background jobs; this
    // handler undoes that.
    ctrlc::set_handler(stop).expect("interrupts can be caught");
    let scratch = tempfile::Builder::new().prefix("campaign-").tempdir().expect("a folder");
    let program = program(&cli.program, scratch.path());
    let materials = Materials::make(&program, &scratch.path().join("materials"));
    let campaign = Campaign {
        kinds,
        seed: cli.seed,
        from: cli.from,
        tries: cli.tries,
        time: Duration::from_secs_f64(60.0 * cli.minutes),
        given: &cli.program,
        keep: &cli.keep,
        program,
        python: cli.python.map(python),
        materials,
        scratch: scratch.path(),
    };
    let (tallies, findings) = campaign.run();
    for finding in &findings {
        println!(
            "{} {}: {}: {}",
            finding.kind,
            finding.index,
            finding.fault.name(),
            finding.detail
        );
        println!("    {}", finding.repeat);
    }
    println!("seed {}, {}\n{}", cli.seed, cli.program.display(), table(&tallies));
    if let Some(path) = &cli.json {
        let report = json(cli.seed, &tallies, &findings);
        fs::write(path, format!("{report:#}\n")).expect("the report can be written");
    }
    if failures(&tallies) == 0 {
        return ExitCode::SUCCESS;
    }
    println!("failing inputs are in {}", cli.keep.display());
    ExitCode::FAILURE
}

/// Python, as the user of this process: its libraries may be in their home.
fn python(path: PathBuf) -> Program {
    // A link of a virtual environment is not resolved: the environment is where it is.
    let path = std::path::absolute(path).expect("a path");
    Program { path, user: None, patience: Duration::from_secs(90), memory: 2 << 30 }
}

/// A copy of the program that every user may run, and the user that runs it.
fn program(path: &Path, scratch: &Path) -> Program {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let copy = scratch.join("newmarket");
    fs::copy(path, &copy).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    for path in [scratch, &copy] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a mode");
    }
    // The owner of a new folder is the user of this process.
    let root = fs::metadata(scratch).expect("it is there").uid() == 0;
    Program {
        path: copy,
        user: root.then_some(NOBODY),
        patience: Duration::from_secs(30),
        memory: 1 << 30,
    }
}
