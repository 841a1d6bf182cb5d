//! What happens at the end of an episode, and why a batch does not step.

use crate::state::IllegalAction;

/// What happens to a table whose episode is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Autoreset {
    /// It shows its end; the next step ignores its action and begins the next episode, with
    /// rewards of 0.
    NextStep,
    /// It begins its next episode within the step that ended the last one: the rewards are those of the
    /// last episode, the observation is that of the next. The end can still be seen through
    /// [`BatchEnv::observe_final`](super::BatchEnv::observe_final).
    SameStep,
    /// It stays as it is until [`BatchEnv::reset_table`](super::BatchEnv::reset_table); its actions are ignored.
    Disabled,
}

/// Why a batch did not step. No table has changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BatchError {
    /// A table does not allow its action.
    #[error("table {table}: {source}")]
    Illegal {
        /// The table, from 0.
        table: usize,
        /// The action, and the legal ones.
        source: IllegalAction,
    },
    /// The length of a buffer is not the number of tables.
    #[error("{what} has {len} entries, expected {expected}")]
    Length {
        /// The name of the buffer.
        what: &'static str,
        /// Its entries.
        len: usize,
        /// The number of tables.
        expected: usize,
    },
}

/// Whether a buffer has as many entries as it should.
pub(super) fn fits(what: &'static str, len: usize, expected: usize) -> Result<(), BatchError> {
    if len == expected { Ok(()) } else { Err(BatchError::Length { what, len, expected }) }
}
