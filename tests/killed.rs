//! Runs that are killed without warning, at any moment, resume from their last checkpoint and end
//! as if nothing had happened.
#![cfg(unix)]

mod runs;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use newmarket_env::Seed;
use newmarket_env::seed::below;
use newmarket_train::metrics;
use runs::{finish, newmarket, next, result, small};

/// The unfinished files of a run folder.
fn unfinished(run: &Path) -> Vec<OsString> {
    let entries = fs::read_dir(run).into_iter().flatten().flatten().map(|entry| entry.file_name());
    entries.filter(|name| name.as_encoded_bytes().starts_with(b".")).collect()
}

/// Kills the command after some time. Returns whether it still ran. It must not report an error.
fn kill(args: &[String], after: Duration) -> bool {
    let mut child = newmarket(args).spawn().unwrap();
    std::thread::sleep(after);
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!error.contains("error") && output.status.code().is_none_or(|c| c == 0), "{error}");
    output.status.code().is_none()
}

/// A small run, with a network that is copied into the run folder.
fn beginning(out: &Path, start: &Path) -> Vec<String> {
    let path = start.display();
    let agent = format!("opponents.agents=[{{ agent = 'net:{path}', share = 0.1 }}]");
    small(out, &[format!("network.start={path}"), agent])
}

/// A run of one update, from which other runs start.
fn start(folder: &Path) -> PathBuf {
    let start = folder.join("start");
    finish(&small(&start, &["run.updates=1".into()]));
    start
}

#[test]
fn twenty_kills_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let start = start(folder.path());
    let (whole, run) = (folder.path().join("whole"), folder.path().join("run"));
    finish(&beginning(&whole, &start));
    let train = beginning(&run, &start);
    let took = metrics::read(&whole).unwrap().pop().unwrap().get("time/seconds").unwrap();
    let mut rng = Seed::new(20).rng();
    // Mostly short times; together they are shorter than the run.
    let mut delay = || took / 16.0 * (f64::from(below(&mut rng, 1000)) / 1000.0).powi(2);
    for nth in 1..=20 {
        let alive = kill(&next(&run, &train), Duration::from_secs_f64(delay()));
        assert!(alive, "the run ended before kill {nth}");
    }
    let args = next(&run, &train);
    assert!(metrics::read(&run).unwrap().len() > 20, "the kills came in the middle");
    finish(&args);
    assert!(result(&run) == result(&whole), "weights, moments, counters, the best, the rows");
    assert!(unfinished(&run).is_empty());
}

/// A run that is killed at its start either can be resumed, or `train` can begin in its folder again.
#[test]
fn a_beginning_that_was_killed_is_begun_again() {
    let folder = tempfile::tempdir().unwrap();
    let start = start(folder.path());
    let mut rng = Seed::new(21).rng();
    let mut cut_short = 0;
    // At least twenty times, until one run was cut short. Times grow, because a busy machine starts programs late.
    for nth in 0..200 {
        if nth >= 20 && cut_short > 0 {
            break;
        }
        let run = folder.path().join(nth.to_string());
        let train = beginning(&run, &start);
        let latest = 25_000 * (1 + nth / 20);
        kill(&train, Duration::from_micros(below(&mut rng, latest).into()));
        let left = unfinished(&run);
        cut_short += usize::from(run.exists() && !run.join("config.toml").exists());
        let rows = || metrics::read(&run).map_or(0, |rows| rows.len());
        let done = rows();
        let mut child = newmarket(&next(&run, &train)).spawn().unwrap();
        while rows() <= done {
            assert_eq!(child.try_wait().unwrap(), None, "kill {nth}");
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        // The killed run may have left unfinished files, such as half a report.
        assert!(unfinished(&run).iter().all(|name| !left.contains(name)), "kill {nth}");
    }
    assert!(cut_short > 0, "none of the kills came early enough");
}
