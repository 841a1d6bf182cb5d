//! Signals that were ignored when a command began, as by `nohup` and for jobs in the background, stay ignored.
#![cfg(target_os = "linux")]

mod bots;
mod runs;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use bots::bot;
use runs::small;

/// A command that ignores these signals from its start on.
fn ignoring(signals: &str, arguments: &[String], folder: &Path) -> Child {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("trap '' {signals}; exec \"$0\" \"$@\"")]);
    command.arg(env!("CARGO_BIN_EXE_newmarket")).args(arguments).current_dir(folder);
    // Its input does not end.
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-s", name, &pid]).status().unwrap().success());
}

/// The signals that a process catches, as bits.
fn caught(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap()
}

/// Waits until a command catches SIGTERM.
fn wait_for_term(child: &mut Child, what: &[String]) {
    let begun = Instant::now();
    while caught(child) >> 14 & 1 == 0 {
        assert_eq!(child.try_wait().unwrap(), None, "{what:?}");
        assert!(begun.elapsed() < Duration::from_secs(30), "{what:?} catches nothing");
        sleep(Duration::from_millis(2));
    }
}

#[test]
fn what_was_ignored_stays_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let words = |line: &str| line.split(' ').map(String::from).collect::<Vec<_>>();
    std::fs::create_dir(folder.path().join("dist")).unwrap();
    std::fs::write(folder.path().join("dist/index.html"), "<!doctype html>").unwrap();
    let run = folder.path().join("run");
    let slow = ["duel".into(), bot("sleep 60"), "stopper".into(), "--move-ms=60000".into()];
    // A run that has saved something ends with code 0.
    for (arguments, codes) in [
        (words("web --port 0 --dist dist"), 0..=0),
        (words("play --seed 7"), 0..=0),
        (words("trace --deals 100000000 --out deals.jsonl"), 130..=130),
        (small(&run, &["run.updates=1000000".into()]), 0..=130),
        (slow.to_vec(), 130..=130),
    ] {
        for ignored in ["HUP", "INT", "HUP INT QUIT"] {
            let _ = std::fs::remove_dir_all(&run);
            let mut child = ignoring(ignored, &arguments, folder.path());
            wait_for_term(&mut child, &arguments);
            for name in ignored.split(' ') {
                signal(&child, name);
            }
            sleep(Duration::from_millis(150));
            assert_eq!(child.try_wait().unwrap(), None, "{arguments:?} ignores {ignored}");
            // Others are obeyed.
            signal(&child, "TERM");
            let begun = Instant::now();
            drop(child.stdin.take());
            let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
            while lines.next().is_some_and(|line| line.is_ok()) {}
            let code = child.wait().unwrap().code().unwrap();
            assert!(codes.contains(&code) && matches!(code, 0 | 130), "{arguments:?}: {code}");
            assert!(begun.elapsed() < Duration::from_secs(20), "{arguments:?}");
        }
    }
}

#[test]
fn an_engine_goes_on_after_what_it_ignores() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = ignoring("HUP INT", &["engine".into()], folder.path());
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for id in 0..2 {
        use std::io::Write as _;
        let hello = format!("{{\"type\":\"hello\",\"versions\":[1],\"id\":\"{id}\"}}");
        writeln!(child.stdin.as_mut().unwrap(), "{hello}").unwrap();
        assert!(answers.next().unwrap().unwrap().contains("hello"));
        signal(&child, "HUP");
        signal(&child, "INT");
    }
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}
