//! Small runs of the program, for tests.
#![allow(dead_code, reason = "no test file uses all of them")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use newmarket_checkpoints::{Checkpoint, best, list, verify};
use newmarket_train::metrics::{self, MetricsRow};

/// Updates of a whole run.
pub(crate) const UPDATES: u64 = 300;
/// Updates between two checkpoints.
const EVERY: u64 = 2;

/// Settings that make an update take milliseconds, with measurements.
const SMALL: [&str; 8] = [
    "network.hidden=[4]",
    "rollout.deals=6",
    "phases.0.until=1e-9",
    "phases.1.estimator.decision_share=0.2",
    "learner.minibatch=64",
    "run.keep=2",
    "run.benchmark_every=7",
    "run.benchmark_deals=2",
];

/// The program with its output discarded.
pub(crate) fn newmarket(args: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_newmarket"));
    command.args(args).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Runs a command to its end.
pub(crate) fn finish(args: &[String]) {
    let output = newmarket(args).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The arguments of a small run with these values set as well.
pub(crate) fn small(out: &Path, sets: &[String]) -> Vec<String> {
    let lasting = [format!("run.updates={UPDATES}"), format!("run.checkpoint_every={EVERY}")];
    let sets = SMALL.map(String::from).into_iter().chain(lasting).chain(sets.iter().cloned());
    let words = ["train", "quick", "--out", &out.display().to_string()].map(String::from);
    words.into_iter().chain(sets.flat_map(|set| ["--set".into(), set])).collect()
}

/// The command that continues a run, `train` if it has not begun: every file is whole,
/// and no more than the updates since the last checkpoint are lost.
pub(crate) fn next(run: &Path, train: &[String]) -> Vec<String> {
    if !run.join("config.toml").exists() {
        return train.into();
    }
    let files = |folder: &str| -> Vec<PathBuf> {
        let entries = fs::read_dir(run.join(folder)).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        paths.filter(|path| path.extension().is_some_and(|name| name == "ckpt")).collect()
    };
    for file in ["checkpoints", "networks"].into_iter().flat_map(files) {
        verify(&file).unwrap();
    }
    let saved = list(&run.join("checkpoints")).unwrap().pop().map_or(0, |(update, _)| update);
    let done = metrics::read(run).map_or(0, |rows| rows.last().map_or(0, |row| row.update));
    assert!(done <= saved + EVERY, "update {done} was done, {saved} was saved");
    vec!["resume".into(), run.display().to_string()]
}

/// The result of a run: its last and its best state, and its rows without times.
pub(crate) fn result(run: &Path) -> (Checkpoint, Checkpoint, Vec<MetricsRow>) {
    let checkpoints = run.join("checkpoints");
    let (update, last) = list(&checkpoints).unwrap().pop().unwrap();
    assert_eq!(update, UPDATES);
    let best = best(&checkpoints).unwrap().unwrap();
    let mut rows = metrics::read(run).unwrap();
    for row in &mut rows {
        row.values.retain(|(name, _)| !name.starts_with("time/"));
    }
    (Checkpoint::read(&last).unwrap(), Checkpoint::read(&best).unwrap(), rows)
}
