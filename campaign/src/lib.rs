//! A campaign against the program `newmarket`: it is given forged, broken and mutated files, border
//! values, devices and pipes, and full disks; it is killed and resumed. What it must never do
//! whatever happens is in `verdict.rs`.
//!
//! A try follows from the seed, its kind and its number alone, so that each can be repeated.

#![cfg(unix)]

mod attempt;
mod campaign;
mod command_line;
mod common;
pub mod hostile;
mod kinds;
mod materials;
mod program;
mod report;
mod sealed;
mod verdict;

// What the laws of `env/tests/fuzz` change and check, here done to files for the program.
#[expect(dead_code, reason = "nothing is made smaller here")]
#[path = "../../env/tests/fuzz/mutate.rs"]
mod mutate;
#[path = "../../env/tests/fuzz/quiet.rs"]
mod quiet;
#[path = "../../env/tests/fuzz/spoil.rs"]
mod spoil;
#[expect(dead_code, reason = "only faults are read off a tape here")]
#[path = "../../env/tests/fuzz/tape.rs"]
mod tape;
#[path = "../../env/tests/fuzz/truth.rs"]
mod truth;
#[path = "../../env/tests/fuzz/words.rs"]
mod words;

#[cfg(test)]
mod tests;

pub use command_line::main;
