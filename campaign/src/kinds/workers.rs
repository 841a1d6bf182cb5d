//! Training by Ray with workers that hang, die, answer late or wrongly. The run ends with the weights of the program
//! alone, or when it is asked to, and no worker is left.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use crate::attempt::Attempt;
use crate::common::{draw, one_of};
use crate::kinds::kills::finished;
use crate::materials::UPDATES;
use crate::program::Call;
use crate::verdict::{Failure, Fault, demand};

/// Trains with failing workers.
const SCRIPT: &str = include_str!("workers.py");

/// What a worker does when it is asked for shards.
const DEEDS: [&str; 10] =
    ["stop", "die", "wait", "turn", "be_late", "damage", "cut", "forget", "exchange", "leave"];

pub(crate) fn law(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    attempt.write("small.toml", attempt.materials.config.to_string());
    attempt.write("workers.py", SCRIPT);
    attempt.write("notes/begun", "");
    let rng = &mut attempt.rng;
    let faulty = 1 + draw(rng, 3);
    let plan: Vec<&str> = (0..24)
        .map(|_| if draw(rng, 12) < faulty { one_of(rng, &DEEDS) } else { "work" })
        .collect();
    let workers = (1 + draw(rng, 3)).to_string();
    let plan = plan.join(",");
    // Half of the runs end by themselves.
    let signals = [None, Some(Signal::SIGINT), None, Some(Signal::SIGTERM)];
    let signal = one_of(rng, &signals).map_or(0, |signal| signal as i32).to_string();
    let seconds = (draw(rng, 8000) as f64 / 1000.0).to_string();
    let script = ["workers.py", &plan, "notes", &workers, "0.5", &signal, &seconds];
    let train = ["train", "--config", "small.toml", "--out", "run"];
    let outcome = attempt.run_python(&Call::new([&script[..], &train].concat(), 240_000))?;
    let why = String::from_utf8_lossy(&outcome.stderr);
    demand(outcome.success(), Fault::NoAnswer, &format!("{:?}: {why}", outcome.status))?;
    let workers = stopped(attempt);
    let begun = Instant::now();
    let is_left = |pid: &&i32| {
        fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|line| !line.contains(") Z "))
    };
    while workers.iter().any(|pid| is_left(&pid)) && begun.elapsed() < Duration::from_secs(30) {
        sleep(Duration::from_millis(20));
    }
    let left: Vec<&i32> = workers.iter().filter(is_left).collect();
    demand(left.is_empty(), Fault::Survivor, &format!("workers {left:?}"))?;
    if !attempt.path(&format!("run/checkpoints/update-{UPDATES:06}.ckpt")).exists() {
        let begun = attempt.path("run/config.toml").exists();
        let arguments = if begun { &["resume", "run"][..] } else { &train };
        attempt.does(&Call::new(arguments, 60_000))?;
    }
    finished(attempt, "run")
}

/// The workers that failed.
fn stopped(attempt: &Attempt<'_>) -> Vec<i32> {
    let entries = fs::read_dir(attempt.path("notes")).into_iter().flatten().flatten();
    let pid = |name: &str| name.strip_prefix("stopped-")?.parse().ok();
    entries.filter_map(|entry| pid(entry.file_name().to_str()?)).collect()
}
