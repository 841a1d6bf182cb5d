//! Replays a corpus, then tries inputs that are derived from it, and reports the first that
//! breaks a law.
//!
//! Without a compiler's help there is no counting of branches: a law says instead what an input
//! has reached, and an input that reaches something new is kept to derive others from.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs};

use newmarket_env::Seed;

use super::mutate::{mutate, shrink};
use super::quiet::quietly;

/// What an input has reached.
pub(crate) type Reached = BTreeSet<String>;

/// One kind of input, and what must hold of it.
pub(crate) struct Target {
    /// The folder of its corpus.
    pub(crate) name: &'static str,
    /// Panics if the input breaks a law.
    pub(crate) law: fn(&[u8], &mut Reached),
    /// What is worth writing into an input.
    pub(crate) words: &'static [&'static str],
    /// What the corpus must reach.
    pub(crate) reaches: &'static [&'static str],
    /// Inputs beyond the corpus.
    pub(crate) inputs: u64,
}

/// Replays the corpus of a target and tries so many inputs more: `FUZZ_INPUTS` of them,
/// from `FUZZ_SEED` on. With `FUZZ_GROW` set, what the corpus should reach and does not is added
/// to it.
///
/// # Panics
/// If a law is broken, or the corpus does not reach what it should.
pub(crate) fn run(target: &Target) {
    // In one thread: handing the few tables of an input to another costs more than playing them.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    pool.install(|| fuzz(target));
}

#[expect(clippy::print_stdout, reason = "what a run has covered is for whoever asked for it")]
fn fuzz(target: &Target) {
    let start = Instant::now();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(target.name);
    let mut pool = Vec::new();
    let mut reached = Reached::new();
    for path in files(&folder) {
        let input = fs::read(&path).expect("a file of the corpus");
        match attempt(target, &input) {
            Ok(new) => reached.extend(new),
            Err(message) => panic!("{} breaks a law: {message}", path.display()),
        }
        pool.push(input);
    }
    let files = pool.len();
    let missing = |reached: &Reached| -> Vec<&str> {
        target.reaches.iter().copied().filter(|&what| !reached.contains(what)).collect()
    };
    let mut wanted = missing(&reached);
    let grow = env::var_os("FUZZ_GROW").is_some();
    assert!(grow || wanted.is_empty(), "the corpus of {} does not reach {wanted:?}", target.name);

    let inputs = number("FUZZ_INPUTS").unwrap_or(target.inputs);
    let seed = Seed::new(number("FUZZ_SEED").unwrap_or(0));
    let mut tried = 0;
    while tried < inputs {
        let input = mutate(&pool, target.words, &mut seed.child(tried).rng());
        tried += 1;
        let new = attempt(target, &input).unwrap_or_else(|_| report(target, &input));
        if grow && wanted.iter().any(|&what| new.contains(what)) {
            let what = wanted.iter().find(|&&what| new.contains(what)).expect("one is new");
            let keeps =
                |input: &[u8]| attempt(target, input).is_ok_and(|reached| reached.contains(*what));
            let small = shrink(&input, 2_000, keeps);
            fs::write(folder.join(what.replace([' ', '/'], "-")), &small).expect("can be written");
            reached.extend(attempt(target, &small).expect("no law is broken"));
            wanted = missing(&reached);
            pool.push(small);
        }
        if new.iter().any(|what| !reached.contains(what)) {
            reached.extend(new);
            pool.push(input);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{}: {files} files and {tried} inputs in {seconds:.1} s reach {} points, {} inputs kept",
        target.name,
        reached.len(),
        pool.len() - files
    );
}

fn number(variable: &str) -> Option<u64> {
    let text = env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is {text:?}: expected a number")))
}

/// The files of a folder, in the order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of the corpus");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// What an input reaches, or the message of the law that it breaks.
fn attempt(target: &Target, input: &[u8]) -> Result<Reached, String> {
    let mut reached = Reached::new();
    // Shrinking breaks a law a thousand times; one message will do.
    let result = quietly(|| (target.law)(input, &mut reached));
    result.map(|()| reached).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_string()
    })
}

/// Says which input broke which law, as small as it can be made.
fn report(target: &Target, input: &[u8]) -> ! {
    let small = shrink(input, 5_000, |input| attempt(target, input).is_err());
    let message = attempt(target, &small).expect_err("it was kept for breaking a law");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{}", target.name));
    fs::write(&path, &small).expect("can be written");
    let hex: Vec<String> = small.iter().map(|byte| format!("{byte:02x}")).collect();
    panic!(
        "{message}\n{} bytes break a law of {}: {}\nthey are in {}; `env/tests/fuzz/README.md` \
         says how to keep them",
        small.len(),
        target.name,
        hex.concat(),
        path.display()
    );
}
