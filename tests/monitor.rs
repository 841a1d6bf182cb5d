//! `newmarket monitor` without a terminal: one report on a run.

mod runs;

use std::fs;
#[cfg(unix)]
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output};

use runs::{UPDATES, finish, newmarket, next, result, small};
use serde_json::Value;

fn monitor(run: &Path, flags: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_newmarket"));
    command.arg("monitor").arg(run).args(flags).output().unwrap()
}

/// The output of `monitor`, which must succeed.
fn said(run: &Path, flags: &[&str]) -> String {
    let output = monitor(run, flags);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && error.is_empty(), "{error}");
    String::from_utf8(output.stdout).unwrap()
}

/// The number of updates that fit into the minutes is known only after the first updates.
#[cfg(unix)]
#[test]
fn a_run_that_is_stopped_before_it_is_planned() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let train = small(&run, &["run.updates=0".into(), "run.minutes=1".into()]);
    let mut child = newmarket(&train).args(["--set", "rollout.deals=1000000"]).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    // After warnings about the size of the run.
    assert!(lines.any(|line| line.unwrap().contains("timing updates to plan 1 min")));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "INT", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let last = lines.last().unwrap().unwrap();
    let resume = format!("begin again with: newmarket resume {}", run.display());
    assert!(last.contains("nothing is saved yet") && last.ends_with(&resume), "{last}");
    let text = said(&run, &["--plain"]);
    assert!(text.contains("update 0 of a number that is not known yet"), "{text}");
    assert!(text.contains("phase 1 of 2"), "{text}");
    assert!(text.contains("left once it goes on: about 1 min"), "{text}");
    let summary = json(&run);
    assert_eq!((&summary["phase"]["nth"], &summary["planned"]), (&1.into(), &Value::Null));
}

/// Runs the program and monitors it until it ends or is killed. Returns the observed updates and states.
fn watched(args: &[String], run: &Path, kill_at: Option<u64>) -> Vec<(u64, Value)> {
    let mut child = newmarket(args).spawn().unwrap();
    let mut seen = Vec::new();
    while child.try_wait().unwrap().is_none() {
        let output = monitor(run, &["--json"]);
        if output.status.success() {
            let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
            seen.push((summary["update"].as_u64().unwrap(), summary["state"].clone()));
        }
        if let (Some(at), Some(last)) = (kill_at, seen.last())
            && last.0 >= at
        {
            child.kill().unwrap();
        }
    }
    assert!(kill_at.is_some() || child.wait().unwrap().success(), "it was not disturbed");
    seen
}

fn json(run: &Path) -> Value {
    serde_json::from_str(&said(run, &["--json"])).unwrap()
}

#[test]
fn a_run_is_followed_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let output = monitor(&run, &[]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("no such folder yet"), "{error}");

    // It is killed, and resumed.
    let train = small(&run, &[]);
    let seen = watched(&train, &run, Some(UPDATES / 3));
    let summary = json(&run);
    #[cfg(unix)]
    assert_eq!(summary["state"], "stopped", "{summary}");
    assert!(summary["left"].as_str().is_some_and(|left| left.contains("once it goes on")));
    let more = watched(&next(&run, &train), &run, None);
    #[cfg(unix)]
    for seen in [seen, more] {
        assert!(seen.iter().any(|it| it.0 < UPDATES && it.1 == "running"), "{seen:?}");
    }
    result(&run);

    let summary = json(&run);
    assert_eq!((&summary["state"], &summary["update"]), (&"finished".into(), &UPDATES.into()));
    assert_eq!((&summary["planned"], &summary["left"]), (&UPDATES.into(), &Value::Null));
    assert_eq!((&summary["saved"], &summary["unreadable_lines"]), (&UPDATES.into(), &0.into()));
    let against = |nth: usize| summary["benchmarks"][nth]["against"].as_str();
    assert_eq!((against(0), against(1)), (Some("longest"), Some("stopper")));
    assert!(summary["benchmarks"][1]["ci95"].as_f64() > Some(0.0));
    let text = said(&run, &["--plain"]);
    assert_eq!(said(&run, &[]), text, "without a terminal");
    assert!(text.contains(&format!("finished, update {UPDATES} of {UPDATES}")), "{text}");
    assert!(text.contains("over longest") && text.contains("checkpoints of updates"), "{text}");
}

#[test]
fn a_run_that_was_stopped_and_spoiled() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    finish(&small(&run, &["run.updates=14".into()]));
    let record = run.join("metrics.jsonl");
    let rows = fs::read_to_string(&record).unwrap();
    let some: Vec<&str> = rows.lines().take(9).collect();
    // An incomplete line at the end, names with control characters, and infinite numbers.
    let odd = r#"{"update":10,"benchmark/\u001b[2J\u202ex":1e29,"benchmark/\u001b[2J\u202ex_wins":0,"loss/value":null}"#;
    fs::write(&record, format!("{}\n{odd}\n\0\n{}", some.join("\n"), &rows[..90])).unwrap();
    let text = said(&run, &["--plain"]);
    assert!(text.contains("update 10 of 14") && text.contains("no rows: 1"), "{text}");
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
    #[cfg(unix)]
    assert!(text.contains("stopped"), "{text}");
    let line = said(&run, &["--json"]);
    assert!(!line.contains(['\u{1b}', '\u{202e}']), "{line:?}");
    assert_eq!(json(&run)["update"], 10);

    // Endless files are read only in part, and paths that are not files are not read.
    fs::File::create(&record).unwrap().set_len(3 << 30).unwrap();
    assert_eq!(json(&run)["update"], 0);
    fs::remove_file(&record).unwrap();
    fs::create_dir(&record).unwrap();
    let text = said(&run, &["--plain"]);
    assert!(text.contains("cannot read") && text.contains("metrics.jsonl"), "{text}");

    fs::write(run.join("config.toml"), "\u{1b}[2J = 1").unwrap();
    let output = monitor(&run, &["--plain"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("config.toml") && !error.contains('\u{1b}'), "{error}");
}
