//! Programs that do not end as they should: the command goes on, or ends when it is asked to, and nothing of them is left.
#![cfg(target_os = "linux")]

mod bots;

use std::fs;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use bots::{FIRST, bot, script};

/// What a bot does at a question. `SLEEP` lasts for hours.
const BAD: [(&str, &str); 14] = [
    ("leaves its group", "exec perl -e 'setpgrp(0, getpgrp(getppid())); exec @ARGV' SLEEP"),
    ("leaves its session", "exec perl -MPOSIX -e 'fork && wait; setsid(); exec @ARGV' SLEEP"),
    ("starts a session and waits", "setsid SLEEP & wait"),
    ("leaves a daemon and answers", "(setsid SLEEP </dev/null >/dev/null 2>&1 &); ANSWER"),
    ("leaves a daemon and ends", "(setsid SLEEP </dev/null >/dev/null 2>&1 &); exit 3"),
    ("closes its output", "exec >&-; SLEEP"),
    ("closes all its pipes", "exec <&- >&- 2>&-; SLEEP"),
    ("ignores signals", "trap '' TERM INT HUP QUIT; SLEEP"),
    ("stops itself", "SLEEP & kill -STOP $$"),
    ("floods its output", "SLEEP & exec yes"),
    ("floods its error output", "SLEEP & exec yes >&2"),
    ("leaves its pipes to another", "setsid SLEEP & exit 0"),
    ("stops its parent", "kill -STOP $PPID; SLEEP"),
    ("kills its parent", "kill -KILL $PPID; exec SLEEP"),
];

/// Those of them that are seen and killed at once, without a wait that an interrupt could end.
const AT_ONCE: [&str; 4] =
    ["leaves a daemon and ends", "closes its output", "closes all its pipes", "floods its output"];

/// A length of sleep that no other process has.
fn hours() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("{}.{}", 100_000 + std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The processes with this argument.
fn with_argument(argument: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let words = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    words.filter(|line| line.starts_with("sleep ") && line.contains(argument)).collect()
}

/// Waits until a process of this bot has this argument.
fn wait_for(argument: &str, bot: &str) {
    let begun = Instant::now();
    while with_argument(argument).is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(30), "no sleep: {bot}");
        sleep(Duration::from_millis(5));
    }
}

/// Demands that no process has this argument, or that none has it soon.
fn nothing_left(argument: &str, soon: Duration, what: &str) {
    let begun = Instant::now();
    while !with_argument(argument).is_empty() && begun.elapsed() < soon {
        sleep(Duration::from_millis(5));
    }
    assert_eq!(with_argument(argument), [""; 0], "{what}");
}

fn duel(hero: &str, flags: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_newmarket"));
    command.args(["duel", hero, "stopper", "--deals", "4"]).args(flags);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The exit code of a process, which must end in time.
fn ended(mut child: Child, what: &str) -> Option<i32> {
    // What it writes is read, so that it does not wait for that.
    let mut error = child.stderr.take().unwrap();
    std::thread::spawn(move || std::io::copy(&mut error, &mut std::io::sink()));
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        assert!(begun.elapsed() < Duration::from_mins(1), "{what}: no end");
        sleep(Duration::from_millis(5));
    }
}

fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-s", name, &pid]).status().unwrap().success());
}

#[test]
fn nothing_outlives_a_command() {
    for (what, does) in BAD {
        let hours = hours();
        let does = does.replace("SLEEP", &format!("sleep {hours}")).replace("ANSWER", FIRST);
        let begun = Instant::now();
        assert_eq!(ended(duel(&bot(&does), &["--move-ms", "400"]), what), Some(0), "{what}");
        nothing_left(&hours, Duration::ZERO, what);
        assert!(begun.elapsed() < Duration::from_secs(20), "{what}: {:?}", begun.elapsed());
    }
}

#[test]
fn nothing_outlives_an_interrupt_or_a_kill() {
    for (what, does) in BAD.into_iter().filter(|(what, _)| !AT_ONCE.contains(what)) {
        for (name, code) in [("INT", Some(130)), ("TERM", Some(130)), ("KILL", None)] {
            // A keeper that is stopped or killed cannot see that its host was killed.
            if name == "KILL" && what.ends_with("its parent") {
                continue;
            }
            let hours = hours();
            let does = does.replace("SLEEP", &format!("sleep {hours}")).replace("ANSWER", FIRST);
            // A daemon is there while its bot is slow.
            let does = format!("{does}; sleep 30");
            let running = duel(&bot(&does), &["--move-ms", "60000"]);
            wait_for(&hours, what);
            signal(&running, name);
            assert_eq!(ended(running, what), code, "{what}, {name}");
            // A program that has lost its keeper is not waited for.
            let soon = match name {
                "KILL" => Duration::from_secs(10),
                _ if what == "kills its parent" => Duration::from_secs(2),
                _ => Duration::ZERO,
            };
            nothing_left(&hours, soon, &format!("{what}, {name}"));
        }
    }
}

#[test]
fn nothing_outlives_a_start_that_fails() {
    for does in ["setsid SLEEP & exit 3", "setsid SLEEP & sleep 60", "exec >&-; setsid SLEEP"] {
        let hours = hours();
        let name = script(&does.replace("SLEEP", &format!("sleep {hours}")));
        assert_eq!(ended(duel(&name, &["--start-ms", "500"]), does), Some(2), "{does}");
        nothing_left(&hours, Duration::ZERO, does);
    }
}

#[test]
fn how_a_program_has_ended_is_told() {
    for (does, told) in [("exit 7", "exit status: 7"), ("kill -USR1 $$", "signal: 10 (SIGUSR1)")] {
        let output = duel(&bot(does), &["--on-fault", "stop"]).wait_with_output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && error.contains(told), "{error}");
    }
}
