//! New inputs from old ones.

use newmarket_env::Rng;

use super::common::{draw, one_of};

/// No input gets longer.
const LONGEST: usize = 6_000;

/// One or a few changes to one of the inputs, or noise.
pub(crate) fn mutate(pool: &[Vec<u8>], words: &[&str], rng: &mut Rng) -> Vec<u8> {
    if pool.is_empty() || draw(rng, 32) == 0 {
        return (0..draw(rng, 100)).map(|_| draw(rng, 256) as u8).collect();
    }
    let mut input = pool[draw(rng, pool.len())].clone();
    let entries: Vec<&str> = words.iter().copied().filter(|word| word.ends_with('\n')).collect();
    let only_entries = draw(rng, 2) == 0 && !entries.is_empty();
    for _ in 0..=draw(rng, 4) {
        if only_entries {
            enter(&mut input, one_of(rng, &entries));
        } else {
            change(&mut input, pool, words, rng);
        }
    }
    input.truncate(LONGEST);
    input
}

/// Writes a line `key = value` in place of the one of that key, or before all others.
fn enter(input: &mut Vec<u8>, entry: &str) {
    let key = entry.split_inclusive('=').next().unwrap_or(entry).as_bytes();
    let mut start = 0;
    for line in input.split_inclusive(|&byte| byte == b'\n') {
        let end = start + line.len();
        if line.starts_with(key) {
            input.splice(start..end, entry.bytes());
            return;
        }
        start = end;
    }
    input.splice(0..0, entry.bytes());
}

fn change(input: &mut Vec<u8>, pool: &[Vec<u8>], words: &[&str], rng: &mut Rng) {
    let at = draw(rng, input.len() + 1);
    let most = 1 << draw(rng, 7);
    let end = (at + 1 + draw(rng, most)).min(input.len());
    match draw(rng, 9) {
        0 if at < input.len() => input[at] ^= 1 << draw(rng, 8),
        1 if at < input.len() => input[at] = draw(rng, 256) as u8,
        2 if at < input.len() => input[at] = one_of(rng, &[0, 1, 9, b'\n', b'"', b'-', 0x7f, 0xff]),
        3 => drop(input.drain(at..end.max(at))),
        4 => {
            let piece = input[at..end.max(at)].to_vec();
            let to = draw(rng, input.len() + 1);
            input.splice(to..to, piece);
        }
        5 => {
            let other = &pool[draw(rng, pool.len())];
            input.truncate(at);
            input.extend_from_slice(&other[draw(rng, other.len() + 1)..]);
        }
        6 if !words.is_empty() => {
            let end = if draw(rng, 2) == 0 { at } else { end.max(at) };
            input.splice(at..end, one_of(rng, words).bytes());
        }
        7 => {
            let noise: Vec<u8> = (0..=draw(rng, 8)).map(|_| draw(rng, 256) as u8).collect();
            input.splice(at..at, noise);
        }
        // A digit of a text.
        _ => {
            let digits: Vec<usize> =
                (0..input.len()).filter(|&at| input[at].is_ascii_digit()).collect();
            if !digits.is_empty() {
                input[one_of(rng, &digits)] = b'0' + draw(rng, 10) as u8;
            }
        }
    }
}

/// The shortest and plainest input found for which this still holds, in so many attempts.
pub(crate) fn shrink(input: &[u8], attempts: usize, holds: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut best = input.to_vec();
    let mut left = attempts;
    let mut holds = |input: &[u8]| {
        left = left.saturating_sub(1);
        left > 0 && holds(input)
    };
    let mut size = best.len();
    while size > 0 {
        let mut at = 0;
        while at + size <= best.len() {
            let without = [&best[..at], &best[at + size..]].concat();
            if holds(&without) {
                best = without;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    for at in 0..best.len() {
        for plain in [0, 1, best[at] / 2] {
            let mut plainer = best.clone();
            plainer[at] = plain;
            if plain < best[at] && holds(&plainer) {
                best = plainer;
                break;
            }
        }
    }
    best
}
