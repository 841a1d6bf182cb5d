//! Any bytes are a trace file: passed if it tells the truth, else one clear error.
//!
//! An input is a trace as it is, or, if its first byte is below 8, how to make one: so many
//! changes, each of 6 bytes, then a deal or a session as for `actions`.

use newmarket_env::trace::{check, lines};
use newmarket_env::{Episode, Record, Seed};
use serde_json::Value;

use super::actions;
use super::games;
use super::harness::Reached;
use super::rules::clean;
use super::spoil::spoil;
use super::tape::Tape;
use super::truth;

/// What the corpus of this target must reach.
pub(crate) const REACHES: &[&str] = &[
    "passed",
    "passed as it is",
    "passed though changed",
    "a session passed",
    "a line dropped is found",
    "a line doubled is found",
    "two lines swapped is found",
    "an event dropped is found",
    "an event doubled is found",
    "two events swapped is found",
    "events cut off is found",
    "two cards swapped is found",
    "two cards change names is found",
    "a word for another is found",
    "a value dropped is found",
    "a number changed is found",
    "a pile for another is found",
    "a pile for another is passed",
    "a pile for a seat that is out",
    "an error at an event",
    "an error in the second line",
    "not JSON",
    "cut off",
    "not UTF-8",
    "empty",
    "an empty line",
    "payoffs",
    "stacks_after",
    "layout_after",
    "kitty_after",
    "stacks_before",
    "the pack",
    "session",
    "overrides",
    "one event too many",
    "the events end too early",
];

/// It is passed only if it tells what can have happened, and what was played is passed.
pub(crate) fn law(input: &[u8], reached: &mut Reached) {
    match input.first() {
        Some(..8) => made(input, reached),
        _ => {
            if judge(input, reached) {
                reached.insert("passed as it is".into());
            }
        }
    }
}

/// A trace that is made from a deal, with changes.
fn made(input: &[u8], reached: &mut Reached) {
    let mut tape = Tape::new(input);
    let changes = tape.below(4);
    let mut orders = Vec::new();
    for _ in 0..changes {
        orders.push([(); 6].map(|()| tape.byte()));
    }
    let (game, title) = games::game(&mut tape);
    let (kind, deals) = if tape.below(2) == 0 { (Episode::Deal, 1) } else { (Episode::Session, 3) };
    let seed = Seed::new(u64::from(tape.byte()));
    tape.seed_rest();
    let mut played = Reached::new();
    let (records, _) = actions::episode(&game, &kind, seed, deals, &mut tape, None, &mut played);
    assert_eq!(truth::retold(&records), records, "what was written is told again in other words");

    let value = |record: &Record| serde_json::to_value(record).expect("a record is JSON");
    let right: Vec<Value> = records.iter().map(value).collect();
    let mut wrong = right.clone();
    let mut words: Vec<String> = Vec::new();
    for order in &orders {
        words.push(spoil(&mut wrong, &mut Tape::new(order)).into());
    }
    let text = wrong.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    let mut found = Reached::new();
    let passed = judge(text.as_bytes(), &mut found);
    reached.extend(found.iter().map(|what| format!("{what} of {title}")));
    reached.extend(found);
    if wrong == right {
        assert!(passed, "the judge does not pass what was played:\n{text}");
    } else if passed {
        reached.insert("passed though changed".into());
        reached.extend(words.iter().map(|what| format!("{what} is passed")));
    } else if let [one] = &words[..] {
        reached.insert(format!("{one} is found"));
    }
    if words == ["a pile for another"]
        && let Some(seats_in) = records.last().and_then(|record| record.seats_in.as_ref())
        && let Some(gift) = wrong.last().and_then(|line| line["events"].as_array()?.last())
        && gift["seat"].as_u64().is_some_and(|seat| !seats_in[seat as usize])
    {
        assert!(!passed, "a pile was drawn by a seat that is out:\n{text}");
        reached.insert("a pile for a seat that is out".into());
    }
    if passed && kind == Episode::Session {
        reached.insert("a session passed".into());
    }
}

/// Whether the judge passes it. What it passes is the truth, what it does not is one clean line
/// that names the place.
fn judge(text: &[u8], reached: &mut Reached) -> bool {
    match check(text) {
        Ok(summary) => {
            let records: Vec<Record> = lines(text).map(|line| line.expect("it passed").1).collect();
            assert_eq!(summary.deals, records.len());
            let events: usize = records.iter().map(|record| record.events.len()).sum();
            assert_eq!(summary.events, events);
            assert_eq!(truth::retold(&records), records, "passed, and cannot have been written");
            reached.insert("passed".into());
            true
        }
        Err(fault) => {
            let message = fault.to_string();
            clean(&message);
            let last = text.split(|&byte| byte == b'\n').count();
            assert!((1..=last).contains(&fault.line), "no line {}: {message}", fault.line);
            assert!(message.starts_with(&format!("line {}", fault.line)), "{message}");
            assert!(fault.problem.len() > 10, "{message}");
            told(&fault, reached);
            false
        }
    }
}

/// What the judge found fault with: its words, without the names and numbers.
fn told(fault: &newmarket_env::trace::TraceFault, reached: &mut Reached) {
    let mut saw = |what: &str, happened: bool| {
        if happened {
            reached.insert(what.into());
        }
    };
    let problem = fault.problem.as_str();
    saw("an error at an event", fault.event.is_some());
    saw("an error in the second line", fault.line == 2);
    saw("not JSON", problem.starts_with("not a record"));
    saw("cut off", problem.starts_with("the line is cut off"));
    saw("not UTF-8", problem.starts_with("not UTF-8"));
    saw("empty", problem.starts_with("the file is empty"));
    saw("an empty line", problem.starts_with("an empty line"));
    saw("session", problem.starts_with("`session") || problem.starts_with("session."));
    let starts = [
        "payoffs",
        "stacks_after",
        "layout_after",
        "kitty_after",
        "stacks_before",
        "the pack",
        "overrides",
        "one event too many",
        "the events end too early",
    ];
    for start in starts {
        saw(start, problem.trim_start_matches('`').starts_with(start));
    }
    let words = problem.chars().filter(|c| c.is_ascii_lowercase() || [' ', '_'].contains(c));
    reached.insert(words.take(24).collect());
}
