//! Traces: one deal as one line of JSON (`docs/TRACE.md`, section 10 of the rules).
//!
//! A trace is what happened, in order, complete enough that a program which shares no code with
//! this one can check every rule. `Record::of` writes down what a `Referee` has seen,
//! `lines` reads a file of records, and `check` plays each of them again.

#[cfg(feature = "std")]
mod check;
#[cfg(feature = "std")]
mod lines;
mod record;
#[cfg(feature = "std")]
mod session;

#[cfg(feature = "std")]
pub use check::{CheckSummary, CheckedDeal, check, deals};
#[cfg(feature = "std")]
pub use lines::lines;
pub use record::{InSession, Over, Pile, Place, Record, Schema, TraceFault};
