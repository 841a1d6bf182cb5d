//! What the program says to the person: progress, errors, output.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

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
    let line: Vec<String> = error.chain().map(|cause| cause.to_string()).collect();
    let _ = writeln!(io::stderr(), "error: {}", line.join(": ").replace('\n', " "));
    ExitCode::from(BAD_INPUT)
}

/// Prints a line of output.
pub(crate) fn print(line: impl AsRef<str>) -> anyhow::Result<()> {
    writeln!(io::stdout().lock(), "{}", line.as_ref())?;
    Ok(())
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
