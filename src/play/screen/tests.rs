//! The screen without a terminal, a thread or a clock: whole sessions, and how they look.

mod harness;
mod looks;
mod pressed;
mod sessions;
