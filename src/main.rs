//! The entry point of the program. The library does the work.

use std::io::{Write as _, stderr};
use std::process::{ExitCode, exit};

fn main() -> ExitCode {
    if let Some(line) = newmarket::processor::lacks() {
        let _ = stderr().write_all(line.as_bytes());
        exit(1);
    }
    #[cfg(target_os = "linux")]
    {
        const KEEP: &str = "--keep-a-program";
        let mut arguments = std::env::args_os().skip(1);
        if arguments.next().is_some_and(|argument| argument == KEEP) {
            return ExitCode::from(newmarket::external::keep(arguments));
        }
        newmarket::external::keep_by(vec!["/proc/self/exe".into(), KEEP.into()]);
    }
    ExitCode::from(newmarket::run(std::env::args_os()))
}
