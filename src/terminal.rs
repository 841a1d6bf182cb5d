//! Output, errors and progress on the terminal.

use std::io::{self, IsTerminal, Write};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::error::ErrorKind;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use newmarket_env::text::toml::plain_toml;
use newmarket_env::text::{brief, plain, plain_json, plain_lines};

use crate::failure::{Failure, Result, cannot_write};
use crate::threads;

/// Reports a failure in one line. Returns the exit code.
pub(crate) fn fail(failure: &Failure) -> u8 {
    if !matches!(failure, Failure::ReaderGone) {
        warn(format!("error: {failure}"));
    }
    failure.exit_code()
}

/// Takes the lines that would go to standard error.
type LineSink = Box<dyn Fn(String) + Send>;

static LINE_SINK: Mutex<Option<LineSink>> = Mutex::new(None);

/// Standard error is diverted until this value is dropped.
pub(crate) struct Diverted;

impl Drop for Diverted {
    fn drop(&mut self) {
        *LINE_SINK.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Sends the lines for standard error to a function instead, while a table fills the screen.
pub(crate) fn divert(to: impl Fn(String) + Send + 'static) -> Diverted {
    *LINE_SINK.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(to));
    Diverted
}

/// Writes a line to standard error. A closed standard error is ignored: it changes neither the exit
/// code nor the files.
pub(crate) fn warn(line: impl AsRef<str>) {
    let line = plain_lines(line.as_ref());
    match &*LINE_SINK.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(sink) => sink(line.into_owned()),
        None => drop(writeln!(io::stderr(), "{line}")),
    }
}

/// Reports a faulty command line in one line, or prints the help. Returns the exit code.
pub(crate) fn fail_usage(error: &clap::Error) -> u8 {
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return match error.print() {
            Ok(()) => error.exit_code() as u8,
            Err(error) => fail(&cannot_write("standard output", error)),
        };
    }
    // The message without usage and advice, which take further lines. No value of this program begins
    // with a dash, so that the tip about dashes is wrong here.
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

/// Prints one or more lines for people. Control characters are escaped, because names may come from any file. What
/// programs read is for [`print_json`] and [`print_toml`].
pub(crate) fn print(line: impl AsRef<str>) -> Result {
    write_line(&plain_lines(line.as_ref()))
}

/// Prints a text in TOML. What could control a terminal is escaped as TOML escapes, so its values stay the same.
pub(crate) fn print_toml(text: &str) -> Result {
    write_line(&plain_toml(text.trim_end()))
}

/// Prints a value as one JSON object. What could control a terminal is escaped as JSON escapes.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result {
    write_line(&plain_json(&serde_json::to_string(value)?))
}

fn write_line(line: &str) -> Result {
    writeln!(io::stdout().lock(), "{line}").map_err(|error| cannot_write("standard output", error))
}

/// A progress bar on standard error, hidden if standard error is no terminal.
pub(crate) fn progress(length: u64, unit: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr_with_hz(10));
    let template = format!(
        "{{bar:32}} {{human_pos}}/{{human_len}} {unit}  {{per_sec}}  {{eta}} left  {{msg}}"
    );
    bar.set_style(ProgressStyle::with_template(&template).expect("a valid template"));
    // The bar would panic without its thread.
    if threads::start(|| ()).is_ok() {
        bar.enable_steady_tick(Duration::from_millis(200));
    }
    bar
}

/// A random seed below 1,000,000, from the operating system.
pub(crate) fn entropy() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    // The keys of a new `RandomState` come from the operating system. A short seed is easy to type.
    RandomState::new().hash_one(0_u8) % 1_000_000
}

/// The time since the first call, for players with a budget of time.
pub(crate) fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// Waits until nobody is at the other end of a pipe or a terminal. Returns false if the system cannot tell.
#[cfg(unix)]
pub(crate) fn wait_for_hangup(file: &impl std::os::fd::AsFd) -> bool {
    use nix::errno::Errno;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    loop {
        // Asks for no event: a hangup is told all the same.
        let mut watched = [PollFd::new(file.as_fd(), PollFlags::empty())];
        match poll(&mut watched, PollTimeout::NONE) {
            Err(Errno::EINTR) => {}
            told => return told.is_ok_and(|count| count > 0),
        }
    }
}
