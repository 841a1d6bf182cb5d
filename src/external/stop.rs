//! The end of work after a fault of a program.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// What to do after a fault of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum OnFault {
    /// `stopper` plays the rest of the deal in its place
    Stopper,
    /// the command ends
    Stop,
}

/// The payload of the panic that ends work after a fault, by [`OnFault::Stop`].
pub(super) struct Stopped(pub(super) String);

/// Does work that a fault of a program may end, by [`OnFault::Stop`].
///
/// # Errors
/// One line about the fault that ended the work.
pub fn stoppable<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| match stopped(&*panic) {
        Some(line) => line.to_owned(),
        None => resume_unwind(panic),
    })
}

/// The line about the fault, if this panic is one that [`OnFault::Stop`] caused.
pub fn stopped(panic: &(dyn Any + Send)) -> Option<&str> {
    panic.downcast_ref().map(|Stopped(line)| line.as_str())
}
