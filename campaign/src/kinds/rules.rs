//! Rules files: mutated, or with hostile values.

use newmarket_env::Rng;

use crate::attempt::{Attempt, filled};
use crate::common::{anything, draw, one_in, one_of};
use crate::mutate::mutate;
use crate::program::Call;
use crate::verdict::Failure;
use crate::words;

/// Commands that read a rules file `@`.
const READERS: [&[&str]; 9] = [
    &["rules", "@"],
    &["rules", "@"],
    &["rules", "@", "--toml"],
    &["rules", "@", "--encoding"],
    &["trace", "--rules", "@", "--players", "3", "--deals", "1"],
    &["duel", "random", "longest", "--rules", "@", "--players", "3", "--deals", "1"],
    &["duel", "net:easy", "stopper", "--rules", "@", "--players", "3", "--deals", "1"],
    &["exploit", "longest", "--rules", "@", "--max-states", "2000"],
    &["train", "--rules", "@", "--players", "3", "--updates", "1", "--out", "run"],
];

pub(crate) fn law(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let rng = &mut attempt.rng;
    let file = if one_in(rng, 4) {
        hostile_value(&attempt.materials.rules, rng)
    } else {
        mutate(&attempt.materials.rules, words::RULES, rng)
    };
    let command = one_of(rng, &READERS);
    attempt.write("house.toml", file);
    attempt.run(&Call::new(filled(command, "house.toml"), 300)).map(drop)
}

/// A file in which a hostile value replaces one of its own.
pub(super) fn hostile_value(pool: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let text = String::from_utf8_lossy(&pool[draw(rng, pool.len())]).into_owned();
    let mut lines: Vec<String> = text.lines().map(Into::into).collect();
    let keys: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].contains('=')).collect();
    if !keys.is_empty() {
        let at = one_of(rng, &keys);
        let key = lines[at].split_once('=').expect("it has a key").0.to_owned();
        let value = anything(rng);
        let quoted = one_in(rng, 3);
        lines[at] = if quoted { format!("{key}= {value:?}") } else { format!("{key}= {value}") };
    }
    lines.join("\n").into_bytes()
}
