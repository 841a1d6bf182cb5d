//! A campaign against the program `newmarket`. It gives the program forged, broken and mutated files, hostile values,
//! devices, pipes and full disks, and kills and resumes it. `verdict.rs` lists the faults that it looks for.
//!
//! A try depends only on the seed, its kind and its number, so that each can be repeated.

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

// The mutations and checks of `env/tests/fuzz`, here for files of the program.
#[expect(dead_code, reason = "the campaign does not shrink inputs")]
#[path = "../../env/tests/fuzz/mutate.rs"]
mod mutate;
#[path = "../../env/tests/fuzz/quiet.rs"]
mod quiet;
#[path = "../../env/tests/fuzz/spoil.rs"]
mod spoil;
#[expect(dead_code, reason = "the campaign only reads faults off a tape")]
#[path = "../../env/tests/fuzz/tape.rs"]
mod tape;
#[path = "../../env/tests/fuzz/truth.rs"]
mod truth;
#[path = "../../env/tests/fuzz/words.rs"]
mod words;

#[cfg(test)]
mod tests;

pub use command_line::main;
