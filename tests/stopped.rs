//! A run that fails ends with one line that says what to do, and keeps its files.
#![cfg(unix)]

mod runs;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use newmarket_train::metrics;
use runs::{finish, newmarket, next, result, small};

/// The exit code for a fault of the user.
const USER: i32 = 2;

/// The last line of the program, after lines of progress.
fn refused(output: &Output, code: i32) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{text}");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("update ")).collect();
    assert!(lines.len() == 1 && lines[0].starts_with("error: "), "{text}");
    lines[0].into()
}

/// The largest file of a folder.
fn largest(folder: &Path) -> u64 {
    let sizes = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len());
    sizes.max().unwrap()
}

/// A limit on the size of files acts like a disk that is full for each file in turn.
#[test]
fn no_space_for_any_file() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, run) = (folder.path().join("whole"), folder.path().join("run"));
    finish(&small(&whole, &[]));
    let state = largest(&whole.join("checkpoints"));
    let train = small(&run, &[]);
    let resume = format!("`newmarket resume {}`", run.display());
    for (bytes, file, then) in [
        (512, "config.toml", "or name another folder"),
        (state / 2, "checkpoints/update-000002.ckpt", &*resume),
        (state + 9_000, "events.out.tfevents.", &resume),
        // Each run begins a new file of events, but not of rows.
        (state + 9_000, "metrics.jsonl", &resume),
    ] {
        // Blocks of 512 bytes.
        let limit = format!("ulimit -f {}; exec \"$0\" \"$@\"", bytes / 512);
        let mut command = Command::new("sh");
        command.args(["-c", &limit, env!("CARGO_BIN_EXE_newmarket")]).args(next(&run, &train));
        let line = refused(&command.output().unwrap(), USER);
        let place = run.join(file).display().to_string();
        assert!(line.contains(&place), "{place}: {line}");
        assert!(line.contains("File too large") && line.contains("allow larger files"), "{line}");
        assert!(line.contains(then), "{line}");
    }
    finish(&next(&run, &train));
    assert!(result(&run) == result(&whole), "weights, moments, counters, the best, the rows");
}

