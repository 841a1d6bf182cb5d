//! The entry point of the program. The library does the work.

use std::io::{Write as _, stderr};
use std::process::{ExitCode, exit};

fn main() -> ExitCode {
    if let Some(line) = newmarket::processor::lacks() {
        let _ = stderr().write_all(line.as_bytes());
        exit(1);
    }
    ExitCode::from(newmarket::run(std::env::args_os()))
}
