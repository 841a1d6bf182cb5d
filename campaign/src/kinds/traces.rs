//! Traces with broken bytes, and traces with altered events.

use newmarket_env::Record;
use newmarket_env::trace::lines;
use serde_json::Value;

use crate::attempt::{Attempt, filled};
use crate::common::{draw, one_in, one_of};
use crate::mutate::mutate;
use crate::program::Call;
use crate::quiet::quietly;
use crate::spoil::spoil;
use crate::tape::Tape;
use crate::truth::retold;
use crate::verdict::{Failure, Fault, demand};
use crate::words;

/// Any bytes as a trace, mostly near a valid one.
pub(crate) fn broken(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let rng = &mut attempt.rng;
    let records = &attempt.materials.traces[draw(rng, attempt.materials.traces.len())];
    // One deal is short enough for mutations.
    let line = records[draw(rng, records.len())].to_string().into_bytes();
    let mut bytes = mutate(&[line], words::TRACES, rng);
    if one_in(rng, 100) {
        let noise = one_of(rng, &["[", "{\"a\":", "\n", " ", "\u{1b}"]);
        bytes = noise.repeat(1 << draw(rng, 20)).into_bytes();
    }
    let command = one_of(
        rng,
        &[&["trace", "--check", "@"][..], &["perft", "@"], &["review", "@", "--by", "stopper"]],
    );
    attempt.write("deals.jsonl", bytes);
    attempt.run(&Call::new(filled(command, "deals.jsonl"), 500)).map(drop)
}

/// A trace with altered events. It may be accepted only if the deals could have been played this way.
pub(crate) fn altered(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let rng = &mut attempt.rng;
    let right = attempt.materials.traces[draw(rng, attempt.materials.traces.len())].clone();
    let mut wrong = right.clone();
    for _ in 0..=draw(rng, 2) {
        let order = [(); 6].map(|()| draw(rng, 256) as u8);
        spoil(&mut wrong, &mut Tape::new(&order));
    }
    let text = wrong.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    attempt.write("deals.jsonl", &text);
    let outcome = attempt.run(&Call::new(["trace", "--check", "deals.jsonl"], 10_000))?;
    if wrong == right {
        return demand(outcome.success(), Fault::Refused, "a trace as it was written");
    }
    demand(!outcome.success() || true_to(&wrong, &text), Fault::Accepted, "an altered trace")
}

/// Whether the records follow from their cards and decisions.
fn true_to(wrong: &[Value], text: &str) -> bool {
    let told = quietly(|| {
        let records: Vec<Record> =
            lines(text.as_bytes()).map(|line| line.expect("a record").1).collect();
        retold(&records) == records
    });
    told.unwrap_or(false) && !wrong.is_empty()
}
