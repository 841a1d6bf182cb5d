//! Players that are programs and do not end as they should. The command goes on, or ends when it is asked to, and
//! nothing of them is left.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use serde_json::json;

use crate::attempt::Attempt;
use crate::common::{draw, one_in, one_of};
use crate::materials::ENDS;
use crate::program::Call;
use crate::verdict::{Failure, Fault, demand};

/// What a bot does. `SLEEP` lasts for hours; `ANSWER` answers the question, where there is one.
const DEEDS: [&str; 20] = [
    "SLEEP",
    "perl -e 'setpgrp(0, getpgrp(getppid())); exec @ARGV' SLEEP",
    "exec perl -e 'setpgrp(0, getpgrp(getppid())); exec @ARGV' SLEEP",
    "perl -MPOSIX -e 'setsid(); exec @ARGV' SLEEP",
    "setsid SLEEP & wait",
    "(setsid SLEEP </dev/null >/dev/null 2>&1 &); ANSWER",
    "(setsid sh -c '(setsid SLEEP &)' &); ANSWER",
    "for i in 1 2 3 4 5 6 7 8 9; do (setsid SLEEP &); done; ANSWER",
    "setsid SLEEP & exit 0",
    "setsid SLEEP & kill -KILL $$",
    "exec >&-; SLEEP",
    "exec <&-; SLEEP",
    "exec <&- >&- 2>&-; SLEEP",
    "trap '' TERM INT HUP QUIT PIPE; SLEEP",
    "SLEEP & kill -STOP $$",
    "SLEEP & exec yes",
    "SLEEP & exec yes >&2",
    "(setsid yes SLEEP >&2 &); ANSWER",
    "kill -STOP $PPID; SLEEP",
    "kill -TERM $PPID; kill -INT $PPID; kill -HUP $PPID; ANSWER",
];

/// Commands in which `@` plays.
const COMMANDS: [&[&str]; 6] = [
    &["duel", "@", "stopper", "--deals", "3"],
    &["duel", "longest", "@", "--deals", "3", "--json"],
    &["ladder", "@", "stopper", "longest", "--deals", "20"],
    &["trace", "--agents", "@", "--deals", "3", "--players", "3"],
    &["watch", "--agents", "@", "--deals", "1", "--seed", "3"],
    &["play", "--against", "@", "--deals", "1", "--seed", "3", "--players", "3"],
];

pub(crate) fn law(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let rng = &mut attempt.rng;
    // No other process sleeps that long.
    let mark = format!("{}.{}", 100_000 + std::process::id(), draw(rng, 1 << 30));
    let answer = r#"echo "{\"type\":\"answer\",\"id\":\"$id\",\"do\":$first}""#;
    let deed =
        |text: &str| text.replace("SLEEP", &format!("sleep {mark}")).replace("ANSWER", answer);
    let mut does = deed(one_of(rng, &DEEDS));
    if one_in(rng, 3) {
        does = format!("{}; {does}", deed("(setsid SLEEP </dev/null >/dev/null 2>&1 &)"));
    }
    // At the start, at the first question of each of its processes, or at the end of the input.
    let once = format!("if [ \"$done\" ]; then {answer}; else done=1; {does}; fi");
    let at = one_of(rng, &["start", "question", "question", "question", "end"]);
    let (at_start, at_question, at_end) = match at {
        "start" => (does.as_str(), answer, ":"),
        "question" => (":", once.as_str(), ":"),
        _ => (":", answer, does.as_str()),
    };
    let script = format!(
        r#"{at_start}; while read -r l; do case $l in
        *'"type":"hello"'*) echo '{{"type":"hello","version":1,"players":["it"]}}';;
        *'"type":"ask"'*) id=${{l#*'"id":"'}}; id=${{id%%'"'*}}
            first=${{l#*'"legal":['}}; first=${{first%%\}}*}}\}}; {at_question};;
        esac; done; {at_end}"#
    );
    let bot = format!("exec:{}", json!(["sh", "-c", script]));
    let mut arguments: Vec<String> =
        one_of(rng, &COMMANDS).iter().map(|word| word.replace('@', &bot)).collect();
    let limit = (50 + draw(rng, 250)).to_string();
    arguments.extend(["--move-ms".into(), limit, "--start-ms".into(), "1500".into()]);
    if one_in(rng, 4) {
        arguments.extend(["--on-fault".into(), "stop".into()]);
    }
    // Half of the commands end by themselves.
    let alone = one_in(rng, 2);
    let mut call = Call::new(arguments, if alone { 60_000 } else { draw(rng, 1500) as u64 });
    call.signal = one_of(rng, &ENDS);
    call.input = b"\n1\n".repeat(2000);
    // A fault of a program ends a command with this code if it is asked for.
    call.injected = true;
    let outcome = attempt.run(&call)?;
    demand(!alone || outcome.sent.is_none(), Fault::NoAnswer, "it does not end by itself")?;
    let killed = outcome.sent == Some(Signal::SIGKILL);
    // A program that has stopped its keeper is not found by it after a kill.
    if killed && does.contains("kill -STOP $PPID") {
        clear(&mark);
        return Ok(());
    }
    let begun = Instant::now();
    while killed && !survivors(&mark).is_empty() && begun.elapsed() < Duration::from_secs(10) {
        sleep(Duration::from_millis(5));
    }
    let left = survivors(&mark).len();
    clear(&mark);
    demand(left == 0, Fault::Survivor, &format!("{left} processes of: {does}"))
}

/// The processes with this mark among their arguments.
fn survivors(mark: &str) -> Vec<i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let marked = |pid: &i32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.split(|&byte| byte == 0).any(|word| word == mark.as_bytes())
    };
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(marked).collect()
}

/// Kills what is left.
fn clear(mark: &str) {
    for pid in survivors(mark) {
        let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), Signal::SIGKILL);
    }
}
