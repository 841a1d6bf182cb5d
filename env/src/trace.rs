//! Traces: one deal as one line of JSON (`docs/TRACE.md`, section 10 of the rules).
//!
//! A trace is what happened, in order, complete enough that a program which shares no code with
//! this one can check every rule. [`Record::of`] writes down what a [`Referee`] has seen,
//! `lines` reads a file of records, `check` plays each of them again, and [`check_deal`] plays one
//! of them again.

mod check;
#[cfg(feature = "std")]
mod lines;
mod record;
mod session;

#[cfg(feature = "std")]
pub(crate) use check::game_of;
#[cfg(feature = "std")]
pub use check::{CheckSummary, check, deals};
pub use check::{CheckedDeal, check_deal};
#[cfg(feature = "std")]
pub use lines::lines;
pub use record::{InSession, Over, Pile, Place, Record, Schema, TraceFault};
