//! The table without a terminal, a thread or a clock: whole sessions, and how they look.

mod desk;
mod looks;
mod pressed;
mod sessions;