/// The names and contents of all files.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(contents(&path));
        } else {
            found.push((path.clone(), fs::read(&path).unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn a_folder_that_may_only_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    finish(&small(&run, &["run.updates=4".into()]));
    fs::remove_file(run.join("checkpoints/update-000004.ckpt")).unwrap();
    let mode = |mode: u32| {
        for folder in [&run, &run.join("checkpoints")] {
            fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    let before = contents(&run);
    mode(0o555);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let resume = next(&run, &[]);
    for (args, then) in [
        (
            resume.clone(),
            format!(
                "update 2 is saved: allow writing there, then go on with `newmarket resume {}`",
                run.display()
            ),
        ),
        (
            small(&run.join("checkpoints/new"), &[]),
            "allow writing there, or name another folder".into(),
        ),
    ] {
        let mut command = newmarket(&args);
        if fs::metadata(&run).unwrap().uid() == 0 {
            // Permissions do not limit root.
            command.uid(65534).gid(65534);
        }
        // Without access to the program another user cannot run it, and the test ends.
        let Ok(output) = command.output() else { continue };
        let line = refused(&output, USER);
        assert!(line.contains("Permission denied") && line.ends_with(&then), "{line}");
    }
    assert!(contents(&run) == before, "nothing was touched");
    mode(0o755);
    finish(&resume);

    // A file cannot contain a folder, even for root.
    let below = run.join("config.toml/run");
    let line = refused(&newmarket(&small(&below, &[])).output().unwrap(), USER);
    assert!(line.contains(&format!("cannot create {}", below.display())), "{line}");
}

#[test]
fn a_loss_that_is_no_number() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let rate = |rate: &str| format!("learner.learning_rate={rate}");
    let wild = "{ linear = { from = 1e-3, to = 1e30 } }";
    let sets = [rate(wild), "learner.max_grad_norm=0.0".into(), "run.checkpoint_every=1".into()];
    let line = refused(&newmarket(&small(&run, &sets)).output().unwrap(), USER);
    let done = metrics::read(&run).unwrap().len() as u64;
    assert!(done > 0 && line.starts_with(&format!("error: update {}: ", done + 1)), "{line}");
    let start = format!("network.start={}", run.display());
    for part in ["not a finite number", "a lower learner.learning_rate", &format!("--set {start}")]
    {
        assert!(line.contains(part), "{line}");
    }
    assert!(line.contains(&format!("; update {done} and what was saved before are intact")));
    let again = refused(&newmarket(&next(&run, &[])).output().unwrap(), USER);
    assert_eq!(again, line, "a run is a function of its configuration");
    finish(&small(&folder.path().join("new"), &[rate("1e-4"), start, "run.updates=2".into()]));

    let run = folder.path().join("at once");
    let sets = [rate("1e30"), "learner.max_grad_norm=0.0".into()];
    let line = refused(&newmarket(&small(&run, &sets)).output().unwrap(), USER);
    assert!(line.contains("; nothing was saved before; begin anew with a lower"), "{line}");
}

/// A run that has done some updates, and lasts for a minute or so.
fn running(run: &Path) -> std::process::Child {
    let mut child = newmarket(&small(run, &["run.updates=20000".into()])).spawn().unwrap();
    while metrics::read(run).map_or(0, |rows| rows.len()) < 3 {
        assert_eq!(child.try_wait().unwrap(), None);
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

#[test]
fn a_folder_that_goes_while_the_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (run, away) = (folder.path().join("run"), folder.path().join("away"));
    let resume = format!("go on with `newmarket resume {}`", run.display());
    for what in ["moved", "deleted", "replaced", "checkpoints", "config.toml", "metrics.jsonl"] {
        let child = running(&run);
        match what {
            "deleted" => fs::remove_dir_all(&run).unwrap(),
            "moved" => fs::rename(&run, &away).unwrap(),
            "replaced" => {
                fs::rename(&run, &away).unwrap();
                fs::create_dir(&run).unwrap();
            }
            part => fs::rename(run.join(part), &away).unwrap(),
        }
        let begun = Instant::now();
        let line = refused(&child.wait_with_output().unwrap(), USER);
        assert!(begun.elapsed() < Duration::from_secs(20), "{what}");
        assert!(line.contains(what) && line.contains("while the run went on"), "{what}: {line}");
        assert!(line.contains("so it stops before update ") && line.ends_with(&resume), "{line}");
        match what {
            // A writer that was at work may have made the folder of checkpoints again.
            "moved" | "deleted" => assert!(!run.join("report.html").exists()),
            "replaced" => assert_eq!(contents(&run), [], "nothing is written there"),
            _ => {}
        }
        if what == "moved" {
            let _ = fs::remove_dir_all(&run);
            fs::rename(&away, &run).unwrap();
            let mut child = newmarket(&next(&run, &[])).spawn().unwrap();
            let done = metrics::read(&run).unwrap().len();
            while metrics::read(&run).unwrap().len() <= done {
                assert_eq!(child.try_wait().unwrap(), None, "it goes on");
            }
            child.kill().unwrap();
            child.wait().unwrap();
        }
        for left in [&run, &away] {
            let _ = fs::remove_dir_all(left).or_else(|_| fs::remove_file(left));
        }
    }
}

#[test]
fn one_process_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let mut first = newmarket(&small(&run, &[])).spawn().unwrap();
    while metrics::read(&run).map_or(0, |rows| rows.len()) < 3 {
        assert_eq!(first.try_wait().unwrap(), None);
        std::thread::sleep(Duration::from_millis(2));
    }
    for args in [next(&run, &[]), small(&run, &[])] {
        let line = refused(&newmarket(&args).output().unwrap(), USER);
        assert!(line.contains("another process") && line.contains(&run.display().to_string()));
    }
    assert_eq!(first.try_wait().unwrap(), None, "it goes on");
    first.kill().unwrap();
    first.wait().unwrap();
    finish(&next(&run, &[]));
}
