//! The program's entry: see the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(line) = newmarket::processor::lacks() {
        eprintln!("error: {line}");
        return ExitCode::FAILURE;
    }
    ExitCode::from(newmarket::run(std::env::args_os()))
}
