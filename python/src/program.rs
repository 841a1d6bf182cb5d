//! The program of the command line, in the wheel.

use std::ffi::OsString;
use std::io::Write as _;

use pyo3::prelude::*;

/// Run the program with these arguments in this process, and return its exit code.
#[pyfunction]
pub(crate) fn run(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    flushed(py, arguments, newmarket::run)
}

/// Whether the run that is under way has been asked to stop, by Ctrl-C or SIGTERM.
#[pyfunction]
pub(crate) fn interrupted() -> bool {
    newmarket::interrupted()
}

/// What a part of the program returns for its name and these arguments, all output written.
pub(crate) fn flushed(
    py: Python<'_>,
    arguments: Vec<OsString>,
    part: impl FnOnce(Vec<OsString>) -> u8 + Send,
) -> u8 {
    let code = py.detach(|| {
        let arguments = [OsString::from("newmarket")].into_iter().chain(arguments);
        part(arguments.collect())
    });
    // Nothing else flushes it at the end of a process that is not Rust's own. Whoever reads it may
    // be gone by now, which changes nothing.
    let _ = std::io::stdout().flush();
    code
}

/// From now on, programs that play have a keeper, which this command starts.
#[pyfunction]
pub(crate) fn _keep_by(command: Vec<OsString>) {
    #[cfg(target_os = "linux")]
    newmarket::external::keep_by(command);
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}

/// Be the keeper of this program, and return the exit code.
#[pyfunction]
pub(crate) fn _keep(py: Python<'_>, program: Vec<OsString>) -> u8 {
    #[cfg(target_os = "linux")]
    return py.detach(|| newmarket::external::keep(program));
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (py, program);
        1
    }
}
