//! Whole numbers as arguments. A number out of range is refused in words, with the name of its parameter:
//! Python's own error for it names none.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;

use crate::errors::bad;

/// The number, which must be one that the type has.
fn number<'a, 'py, T: FromPyObject<'a, 'py>>(
    given: &'a Bound<'py, PyAny>,
    name: &str,
) -> PyResult<T> {
    given.extract::<T>().map_err(|error| {
        let error: PyErr = error.into();
        if error.is_instance_of::<PyOverflowError>(given.py()) {
            let bits = 8 * size_of::<T>();
            return bad(format!("{name}: expected 0 to 2**{bits} - 1, not {given}"));
        }
        if error.is_instance_of::<PyTypeError>(given.py()) {
            let kind = given.get_type();
            let kind = kind.name().map_or_else(|_| "object".into(), |name| name.to_string());
            return PyTypeError::new_err(format!("{name}: expected a whole number, not {kind}"));
        }
        error
    })
}

/// Functions for `from_py_with`: for a parameter of this name that is such a number, and where it may be
/// missing.
macro_rules! named {
    ($($function:ident: $name:literal, $number:ty;)+) => {$(
        pub(crate) fn $function(given: &Bound<'_, PyAny>) -> PyResult<$number> {
            number(given, $name)
        }
    )+};
    (? $($function:ident: $name:literal, $number:ty;)+) => {$(
        pub(crate) fn $function(given: &Bound<'_, PyAny>) -> PyResult<Option<$number>> {
            if given.is_none() { Ok(None) } else { number(given, $name).map(Some) }
        }
    )+};
}

named! {
    dealer: "dealer", usize;
    deals: "deals", u64;
    episode: "episode", u64;
    move_ms: "move_ms", u64;
    n: "n", usize;
    players: "players", usize;
    row: "table", usize;
    seat: "seat", usize;
    seed: "seed", u64;
    start_ms: "start_ms", u64;
    table: "table", u64;
    threads: "threads", usize;
}

named! { ?
    dealer_or_none: "dealer", usize;
    n_or_none: "n", usize;
    seat_or_none: "seat", usize;
    seed_or_none: "seed", u64;
}
