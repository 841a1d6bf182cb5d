//! What the program says to the person: progress, errors, output.

use std::io::{self, IsTerminal, Write};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::error::ErrorKind;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use newmarket_env::text::{brief, plain, plain_lines};

use crate::failure::{Failure, Result};
use crate::output::cannot_write;

/// Reports a failure in one line; the exit code for it.
pub(crate) fn fail(failure: &Failure) -> u8 {
    if !matches!(failure, Failure::ReaderGone) {
        warn(format!("error: {failure}"));
    }
    failure.exit_code()
}

/// Where lines go instead of standard error.
type Elsewhere = Box<dyn Fn(String) + Send>;

static ELSEWHERE: Mutex<Option<Elsewhere>> = Mutex::new(None);

/// Lines go elsewhere as long as this lives.
pub(crate) struct Diverted;

impl Drop for Diverted {
    fn drop(&mut self) {
        *ELSEWHERE.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// From now on the lines that would go to standard error go here: a table fills the screen.
pub(crate) fn divert(to: impl Fn(String) + Send + 'static) -> Diverted {
    *ELSEWHERE.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(to));
    Diverted
}

/// Writes a line to standard error. That nobody can read it changes nothing else: the exit code
/// and the files say the same.
pub(crate) fn warn(line: impl AsRef<str>) {
    let line = plain_lines(line.as_ref());
    match &*ELSEWHERE.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(elsewhere) => elsewhere(line.into_owned()),
        None => drop(writeln!(io::stderr(), "{line}")),
    }
}

/// Reports a command line that makes no sense in one line, or prints the help that was asked for.
pub(crate) fn fail_usage(error: &clap::Error) -> u8 {
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return match error.print() {
            Ok(()) => error.exit_code() as u8,
            Err(error) => fail(&cannot_write("standard output", error)),
        };
    }
    // What clap says before its usage and advice, which take further lines. No value here begins with a dash.
    let text = error.render().to_string();
    let facts: Vec<&str> = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
        .filter(|line| !line.is_empty() && !line.starts_with("tip: to pass"))
        .collect();
    warn(format!("{}; see --help", plain(&brief(&facts.join(" "), 2000))));
    Failure::user("").exit_code()
}

/// Prints a line of output, or several. Names in it may come from any file: none of them gives the
/// terminal an order.
pub(crate) fn print(line: impl AsRef<str>) -> Result {
    writeln!(io::stdout().lock(), "{}", plain_lines(line.as_ref()))
        .map_err(|error| cannot_write("standard output", error))
}

/// Prints a value as one JSON object.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result {
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
    bar.set_style(ProgressStyle::with_template(&template).expect("a valid template"));
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
