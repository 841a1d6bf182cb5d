//! Files to break and forge: files that the program has written, and files of the repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::program::{Call, Outcome, Program};
use crate::sealed::Sealed;

/// Updates of a whole run.
pub(crate) const UPDATES: u64 = 12;

/// Values of a configuration that make a run take milliseconds, by the ends of their keys.
const SMALL: [(&str, &str); 11] = [
    (".updates", "12"),
    (".minutes", "0.0"),
    (".checkpoint_every", "2"),
    (".keep", "2"),
    ("k_every", "7"),
    ("k_deals", "2"),
    (".hidden", "[4]"),
    (".deals", "6"),
    (".minibatch", "64"),
    (".worlds", "2"),
    (".playouts", "1"),
];

/// The tables of the traces.
const TABLES: [(&str, &str); 6] = [
    ("newmarket", "4"),
    ("michigan", "3"),
    ("newmarket-buy", "5"),
    ("michigan-auction", "3"),
    ("three-in-one", "4"),
    ("hoyle-1885", "3"),
];

/// Valid files.
pub(crate) struct Materials {
    /// A run that was stopped before its end.
    pub(crate) run: PathBuf,
    /// Its newest checkpoint.
    pub(crate) checkpoint: Vec<u8>,
    /// The configuration of a run of milliseconds.
    pub(crate) config: toml::Table,
    /// The weights at the end of a run of that configuration, and how long it takes.
    pub(crate) weights: String,
    pub(crate) run_takes: Duration,
    /// Traces of one session each, a record a line.
    pub(crate) traces: Vec<Vec<Value>>,
    /// Rules files.
    pub(crate) rules: Vec<Vec<u8>>,
    /// Strategy files.
    pub(crate) strategies: Vec<Vec<u8>>,
}

impl Materials {
    /// Lets the program write the files in this folder.
    pub(crate) fn make(program: &Program, folder: &Path) -> Self {
        let work = folder.join("work");
        fs::create_dir_all(&work).expect("can be made");
        let run = |call: &Call| -> Outcome {
            program.run(call, folder).expect("the program can be started")
        };
        let until = |arguments: &[&str], path: PathBuf| {
            let mut call = Call::new(arguments, 60_000);
            call.until = Some(path);
            let started = Instant::now();
            let outcome = run(&call);
            let why = String::from_utf8_lossy(&outcome.stderr);
            assert!(call.until.is_some_and(|path| path.exists()), "{arguments:?}: {why}");
            started.elapsed()
        };
        until(&["train", "quick", "--out", "probe"], work.join("probe/config.toml"));
        let config = read(&work.join("probe/config.toml"));
        let mut config: toml::Table = config.parse().expect("TOML");
        small(&mut config, "");
        fs::write(work.join("small.toml"), config.to_string()).expect("can be written");
        let train = ["train", "--config", "small.toml", "--out"];
        let last = format!("run/checkpoints/update-{UPDATES:06}.ckpt");
        let run_takes = until(&[&train[..], &["run"]].concat(), work.join(&last));
        let weights = Sealed::open(&fs::read(work.join(last)).expect("a file")).weights();
        let half = work.join("half/checkpoints/update-000006.ckpt");
        until(&[&train[..], &["half"]].concat(), half);
        // Removes the leftovers of the killed run.
        run(&Call::new(["resume", "half"], 0));

        let mut traces = Vec::new();
        for (name, players) in TABLES {
            let outcome = run(&Call::new(
                ["trace", "--rules", name, "--players", players, "--deals", "3"],
                60_000,
            ));
            let text = String::from_utf8(outcome.stdout).expect("UTF-8");
            let lines = text.lines().map(|line| serde_json::from_str(line).expect("a record"));
            traces.push(lines.collect());
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let folders = ["env/tests/fuzz/corpus/rules", "env/tests/rules", "eval/games"];
        let mut rules: Vec<Vec<u8>> = Vec::new();
        for (name, _) in TABLES {
            rules.push(run(&Call::new(["rules", name, "--toml"], 60_000)).stdout);
        }
        for path in folders.iter().flat_map(|folder| files(&root.join(folder))) {
            rules.push(fs::read(path).expect("a file of the repository"));
        }
        let mut strategies = Vec::new();
        for name in ["random", "stopper", "basic"] {
            strategies.push(run(&Call::new(["strategy", "show", name, "--toml"], 60_000)).stdout);
        }
        run(&Call::new(["strategy", "new", "starter.toml"], 60_000));
        strategies.push(fs::read(work.join("starter.toml")).expect("a strategy file"));
        let checkpoint = files(&work.join("half/checkpoints")).pop().expect("a checkpoint");
        let checkpoint = fs::read(checkpoint).expect("a checkpoint");
        let run = work.join("half");
        Self { run, checkpoint, config, weights, run_takes, traces, rules, strategies }
    }

    /// Copies the stopped run to this path.
    pub(crate) fn copy_run(&self, to: &Path) {
        copy(&self.run, to);
    }
}

/// Sets all values of a configuration that [`SMALL`] names.
fn small(table: &mut toml::Table, place: &str) {
    for (key, value) in table {
        let place = format!("{place}.{key}");
        if let Some((_, text)) = SMALL.iter().find(|(end, _)| place.ends_with(end)) {
            let parsed: toml::Table = format!("x = {text}").parse().expect("TOML");
            *value = parsed["x"].clone();
        }
        match value {
            toml::Value::Table(inner) => small(inner, &place),
            toml::Value::Array(items) => {
                let tables = items.iter_mut().filter_map(toml::Value::as_table_mut);
                tables.for_each(|inner| small(inner, &place));
            }
            _ => {}
        }
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a folder, in the order of their names.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    paths.sort();
    paths
}

/// Copies a folder, except special files.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("can be made");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().expect("a type");
        if kind.is_dir() {
            copy(&path, &target);
        } else if kind.is_file() {
            fs::copy(&path, &target).expect("can be copied");
        }
    }
}

/// The signals that end a run. The last one cannot be caught.
pub(crate) const ENDS: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGKILL];
