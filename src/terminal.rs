//! What the program says to the person: progress, errors, output.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::error::ErrorKind;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Exit code for bad input.
const BAD_INPUT: u8 = 2;

/// Reports an error in one line; the exit code for it.
pub(crate) fn fail(error: &anyhow::Error) -> ExitCode {
    // A reader that went away (`newmarket … | head`) is no fault of anybody's.
    if let Some(io) = error.downcast_ref::<io::Error>()
        && io.kind() == io::ErrorKind::BrokenPipe
    {
        return ExitCode::SUCCESS;
    }
    let mut line: Vec<String> = Vec::new();
    for cause in error.chain().map(ToString::to_string) {
        // Some errors say their cause themselves.
        if line.last().is_none_or(|last| !last.ends_with(&cause)) {
            line.push(cause);
        }
    }
    let _ = writeln!(io::stderr(), "error: {}", line.join(": ").replace('\n', " "));
    ExitCode::from(BAD_INPUT)
}

/// Reports a command line that makes no sense in one line, or prints the help that was asked for.
pub(crate) fn fail_usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return ExitCode::from(error.exit_code() as u8);
    }
    // What clap says before its usage and advice, which take further lines.
    let text = error.render().to_string();
    let facts: Vec<&str> = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
        .filter(|line| !line.is_empty())
        .collect();
    let _ = writeln!(io::stderr(), "{}; see --help", facts.join(" "));
    ExitCode::from(BAD_INPUT)
}

/// Prints a line of output.
pub(crate) fn print(line: impl AsRef<str>) -> anyhow::Result<()> {
    writeln!(io::stdout().lock(), "{}", line.as_ref()).context("cannot write standard output")
}

/// Prints a value as one JSON object.
pub(crate) fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    print(serde_json::to_string(value)?)
}

/// A progress bar on standard error; none where that is not a terminal.
pub(crate) fn progress(length: u64, unit: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr_with_hz(10));
    let template = format!(
        "{{bar:32}} {{human_pos}}/{{human_len}} {unit}  {{per_sec}}  {{eta}} left  {{msg}}"
    );
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// A seed for those who did not choose one, from the operating system.
pub(crate) fn entropy() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    // The keys of a new `RandomState` come from the operating system. Kept short enough to type.
    RandomState::new().hash_one(0_u8) % 1_000_000
}

/// The program's clock, for players that are given time: since it was first looked at.
pub(crate) fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}
