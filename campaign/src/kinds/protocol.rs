//! Lines of the engine protocol: changed, lost, doubled, out of order.

use newmarket_env::Rng;
use serde_json::Value;

use crate::attempt::Attempt;
use crate::common::{draw, number, one_in, one_of};
use crate::hostile::PROTOCOL;
use crate::mutate::mutate;
use crate::program::{Call, READ};
use crate::verdict::{Failure, Fault, demand};

/// Valid conversations. Lines of the host begin with `> `.
const TRANSCRIPTS: [&str; 4] = [
    include_str!("../../../engine/tests/transcripts/newmarket.txt"),
    include_str!("../../../engine/tests/transcripts/michigan-auction.txt"),
    include_str!("../../../engine/tests/transcripts/three-in-one.txt"),
    include_str!("../../../engine/tests/transcripts/chicago.txt"),
];

/// Fast players.
const PLAYERS: [&str; 5] = ["random", "longest", "stopper", "net:champion", "exec:true"];

/// The last line of every conversation. The engine must still answer it.
const LAST: &str = r#"{"type":"ask","id":"the last","table":"of no deal","at":0}"#;

pub(crate) fn law(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let rng = &mut attempt.rng;
    let transcript = one_of(rng, &TRANSCRIPTS);
    let lines = transcript.lines().filter_map(|line| line.strip_prefix("> "));
    let player = format!("\"player\":\"{}\"", one_of(rng, &PLAYERS));
    let mut lines: Vec<Vec<u8>> =
        lines.map(|line| line.replace("\"player\":\"stopper\"", &player).into()).collect();
    for _ in 0..=draw(rng, 4) {
        change(&mut lines, rng);
    }
    lines.push(LAST.into());
    let mut call = Call::new(["engine"], 10_000);
    call.input = lines.join(&b'\n');
    let quits = String::from_utf8_lossy(&call.input).contains("quit");
    let outcome = attempt.run(&call)?;
    let said = String::from_utf8_lossy(&outcome.stdout);
    let mut answered = false;
    for reply in said.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        demand(reply.len() <= 1 << 16, Fault::Message, "a reply that is too long")?;
        let reply: Value = serde_json::from_str(reply).unwrap_or_default();
        demand(reply["type"].is_string(), Fault::Accepted, "a reply that is no message")?;
        answered |= reply["id"] == "the last";
    }
    let whole = outcome.success() && (said.len() as u64) < READ && !quits;
    demand(!whole || answered, Fault::NoAnswer, LAST)
}

/// Changes a line, or the order of the lines.
fn change(lines: &mut Vec<Vec<u8>>, rng: &mut Rng) {
    if lines.is_empty() {
        return;
    }
    let at = draw(rng, lines.len());
    match draw(rng, 6) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(draw(rng, lines.len()), lines[at].clone()),
        2 => lines.swap(at, 0),
        3 => {
            let text = String::from_utf8_lossy(&lines[at]).into_owned();
            lines[at] = renumbered(&text, number(rng), rng).into();
        }
        _ => lines[at] = mutate(&lines[at..=at], PROTOCOL, rng),
    }
    if one_in(rng, 200) {
        lines.insert(at.min(lines.len()), vec![b'['; 1 << draw(rng, 22)]);
    }
}

/// The line with one of its numbers replaced.
fn renumbered(line: &str, number: &str, rng: &mut Rng) -> String {
    let starts: Vec<usize> = line
        .char_indices()
        .zip(line.chars().skip(1))
        .filter(|((_, before), digit)| !before.is_alphanumeric() && digit.is_ascii_digit())
        .map(|((at, before), _)| at + before.len_utf8())
        .collect();
    if starts.is_empty() {
        return line.into();
    }
    let start = starts[draw(rng, starts.len())];
    let end = start + line[start..].bytes().take_while(u8::is_ascii_digit).count();
    format!("{}{number}{}", &line[..start], &line[end..])
}
