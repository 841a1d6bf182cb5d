//! The program's entry: see the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(newmarket::run(std::env::args_os()))
}
