//! Command lines: hostile values; words dropped, doubled, swapped and invented.

use newmarket_env::Rng;

use crate::attempt::Attempt;
use crate::common::{anything, draw, number, one_in, one_of};
use crate::program::Call;
use crate::verdict::Failure;

/// Valid command lines of every command.
const COMMANDS: [&str; 32] = [
    "duel longest stopper --deals 2",
    "duel longest stopper --deals 2 --seed 1 --players 4 --rules michigan --json",
    "duel net:easy pimc:2 --deals 1",
    "duel ismcts:4 omniscient --deals 1",
    "duel pimc:2,playout=random net:champion+search:1 --deals 1",
    "ladder random longest --deals 20",
    "ladder random longest stopper --deals 20 --until-separated --json",
    "ladder random longest --deals 20 --html out.html --markdown",
    "exploit longest --rules two.toml --json",
    "exploit equilibrium --rules two.toml --iterations 2",
    "exploit net:easy --rules two.toml --sampled --draws 2 --max-states 100000",
    "exploit longest --train quick --updates 1 --deals 2 --out run --set rollout.deals=4",
    "study lead --deals 100",
    "study ante --deals 100 --ci 0.5 --json",
    "study dead-hand --deals 100 --markdown --out out.html",
    "study strategy basic longest --deals 100 --parts --by-seat --over random --json",
    "study tips --rules newmarket-after-look --deals 100 --json",
    "study all --minutes 0.001",
    "play --against longest --players 4 --deals 1 --seed 1",
    "play --against longest,random,boodle --hints --adviser stopper --deals 1",
    "watch --seed 1",
    "trace --deals 2 --players 3 --seed 1 --agents random --fresh",
    "trace --deals 2 --players 3 --agents random,longest,stopper --out out.jsonl",
    "perft deals.jsonl",
    "review deals.jsonl --seat 0 --worlds 16 --seed 1 --worst 2 --json --html out.html",
    "review deals.jsonl --by stopper --markdown",
    "rules michigan --toml",
    "checkpoint show net.ckpt",
    "checkpoint join net.ckpt net.ckpt --out out.ckpt",
    "train quick --updates 1 --set rollout.deals=4 --set network.hidden=[4] --seed 1 --out run",
    "train quick --minutes 0.01 --set rollout.deals=4 --players 3 --rules michigan --device cpu",
    "bench --seconds 0.001 --json",
];

type Change = fn(&mut Vec<String>, &mut Rng);

/// Changes to the words of a command line.
const CHANGES: [Change; 6] = [
    |words, rng| drop(words.remove(draw(rng, words.len()))),
    |words, rng| words.insert(draw(rng, words.len()), words[draw(rng, words.len())].clone()),
    |words, rng| words.insert(draw(rng, words.len()), anything(rng)),
    |words, rng| {
        let at = draw(rng, words.len());
        words[at] = anything(rng);
    },
    |words, rng| {
        let at = draw(rng, words.len());
        words[at].push_str(&anything(rng));
    },
    |words, rng| words.extend(one_of(rng, &COMMANDS).split(' ').skip(1).map(Into::into)),
];

/// Changes to its numbers.
const NUMBERS: [Change; 1] = [|words, rng| another_number(words, rng)];

/// Replaces a number at the end of a word.
fn another_number(words: &mut [String], rng: &mut Rng) {
    let is_number = |word: &String| word.ends_with(|c: char| c.is_ascii_digit());
    let numbers: Vec<usize> = (0..words.len()).filter(|&at| is_number(&words[at])).collect();
    if numbers.is_empty() {
        return;
    }
    let word = &mut words[one_of(rng, &numbers)];
    let start = word.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    word.replace_range(start.., number(rng));
}

pub(crate) fn law(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let rng = &mut attempt.rng;
    let mut words: Vec<String> = one_of(rng, &COMMANDS).split(' ').map(Into::into).collect();
    for _ in 0..=draw(rng, 2) {
        // Half of all changes replace a number.
        let changes = if one_in(rng, 2) { &NUMBERS[..] } else { &CHANGES };
        let change = one_of(rng, changes);
        change(&mut words, rng);
        if words.is_empty() {
            words.push(String::new());
        }
    }
    let mut call = Call::new(words, 250);
    call.input = answers(attempt);
    // Standard input is empty, or has answers.
    attempt.write("two.toml", include_bytes!("../../../eval/games/two-seats.toml"));
    attempt.write("net.ckpt", &attempt.materials.checkpoint);
    let line = attempt.materials.traces[0][0].to_string();
    attempt.write("deals.jsonl", line);
    // Hostile paths are devices, too: a failed write to one is a fault of output.
    call.injected = call.line(&attempt.program.path).contains("/dev/full");
    attempt.run(&call).map(drop)
}

/// Answers that a person might type at the table.
fn answers(attempt: &mut Attempt<'_>) -> Vec<u8> {
    const ANSWERS: [&str; 12] =
        ["1", "2", "h", "?", "u", "b", "", "k", "9999999999999999999", "é\u{1b}[A", "ks", "q"];
    let rng = &mut attempt.rng;
    if one_in(rng, 2) {
        return Vec::new();
    }
    let lines = draw(rng, 200);
    (0..lines).flat_map(|_| [one_of(rng, &ANSWERS), "\n"].concat().into_bytes()).collect()
}
