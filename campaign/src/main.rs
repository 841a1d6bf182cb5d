//! Hostile input and bad luck for the program: `just campaign`, explained in `CONTRIBUTING.md`.

use std::process::ExitCode;

fn main() -> ExitCode {
    newmarket_campaign::main()
}
