//! Errors of the crates as exceptions: one clear line each.

use std::error::Error;
use std::fmt::Display;

use newmarket_checkpoints::StrategyError;
use newmarket_env::text::with_causes;
use newmarket_env::{BatchError, IllegalAction};
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::{Bound, PyClass, PyErr, PyRef, PyRefMut, PyResult, create_exception};

create_exception!(
    newmarket,
    IllegalActionError,
    PyValueError,
    "An action that the rules do not allow here. Nothing has changed."
);

/// What the caller gave cannot be used.
pub(crate) fn bad(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string().replace('\n', " "))
}

/// The same for an error with causes: all in one line.
pub(crate) fn bad_chain(error: &dyn Error) -> PyErr {
    bad(with_causes(error))
}

/// A file that cannot be read or written, or that is not what it should be.
pub(crate) fn file(error: &newmarket_checkpoints::Error) -> PyErr {
    match error {
        newmarket_checkpoints::Error::Io { .. } | newmarket_checkpoints::Error::NoPlayer { .. } => {
            PyOSError::new_err(with_causes(error))
        }
        _ => bad_chain(error),
    }
}

/// An agent that there is none of.
pub(crate) fn roster(error: &newmarket_checkpoints::roster::RosterError) -> PyErr {
    match error {
        newmarket_checkpoints::roster::RosterError::Net(error) => file(error),
        newmarket_checkpoints::roster::RosterError::Strategy(StrategyError::Io { .. }) => {
            PyOSError::new_err(with_causes(error))
        }
        _ => bad_chain(error),
    }
}

/// An action that is not legal.
pub(crate) fn illegal(error: &IllegalAction) -> PyErr {
    IllegalActionError::new_err(error.to_string())
}

/// A batch that did not step.
pub(crate) fn batch(error: &BatchError) -> PyErr {
    match error {
        BatchError::Illegal { .. } => IllegalActionError::new_err(error.to_string()),
        BatchError::Length { .. } => bad(error),
    }
}

/// The object, to be changed. A second thread that is in it gets a clear answer.
pub(crate) fn exclusive<'py, T: PyClass<Frozen = pyo3::pyclass::boolean_struct::False>>(
    this: &Bound<'py, T>,
) -> PyResult<PyRefMut<'py, T>> {
    this.try_borrow_mut().map_err(|_| in_use(this))
}

/// The object, to be read.
pub(crate) fn shared<'py, T: PyClass>(this: &Bound<'py, T>) -> PyResult<PyRef<'py, T>> {
    this.try_borrow().map_err(|_| in_use(this))
}

fn in_use<T: PyClass>(_: &Bound<'_, T>) -> PyErr {
    PyRuntimeError::new_err(format!(
        "this {} is in use by another thread: give each thread its own",
        std::any::type_name::<T>().rsplit("::").next().unwrap_or("object")
    ))
}
